// SPDX-License-Identifier: Apache-2.0
// Arrays of near ranks. What other ranks have written into their arrays' heads is checked before it
// is used as an address.
#include "tam/node_heap.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "ramjet/job.hpp"
#include "ramjet/segment.hpp"
#include "tam/remote.hpp"

namespace ramjet::tam {
namespace {

constexpr std::size_t kPageBytes = 4096;
constexpr std::size_t kLeastSharedBytes = std::size_t{1} << 20;

// The main thread's. The segments of the node's ranks, if these are numbered one after the other;
// else nobody's.
struct {
  tam_word begin = 0;
  std::size_t bytes = 0;  // of all of them; 0: there is nobody else
  int first = 0, ranks = 1;
} node;
std::vector<tam_array_head*> deferred_at;

// What is said of a shared array in the place of `spread`:
// {block:60 | elements ahead of the first block, which its maker keeps:3 | 1}
constexpr unsigned kAheadBits = 3;
const tam_spread* packed(tam_word block, tam_word ahead) {
  return reinterpret_cast<const tam_spread*>((block << kAheadBits | ahead) << 1 | 1);
}

// The address in the name of an array of this node; the name of a spread array is less.
inline tam_word address_of(tam_array a) { return a & (kSharedBit - 1); }
inline bool is_near(tam_array a) { return address_of(a) - node.begin < node.bytes; }

}  // namespace

void open_node_heap() {
  close_node_heap();
  if (here.ranks == 1) return;
  int first = rank(), last = rank(), members = 0;
  for (int r = 0; r < here.ranks; ++r) {
    if (node_of(r) != node_of(rank())) continue;
    ++members;
    first = std::min(first, r);
    last = std::max(last, r);
  }
  if (members == 1 || last - first + 1 != members) return;
  node = {reinterpret_cast<tam_word>(segment_begin(first)),
          static_cast<std::size_t>(members) * segment_bytes(), first, members};
}

void close_node_heap() noexcept {
  node = {};
  deferred_at.clear();
}

char* take_shared_memory(std::size_t& bytes) {
  if (node.bytes == 0) return nullptr;
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

tam_array_head* near_array(tam_array a) noexcept {
  const tam_word at = address_of(a);
  if (!is_near(a) || at % alignof(tam_array_head) != 0) return nullptr;
  auto* head = reinterpret_cast<tam_array_head*>(at);
  // As much as lies in the segments, whatever another rank has written there.
  const tam_word room = node.begin + node.bytes - at;
  if (room < sizeof *head || head->length > (room - sizeof *head) / (sizeof(tam_word) + 1))
    return nullptr;
  return head;
}

bool near_present(tam_array a, tam_word index, tam_word& word) noexcept {
  const tam_found found = tam_ipresent_near(a, index);
  word = found.word;
  return found.is_present != 0;
}

int keeper_of(const tam_array_head* head, tam_word index) noexcept {
  const auto layout = reinterpret_cast<std::uintptr_t>(head->spread) >> 1;
  const tam_word ahead = layout & ((1 << kAheadBits) - 1), block = layout >> kAheadBits;
  if (index < ahead || block == 0) return segment_owner(head);
  return node.first + static_cast<int>((index - ahead) / block % static_cast<tam_word>(node.ranks));
}

const char* site_of(const tam_array_head* head) noexcept {
  if (!is_shared(head)) return head->site;
  return place_of(static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(head->site)));
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

// As little is checked as of an array of this rank: a name in a program is one that a rank made.
tam_found tam_ipresent_near(tam_array a, tam_word index) {
  if (!is_near(a)) return {0, 0};
  auto* head = reinterpret_cast<tam_array_head*>(address_of(a));
  if (index >= head->length) return {0, 0};
  const unsigned char tag = __atomic_load_n(tam_tags(head) + index, __ATOMIC_ACQUIRE);
  return {tam_values(head)[index], tag == TAM_PRESENT};  // pairs: tam.element
}

tam_array tam_ialloc_shared(tam_word length, tam_word ahead, tam_word row, const char* site) {
  constexpr tam_word kBlocksOfRank = 16, kAheadMax = (1 << kAheadBits) - 1;
  tam_array_head* head = new_array(length, site);
  const tam_array name = tam_here.own | reinterpret_cast<tam_array>(head);
  if (!is_near(name)) return name;
  if (ahead > length || ahead > kAheadMax)
    stop("%s: %llu elements ahead of the rows of an array of %llu", site,
         static_cast<unsigned long long>(ahead), static_cast<unsigned long long>(length));
  if (row == 0) row = 1;
  const tam_word rows = (length - ahead + row - 1) / row;
  const tam_word some = rows / (static_cast<tam_word>(node.ranks) * kBlocksOfRank);
  head->spread = packed((some == 0 ? 1 : some) * row, ahead);
  head->site = reinterpret_cast<const char*>(static_cast<std::intptr_t>(carried(site)));
  return name | kSharedBit;
}
