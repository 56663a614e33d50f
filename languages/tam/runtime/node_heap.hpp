// SPDX-License-Identifier: Apache-2.0
// Arrays that ranks of one node reach by loads. A rank's heap lies in its segment, at one address
// for the node's ranks: an element of a near rank's array that is present is read in place. What
// changes an element, a store or a fetch that has to wait, is done by one rank alone: the array's,
// or, of an array shared by the node's ranks, the rank that its block of elements belongs to.
#pragma once

#include <string>

#include "languages/tam/runtime/arrays.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

// Reserves this rank's heap: in its segment where near ranks shall read it, else in private memory.
void open_heap();
void close_heap() noexcept;

// In an array's name, beside the rank that made it: its elements belong to all ranks of that node.
inline constexpr tam_array kSharedBit = tam_array{1} << 47;
inline bool is_shared(tam_array a) noexcept {
  return (a & kSharedBit) != 0 && a >> 48 != TAM_SPREAD;
}
inline bool is_shared(const tam_array_head* head) noexcept {
  return kind_of(head) == array_kind::shared;
}

// An array of this rank or a near one; null: of a far one, or not in a segment.
tam_array_head* near_array(tam_array a) noexcept;
// The rank that stores the element and keeps who waits for it.
int keeper_of(const tam_array_head* head, tam_word index) noexcept;
// The elements of its row, of a shared array: index < length.
struct row_place {
  tam_word first, count;
};
row_place row_of(const tam_array_head* head, tam_word index) noexcept;
// This rank keeps the element: the others of its row are stored without asking for their keeper.
void note_kept(tam_array_head* head, tam_word index) noexcept;
// How the program calls the array's element: "element [2, 3]", "element 7".
std::string element_text(tam_array_head* head, tam_word index);
// Arrays shared by ranks at whose elements fetches have been deferred here.
void note_deferred(tam_array_head* head);
void each_deferred_at(void (*f)(tam_array_head*, void*), void* with);

}  // namespace ramjet::tam
