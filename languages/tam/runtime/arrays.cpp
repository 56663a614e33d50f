// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/runtime/arrays.hpp"

#include <cstdint>

#include "languages/tam/runtime/sites.hpp"

namespace ramjet::tam {

namespace {
std::size_t heap_bytes = 0;
}  // namespace

void open_arrays(char* memory, std::size_t bytes) noexcept {
  here.heap = memory;
  here.heap_used = 0;
  heap_bytes = bytes;
}

void refuse_array(tam_array a, const char* site) noexcept {
  stop("%s: %#llx is not an array", site, static_cast<unsigned long long>(a));
}

void refuse_index(const tam_array_head* head, tam_word index, const char* site) noexcept {
  stop("%s: element %lld is outside of the array of %llu elements made at %s", site,
       static_cast<long long>(index), static_cast<unsigned long long>(head->length), site_of(head));
}

namespace {

static_assert(sizeof(tam_array_head) == 8 && kArrayAlignment % alignof(tam_word) == 0);

// An origin is {distance of the site from the first code block:29 | kind:3}.
constexpr int kKindBits = 3;
std::int32_t origin_of(const char* site, array_kind kind) {
  std::int32_t distance = encode_site(site);
  constexpr std::int32_t kFar = 1 << (31 - kKindBits);
  if (distance < -kFar || distance >= kFar) distance = 0;
  return distance * (1 << kKindBits) | static_cast<std::int32_t>(kind);
}

}  // namespace

array_kind kind_of(const tam_array_head* head) noexcept {
  return static_cast<array_kind>(head->origin & ((1 << kKindBits) - 1));
}

void set_kind(tam_array_head* head, array_kind kind) noexcept {
  head->origin = head->origin >> kKindBits << kKindBits | static_cast<std::int32_t>(kind);
}

const char* marked_site_of(const tam_array_head* head) noexcept {
  return kind_of(head) == array_kind::ended ? "a region that has ended"
                                            : decode_site(head->origin >> kKindBits);
}

const char* site_of(const tam_array_head* head) noexcept {
  return without_mark(marked_site_of(head));
}

namespace {

std::size_t aligned(std::size_t bytes) {
  return (bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
}

// Of an array with `length` elements, at most TAM_LENGTH_MAX.
std::size_t array_bytes(tam_word length) {
  return aligned(sizeof(tam_array_head) + length * (sizeof(tam_word) + 1));
}

}  // namespace

// Near ranks can write to this memory, so lengths are checked: the walk ends at a block that
// extends beyond the heap.
void each_plain_array(void (*f)(tam_array_head*, void*), void* with) {
  for (std::size_t at = 0; at < here.heap_used;) {
    auto* head = reinterpret_cast<tam_array_head*>(here.heap + at);
    const bool is_gap = kind_of(head) == array_kind::gap;
    if (!is_gap && kind_of(head) != array_kind::plain) return;
    const std::size_t bytes = is_gap ? head->length * kArrayAlignment : array_bytes(head->length);
    if (bytes == 0 || bytes > here.heap_used - at) return;
    if (!is_gap) f(head, with);
    at += bytes;
  }
}

namespace {

// The next bytes of the heap, of which all are 0.
char* take_block(std::size_t bytes, tam_word length, const char* site) {
  if (length > TAM_LENGTH_MAX)
    stop("%s: an array of %llu elements: %llu is the most", without_mark(site),
         static_cast<unsigned long long>(length), static_cast<unsigned long long>(TAM_LENGTH_MAX));
  if (bytes > heap_bytes - here.heap_used)
    stop("%s: no memory for an array of %lld elements", without_mark(site),
         static_cast<long long>(length));
  char* block = here.heap + here.heap_used;
  here.heap_used += bytes;
  return block;
}

}  // namespace

void begin_array(tam_array_head* head, array_kind kind, tam_word length, const char* site) {
  head->length = static_cast<std::uint32_t>(length);
  head->origin = origin_of(site, kind);
}

tam_array_head* new_array(tam_word length, const char* site) {
  auto* head = reinterpret_cast<tam_array_head*>(take_block(array_bytes(length), length, site));
  begin_array(head, array_kind::plain, length, site);
  return head;
}

tam_array_head* new_array_behind(std::size_t bytes_ahead, array_kind kind, tam_word length,
                                 const char* site) {
  const std::size_t before = aligned(sizeof(tam_array_head) + bytes_ahead);
  const std::size_t bytes = before + array_bytes(length);
  char* block = take_block(bytes, length, site);
  auto* head = reinterpret_cast<tam_array_head*>(block + before);
  begin_array(reinterpret_cast<tam_array_head*>(block), array_kind::gap, bytes / kArrayAlignment,
              site);
  begin_array(head, kind, length, site);
  return head;
}

}  // namespace ramjet::tam
