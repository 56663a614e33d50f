// SPDX-License-Identifier: Apache-2.0
// Arrays that ranks of one node reach by loads. A rank's heap lies in its segment, at one address
// for the node's ranks: an element of a near rank's array that is present is read in place. What
// changes an element, a store or a fetch that has to wait, is done by one rank alone: the array's,
// or, of an array shared by the node's ranks, the rank that its block of elements belongs to.
#pragma once

#include <cstddef>
#include <string>

#include "languages/tam/runtime/machine.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

void open_node_heap();
void close_node_heap() noexcept;
// Of a job of one rank, whose arrays lie there.
void note_only_heap(char* memory, std::size_t bytes) noexcept;
// Cleared memory that near ranks see, as much as there is up to `bytes`; null: none.
char* take_shared_memory(std::size_t& bytes);
void give_shared_memory(char* memory, std::size_t bytes) noexcept;

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
// A site without what says that the array has bounds.
inline const char* without_mark(const char* site) noexcept {
  return site + (*site >= *TAM_BOUNDS1 && *site <= *TAM_M_BOUNDS2 ? 1 : 0);
}
// How the program calls the array's element: "element [2, 3]", "element 7".
std::string element_text(tam_array_head* head, tam_word index);
// Arrays shared by ranks at whose elements fetches have been deferred here.
void note_deferred(tam_array_head* head);
void each_deferred_at(void (*f)(tam_array_head*, void*), void* with);

}  // namespace ramjet::tam
