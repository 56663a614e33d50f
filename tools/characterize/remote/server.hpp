// SPDX-License-Identifier: Apache-2.0
// The rank that is accessed: waits for what the other one asks for, and does it outside handlers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace characterize {

// What rank 1 tells of itself when it begins.
struct server_place {
  std::uint64_t address = 0;  // of its memory, as all ranks know it
  std::uint64_t own_address = 0;  // and as its own process does
  std::uint64_t process = 0;
};

inline constexpr std::size_t kServerBytes = std::size_t{8} << 20;

// Whether the two ranks share memory.
bool is_near();

// Collective over two ranks: rank 1 makes room for kServerBytes, and both learn where.
server_place begin_serving();

// Rank 1: until rank 0 ends it.
void serve();

// Rank 0: what rank 1 does meanwhile, and waits until it is done.
void ask_to_write(std::size_t bytes);  // zeros into its memory: it lies in that core's caches
void ask_to_read(std::size_t bytes);   // its memory, word by word
// Rank 1 leaves `count` messages that rank 0 then sends lying, and handles them together:
// nanoseconds each, of its processor.
double ask_to_collect(unsigned count);
void ask_for_barriers(unsigned count);  // rank 0 has to come to as many, and then to await_task
void await_task();
void ask_to_end();

// Sends the message that ask_to_collect counts, from rank 0.
void send_counted();
// Waits until rank 1 has handled all of them that were sent.
void await_counted();
// Nanoseconds of a call to rank 1 and its answer, of `count` one after the other.
double counted_trip_ns(unsigned count);

}  // namespace characterize
