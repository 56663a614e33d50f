// SPDX-License-Identifier: Apache-2.0
// Elements of I-structures and M-structures of this rank, and the fetches that are deferred at
// them. The main thread's; handlers run in it.
#pragma once

#include <vector>

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/messages.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

// Whether the element is present; then its word, which is taken if `takes`. Another rank may keep
// it, and store it meanwhile.
inline bool present(tam_array a, tam_word index, bool takes, const char* site, tam_word& word) {
  const element_place e = checked_element(a, index, site);
  if (__atomic_load_n(&e.tag, __ATOMIC_ACQUIRE) != TAM_PRESENT) return false;  // pairs: tam.element
  if (takes) e.tag = TAM_EMPTY;
  word = e.value;
  return true;
}
// Sends the element's word to `reply`, now or when it comes.
void fetch(tam_array a, tam_word index, tam_name reply, bool takes, const char* site, caller by);
void fill(tam_array a, tam_word index, tam_word word, const char* site, caller by);
// The same of a near array that ranks share: done here, or by the rank that keeps the element.
void fetch_shared(tam_array a, tam_word index, tam_name reply, const char* site, caller by);
void fill_shared(tam_array a, tam_word index, tam_word word, const char* site, caller by);
// Deferred at an element.
struct waiting_fetch {
  tam_array_head* array;
  tam_word index;  // in the whole array, if this is a part of one
  tam_name reply;
  bool takes;
};
std::vector<waiting_fetch> waiting_fetches();
// Forgets all deferred fetches.
void clear_deferred() noexcept;

}  // namespace ramjet::tam
