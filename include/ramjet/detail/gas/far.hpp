// SPDX-License-Identifier: Apache-2.0
// Accesses off the fast path: in place, where that is possible after all, or served by the owner of
// memory on another node (src/gas/far.cpp). A copy goes in parts, many of them under way at a time.
//
// Threads: memory of another node is reached by threads with an endpoint, through that endpoint.
// What has to wait serves messages meanwhile and ends the process inside a handler; what is
// complete at sync_all() or all_store_sync() never waits there.
// Deaths: what has to wait for a dead rank throws failure; what is begun is lost, and the
// sync_all() or all_store_sync() that it is complete at returns peer_failed.
// Cost: a request there and an answer back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"

#pragma GCC visibility push(default)

namespace ramjet {
struct rectangle;
}

namespace ramjet::detail {

struct call_state;

// When an access is complete: on return, at sync_all(), or at all_store_sync(), its bytes counted
// at the target. more: at sync_all(), and the thread begins another access or waits at once, so
// that this one may leave with what follows.
enum class completes { now, at_sync, more, counted };

// What is done to memory.
enum class access_op : std::uint8_t {
  load,
  store,
  add,  // from here on atomic, and answered with what was there before
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_swap,
  signal,  // an addition, after which the counter's rank is woken if it sleeps
  read,  // a copy's part, as the next two (src/gas/far.hpp)
  write,
  wrote,
  read_list,  // elements by a list of their places, as the others
  write_list,
  add_list,  // atomic; what was there before is not answered
};

// --- Words of `bytes`: 1, 2, 4 or 8. In place or far; checked first ------------------------------

// Loads and stores of one that is not aligned to its size are copies. `into` is null where nobody
// wants the word, or what was there before; `expected` is compare_swap's.
RAMJET_COLD void word_slow(access_op op, void* into, std::uint64_t bits, std::uint64_t operand,
                           std::uint64_t expected, std::size_t bytes, completes when,
                           const char* call);

// While one lives, this thread waits for what it loads: its loads of far words do not count as
// messages, so that a hang report does not take them for progress.
class polls_far_words {
 public:
  polls_far_words() noexcept { ++living_; }
  ~polls_far_words() { --living_; }
  polls_far_words(const polls_far_words&) = delete;
  polls_far_words& operator=(const polls_far_words&) = delete;

  static bool loads_are_counted() noexcept { return living_ == 0; }

 private:
  static constinit thread_local unsigned living_;  // those of all user-level threads here
};

// --- Any number of bytes of a far rank; the pointer has been checked -----------------------------

RAMJET_COLD void far_in(void* into, std::uint64_t bits, std::size_t bytes, completes when,
                        const char* call);
RAMJET_COLD void far_out(std::uint64_t bits, const void* from, std::size_t bytes, completes when,
                         const char* call);
RAMJET_COLD void far_in(void* into, std::uint64_t bits, const rectangle& shape, completes when,
                        const char* call);
RAMJET_COLD void far_out(std::uint64_t bits, const void* from, const rectangle& shape,
                         completes when, const char* call);

// --- Elements of an array by their indices -------------------------------------------------------

// An array by its first element: all of it on that one's rank, or going round the ranks.
struct element_table {
  std::uint64_t bits;
  std::size_t element_bytes;  // of an addition: 4 or 8, and aligned to it
  bool is_spread;
};
// `count` unsigned numbers of `bytes` each: 1, 2, 4 or 8.
struct index_list {
  const void* first;
  std::size_t count;
  unsigned bytes;
};

// read_list, write_list or add_list, complete on return, of elements some of which are far.
// values[k] is that of element indices[k]; where all have one value, it is values[0]. The indices
// are checked first. (src/gas/indexed.cpp)
RAMJET_COLD void access_elements(access_op op, const element_table& table,
                                 const index_list& indices, void* values, bool one_value,
                                 const char* call);

// --- As calls ------------------------------------------------------------------------------------

// For a future to wait for. Values of at most 64 bytes come in the call's state.
call_state* far_value_call(std::uint64_t bits, std::size_t bytes, const char* call);
call_state* far_in_call(void* into, std::uint64_t bits, std::size_t bytes, const char* call);
call_state* far_out_call(std::uint64_t bits, const void* from, std::size_t bytes, const char* call);
call_state* far_add_call(std::uint64_t bits, std::uint64_t by, std::size_t bytes, const char* call);

}  // namespace ramjet::detail

#pragma GCC visibility pop
