// SPDX-License-Identifier: Apache-2.0
// The heap of this rank and the arrays in it: heads, kinds, sites, checks of indices. The process
// ends if there is no such array or element. The main thread's.
//
// The heap is blocks one behind the other: plain arrays, and those with something in front.
//   | head | values | tags |   | gap | in front | head | values | tags |
// A gap's length is that of its whole block, in units of kArrayAlignment. So plain arrays are found
// by going from block to block; the others are known to their makers.
#pragma once

#include <cstddef>

#include "languages/tam/runtime/machine.hpp"
#include "ramjet/tam.h"

namespace ramjet::tam {

// The heap from now on: zeros.
void open_arrays(char* memory, std::size_t bytes) noexcept;
inline constexpr std::size_t kArrayAlignment = 16;
[[noreturn, gnu::cold]] void refuse_array(tam_array a, const char* site) noexcept;
[[noreturn, gnu::cold]] void refuse_index(const tam_array_head* head, tam_word index,
                                          const char* site) noexcept;
inline tam_array_head* checked_array(tam_array a, const char* site) {
  tam_array_head* head = tam_array_of(a);
  const auto offset = static_cast<std::size_t>(reinterpret_cast<char*>(head) - here.heap);
  if (offset >= here.heap_used || offset % kArrayAlignment != 0) [[unlikely]]
    refuse_array(a, site);
  return head;
}
// Of an array of this rank.
struct element_place {
  tam_array_head* head;
  tam_word& value;
  unsigned char& tag;
};
inline element_place checked_element(tam_array_head* head, tam_word index, const char* site) {
  if (index >= head->length) [[unlikely]]
    refuse_index(head, index, site);
  return {head, tam_values(head)[index], tam_tags(head)[index]};
}
inline element_place checked_element(tam_array a, tam_word index, const char* site) {
  return checked_element(checked_array(a, site), index, site);
}
// The kind of an array says what stands in front of its head.
enum class array_kind : unsigned {
  plain,  // nothing
  part,  // of a spread array: the address of that
  shared,  // by ranks of the node: how
  region,  // in a region: the address of the next array there
  ended,  // the same, but the region has ended
  gap  // no array: a head in front of what stands in front of another kind's
};
void begin_array(tam_array_head* head, array_kind kind, tam_word length, const char* site);
array_kind kind_of(const tam_array_head* head) noexcept;
void set_kind(tam_array_head* head, array_kind kind) noexcept;
// Where it was made.
const char* site_of(const tam_array_head* head) noexcept;
// The same with what stands in front of it (TAM_BOUNDS1).
const char* marked_site_of(const tam_array_head* head) noexcept;
tam_array_head* new_array(tam_word length, const char* site);
// The same behind `bytes_ahead` bytes, which end where the array begins.
tam_array_head* new_array_behind(std::size_t bytes_ahead, array_kind kind, tam_word length,
                                 const char* site);
// A site without what says that the array has bounds.
inline const char* without_mark(const char* site) noexcept {
  return site + (*site >= *TAM_BOUNDS1 && *site <= *TAM_M_BOUNDS2 ? 1 : 0);
}
// Calls f(head, with) for each plain array.
void each_plain_array(void (*f)(tam_array_head*, void*), void* with);

}  // namespace ramjet::tam
