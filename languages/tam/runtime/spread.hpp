// SPDX-License-Identifier: Apache-2.0
// Arrays spread over the ranks: each rank knows all of them, and has a part of each in its heap.
#pragma once

#include "ramjet/tam.h"

namespace ramjet::tam {

void open_spread();
inline bool is_spread(tam_array a) noexcept { return a >> 48 == TAM_SPREAD; }

// Where an element lies: in an array of one rank. The process ends if there is none.
struct element {
  tam_array part;
  tam_word index;
};
element element_of(tam_array a, tam_word index, const char* site);
tam_word spread_length(tam_array a, const char* site);
// Calls f(part, with) for each part that this rank has.
void each_part(void (*f)(tam_array_head*, void*), void* with);
// Of a rank's part: the length of the whole array, and there the index of the part's element. Other
// arrays are whole.
tam_word whole_length(const tam_array_head* head) noexcept;
tam_word whole_index(const tam_array_head* head, tam_word index) noexcept;

}  // namespace ramjet::tam
