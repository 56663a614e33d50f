// SPDX-License-Identifier: Apache-2.0
// Accesses off the fast path: in place, where that is possible after all, or by messages to the
// owner of memory on another node. The owner's handlers do the access and answer; a copy goes in
// pieces, many of them under way at a time. src/gas/far.cpp.
//
// Threads: memory of another node is reached by threads with an endpoint, through that endpoint.
// What has to wait serves messages meanwhile and ends the process inside a handler; what is
// complete at sync() or all_store_sync() goes as a chain there.
// Deaths: what was to come from a dead rank is zero bytes, what was to go there is lost; the next
// sync() of the thread returns peer_failed.
// Cost: a message there and one back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"

namespace ramjet {
struct rectangle;
}

namespace ramjet::detail {

struct call_state;

// When an access is complete: on return, at sync(), or at all_store_sync(), its bytes counted at
// the target.
enum class completes { now, at_sync, counted };

// --- Words of `bytes`: 1, 2, 4 or 8. In place or far; checked first ------------------------------

RAMJET_COLD std::uint64_t load_slow(std::uint64_t bits, std::size_t bytes,
                                    const char* call) noexcept;
RAMJET_COLD void get_slow(void* into, std::uint64_t bits, std::size_t bytes,
                          const char* call) noexcept;
RAMJET_COLD void store_slow(std::uint64_t bits, std::uint64_t value, std::size_t bytes,
                            completes when, const char* call) noexcept;

enum class atomic_kind : std::uint8_t { add, bit_and, bit_or, bit_xor, exchange, compare_swap };

// Returns what was there before. `expected` is compare_swap's.
RAMJET_COLD std::uint64_t atomic_slow(atomic_kind kind, std::uint64_t bits, std::uint64_t operand,
                                      std::uint64_t expected, std::size_t bytes,
                                      const char* call) noexcept;
// Complete at sync(). The second also wakes the counter's rank, which looks at it.
RAMJET_COLD void add_slow(std::uint64_t bits, std::uint64_t by, std::size_t bytes,
                          const char* call) noexcept;
RAMJET_COLD void signal_slow(std::uint64_t bits, std::uint64_t by, std::size_t bytes,
                             const char* call) noexcept;

// --- Any number of bytes of a far rank; the pointer has been checked -----------------------------

RAMJET_COLD void far_in(void* into, std::uint64_t bits, std::size_t bytes, completes when,
                        const char* call) noexcept;
RAMJET_COLD void far_out(std::uint64_t bits, const void* from, std::size_t bytes, completes when,
                         const char* call) noexcept;
RAMJET_COLD void far_in(void* into, std::uint64_t bits, const rectangle& shape, completes when,
                        const char* call) noexcept;
RAMJET_COLD void far_out(std::uint64_t bits, const void* from, const rectangle& shape,
                         completes when, const char* call) noexcept;

// The same as calls for a future to wait for. Values of at most 64 bytes come in the call's state.
call_state* far_value_call(std::uint64_t bits, std::size_t bytes, const char* call);
call_state* far_in_call(void* into, std::uint64_t bits, std::size_t bytes, const char* call);
call_state* far_out_call(std::uint64_t bits, const void* from, std::size_t bytes, const char* call);
call_state* far_add_call(std::uint64_t bits, std::uint64_t by, std::size_t bytes, const char* call);

}  // namespace ramjet::detail
