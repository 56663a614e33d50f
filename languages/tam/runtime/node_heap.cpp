// SPDX-License-Identifier: Apache-2.0
// Arrays of near ranks. Lengths that other ranks have written into their arrays' heads are checked
// before elements are looked for by them.
#include "languages/tam/runtime/node_heap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "languages/tam/runtime/arrays.hpp"
#include "languages/tam/runtime/frames.hpp"
#include "languages/tam/runtime/remote.hpp"
#include "ramjet/job.hpp"
#include "ramjet/segment.hpp"

namespace ramjet::tam {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kLeastSharedBytes = std::size_t{1} << 20;
constexpr std::size_t kHeapBytesMax = std::size_t{1} << 38;

// The main thread's. The node's ranks, if these are numbered one after the other; tam_here says
// where their segments lie.
struct {
  int first = 0, ranks = 1;
} node;
std::vector<tam_array_head*> deferred_at;
std::size_t heap_bytes = 0;
bool heap_is_shared = false;

// How an array is shared: in front of its head.
struct layout {
  tam_word ahead, row;  // elements
  tam_word first_row;
};
const layout& layout_of(const tam_array_head* head) {
  return reinterpret_cast<const layout*>(head)[-1];
}
int keeper_of_row(tam_word row) {
  return node.first + static_cast<int>(row % static_cast<tam_word>(node.ranks));
}

void forget_near_ranks() noexcept {
  node = {};
  tam_here.near_begin = tam_here.near_bytes = 0;
  tam_here.kept_begin = tam_here.kept_bytes = 0;
  deferred_at.clear();
}

void find_near_ranks() {
  forget_near_ranks();
  if (here.ranks == 1) return;
  int first = rank(), last = rank(), members = 0;
  for (int r = 0; r < here.ranks; ++r) {
    if (node_of(r) != node_of(rank())) continue;
    ++members;
    first = std::min(first, r);
    last = std::max(last, r);
  }
  if (members == 1 || last - first + 1 != members) return;
  node = {first, members};
  tam_here.near_begin = reinterpret_cast<tam_word>(segment_begin(first));
  tam_here.near_bytes = static_cast<tam_word>(members) * segment_bytes();
}

// Of a job of one rank, whose arrays lie there.
void note_only_heap(char* memory, std::size_t bytes) noexcept {
  tam_here.near_begin = reinterpret_cast<tam_word>(memory);
  tam_here.near_bytes = bytes;
}

// Cleared memory that near ranks see, as much as there is up to `bytes`; null: none.
char* take_shared_memory(std::size_t& bytes) {
  if (tam_here.near_bytes == 0) return nullptr;
  bytes = std::min(bytes, segment_bytes() / 16 * 7) / kPageBytes * kPageBytes;
  for (; bytes >= kLeastSharedBytes; bytes = bytes / 2 / kPageBytes * kPageBytes) {
    void* memory = segment_allocate(bytes, kPageBytes);
    if (memory == nullptr) continue;
    if (madvise(memory, bytes, MADV_REMOVE) == 0) return static_cast<char*>(memory);
    segment_free(memory);
    return nullptr;
  }
  return nullptr;
}

void give_shared_memory(char* memory, std::size_t bytes) noexcept {
  madvise(memory, bytes, MADV_REMOVE);
  segment_free(memory);
}

}  // namespace

void open_heap() {
  find_near_ranks();
  heap_bytes = std::min(kHeapBytesMax, physical_bytes());
  char* memory = take_shared_memory(heap_bytes);
  heap_is_shared = memory != nullptr;
  if (!heap_is_shared) {
    heap_bytes = std::min(kHeapBytesMax, physical_bytes());
    memory = reserve(heap_bytes, "heap");
    if (here.ranks == 1) note_only_heap(memory, heap_bytes);
  }
  open_arrays(memory, heap_bytes);
}

void close_heap() noexcept {
  if (heap_is_shared)
    give_shared_memory(here.heap, heap_bytes);
  else
    munmap(here.heap, heap_bytes);
  forget_near_ranks();
}

