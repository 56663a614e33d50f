// SPDX-License-Identifier: Apache-2.0
// What the parts of the threaded abstract machine share besides tam_here, the half that generated
// code sees. The main thread's; handlers of messages run in it, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ramjet/tam.h"

namespace ramjet::tam {

struct machine {
  bool open = false;
  int ranks = 1;
  std::uint32_t scheduler = TAM_AM;
  std::vector<const tam_block*> blocks;
  tam_lcv lcv = nullptr;  // the bottom of the local continuation vector
  tam_word* queue_head = nullptr;  // equals tam_here.queue_tail: no message waits
  std::size_t frame_bytes = 0;  // frames lie in the first frame_bytes of tam_here.frames
  char* heap = nullptr;
  std::size_t heap_used = 0;  // arrays lie in the first heap_used bytes of the heap

  bool has_result = false;
  tam_word result[4] = {};
};
extern machine here;

// Ends the process with the line, after this rank's name.
[[noreturn, gnu::format(printf, 1, 2)]] void stop(const char* format, ...) noexcept;

// --- frames.cpp
inline constexpr std::size_t kLcvEntries = 1 << 20;
void open_frames();
void close_frames() noexcept;
std::size_t physical_bytes() noexcept;
// Reserves `bytes` of address space, or less if not available, and sets `bytes` to what it got;
// memory is taken as it is touched. The process ends if there is none.
char* reserve(std::size_t& bytes, const char* what);
// Calls f(frame, with) for each frame that is not free. No thread runs.
void each_frame(void (*f)(const tam_frame*, void*), void* with);
// Says what is wrong with the destination of a message, and ends the process.
[[noreturn, gnu::cold]] void refuse_destination(tam_name to) noexcept;
// This rank's frame of that name, whose inlet there is; else the process ends.
inline tam_frame* checked_frame(tam_name to) {
  const tam_name offset = to & (TAM_INLET_UNIT - 1);
  tam_frame* f = tam_frame_of(to);
  if (!tam_is_own(to) || offset >= here.frame_bytes || offset % TAM_FRAME_UNIT != 0 ||
      f->block == nullptr || tam_inlet_of(to) >= f->block->inlet_count) [[unlikely]]
    refuse_destination(to);
  return f;
}

// --- queue.cpp
void open_queue();
void close_queue() noexcept;
// Where queue_head equals queue_tail: goes back to what was there before the queue became too long
// for its chunk. False: no message waits at all.
bool back_to_older_messages() noexcept;

// --- program.cpp: the frame that takes the result
extern const tam_block* const root_block;

// --- Messages
// What sends: handlers may not wait.
enum class caller { thread, handler };
// To the inlet `to` of any rank; at most four words.
void send(tam_name to, std::span<const tam_word> words, caller by);
// To an inlet of this rank, as its scheduler does it. From other ranks: the name is checked.
void deliver(tam_name to, std::span<const tam_word> words);
// The same for a name that this rank made.
void deliver_own(tam_name to, std::span<const tam_word> words);
inline void deliver_word(tam_name to, tam_word word) {
  tam_frame* f = tam_frame_of(to);
  const tam_inlet inlet = tam_entries(f->block)[tam_inlet_of(to)];
  if (here.scheduler == TAM_AM || here.scheduler == TAM_HYBRID)
    inlet(f, nullptr, word, 0, 0, 0);  // nothing runs before the handler has ended
  else
    tam_enqueue(inlet, f, 1, word, 0, 0, 0);
}

// --- heap.cpp: elements of this rank's arrays; the process ends if there is no such element
void open_heap();
void close_heap() noexcept;
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
  plain,   // nothing
  part,    // of a spread array: the address of that
  shared,  // by ranks of the node: how
  region,  // in a region: the address of the next array there
  ended,   // the same, but the region has ended
  gap      // no array: a head in front of what stands in front of another kind's (heap.cpp)
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

}  // namespace ramjet::tam