tam_array_head* near_array(tam_array a) noexcept {
  tam_array_head* head = tam_array_of(a);
  const auto at = reinterpret_cast<tam_word>(head);
  if (!tam_is_near_array(a) || at % kArrayAlignment != 0) return nullptr;
  // As much as lies in the segments, whatever another rank has written there.
  const tam_word room = tam_here.near_begin + tam_here.near_bytes - at;
  if (room < sizeof *head || head->length > (room - sizeof *head) / (sizeof(tam_word) + 1))
    return nullptr;
  return head;
}

int keeper_of(const tam_array_head* head, tam_word index) noexcept {
  const layout& l = layout_of(head);
  if (index < l.ahead) return segment_owner(head);
  return keeper_of_row((index - l.ahead) / std::max<tam_word>(l.row, 1));
}

row_place row_of(const tam_array_head* head, tam_word index) noexcept {
  const layout& l = layout_of(head);
  const tam_word row = std::max<tam_word>(l.row, 1);
  const bool is_ahead = index < l.ahead;
  const tam_word first = is_ahead ? 0 : index - (index - l.ahead) % row;
  return {first, std::min<tam_word>(is_ahead ? l.ahead : row, head->length - first)};
}

void note_kept(tam_array_head* head, tam_word index) noexcept {
  const row_place row = row_of(head, index);
  tam_here.kept_begin = reinterpret_cast<tam_word>(tam_values(head) + row.first);
  tam_here.kept_bytes = row.count * sizeof(tam_word);
}

std::string element_text(tam_array_head* head, tam_word index) {
  const char mark = *marked_site_of(head);
  const tam_word dimensions = mark == *TAM_BOUNDS1 || mark == *TAM_M_BOUNDS1   ? 1
                              : mark == *TAM_BOUNDS2 || mark == *TAM_M_BOUNDS2 ? 2
                                                                               : 0;
  const tam_word ahead = 2 * dimensions;
  bool has_bounds = dimensions != 0 && index >= ahead;
  for (tam_word i = 0; has_bounds && i < ahead; ++i) has_bounds = tam_tags(head)[i] == TAM_PRESENT;
  if (!has_bounds) return "element " + std::to_string(index);
  const tam_word* bounds = tam_values(head);
  const tam_word at = index - ahead;
  const auto text = [](tam_word i) { return std::to_string(static_cast<std::int64_t>(i)); };
  if (dimensions == 1) return "element [" + text(bounds[0] + at) + "]";
  const tam_word columns = std::max<tam_word>(bounds[3] - bounds[2] + 1, 1);
  return "element [" + text(bounds[0] + at / columns) + ", " + text(bounds[2] + at % columns) + "]";
}

void note_deferred(tam_array_head* head) {
  if (deferred_at.empty() || deferred_at.back() != head) deferred_at.push_back(head);
}

void each_deferred_at(void (*f)(tam_array_head*, void*), void* with) {
  std::sort(deferred_at.begin(), deferred_at.end());
  deferred_at.erase(std::unique(deferred_at.begin(), deferred_at.end()), deferred_at.end());
  for (tam_array_head* head : deferred_at) f(head, with);
}

}  // namespace ramjet::tam

using namespace ramjet::tam;

tam_array tam_ialloc_shared(tam_word length, tam_word ahead, tam_word row, tam_word first_row,
                            const char* site) {
  const auto heap = reinterpret_cast<tam_array>(here.heap);
  if (here.ranks == 1 || !tam_is_near_array(tam_here.own | heap)) return tam_ialloc(length, site);
  tam_array_head* head = new_array_behind(sizeof(layout), array_kind::shared, length, site);
  const tam_array name = tam_here.own | reinterpret_cast<tam_array>(head);
  if (row == 0) row = 1;
  reinterpret_cast<layout*>(head)[-1] = {ahead, row, first_row};
  return name | kSharedBit;
}

int tam_rank_of_row(tam_array a, int64_t row) {
  const int own = tam_rank_of(tam_here.own);
  if (!is_shared(a) || !tam_is_near_array(a)) return own;
  const layout& l = layout_of(tam_array_of(a));
  const tam_word from_first = static_cast<tam_word>(row) - l.first_row;
  return from_first >> 32 != 0 ? own : keeper_of_row(from_first);
}
