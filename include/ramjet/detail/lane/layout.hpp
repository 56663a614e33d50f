// SPDX-License-Identifier: Apache-2.0
// The memory that two ranks share to exchange messages: records, lanes, credits. Nothing here runs;
// this file is the wire format. (von Eicken et al. 1992, section 2.2: no buffering beyond
// transport.)
//
// A *lane* carries messages from one port (port_line.hpp) to another. Its record ring is an array
// of 64-byte lines; records are 2, 4, 6 or 8 words long (16-byte granules) and never cross a line:
//
//    word 0        1          2        3          4        5          6        7
//   +---------+----------+---------+----------+---------+----------+---------+----------+
//   | header  | argument | header  | argument | header  | argument | header  | argument |  4 short
//   +---------+----------+---------+----------+---------+----------+---------+----------+
//   | header  | descrip. | args...                       | PAD ...                       |  medium
//   +---------+----------+-------------------------------+-------------------------------+
//
// A header is published last, with release. A line's granule heads are zeroed when the line is
// opened, so a reader that stands on a granule sees 0, the header of an earlier lap, or a published
// record of this lap: never argument bytes of an earlier lap.
//
//    63        48 47        32 31        16 15 14 13  12 11   10  9    8 7      0
//   +------------+------------+------------+-----+------+---+---+-------+--------+
//   |  reserved  | arg bytes  |  handler   |  -  | len  |out|ext| state |  lap   |
//   +------------+------------+------------+-----+------+---+---+-------+--------+
//
// ext: word 1 is a descriptor {bytes:32 | offset:32} of a region in the lane's payload ring.
// out: the arguments lead that region (rounded up to 16 bytes) because the record has no room.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/detail/node/port_line.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

using word = std::atomic<std::uint64_t>;
static_assert(sizeof(word) == 8 && word::is_always_lock_free);

inline constexpr unsigned kLineWords = 8;
inline constexpr std::size_t kMediumBytesMax = 64 * 1024;  // one medium payload
inline constexpr std::size_t kArgumentBytesMax = 1024;  // all arguments of one message
inline constexpr std::size_t kRegionBytesMax = kMediumBytesMax + kArgumentBytesMax;
inline constexpr unsigned kHandlersMax = 1u << 16;

enum class record_state : unsigned { empty = 0, request = 1, reply = 2, pad = 3 };

inline constexpr std::uint64_t kExtended = 1u << 10;
inline constexpr std::uint64_t kArgumentsOutside = 1u << 11;
inline constexpr std::uint64_t kLapAndLength = 0x30ff;

constexpr std::uint64_t make_header(std::uint8_t lap, record_state state, unsigned words,
                                    unsigned handler, std::size_t argument_bytes) noexcept {
  return lap | std::uint64_t(state) << 8 | std::uint64_t(words / 2 - 1) << 12 |
         std::uint64_t(handler) << 16 | std::uint64_t(argument_bytes) << 32;
}
// The header of the answer in a request's record: its lap and length stay.
constexpr std::uint64_t make_answer(std::uint64_t request, unsigned handler,
                                    std::size_t argument_bytes) noexcept {
  return (request & kLapAndLength) | std::uint64_t(record_state::reply) << 8 |
         std::uint64_t(handler) << 16 | std::uint64_t(argument_bytes) << 32;
}
// The lap of a position in a ring of 2^ring_shift words. Never 0, so that fresh memory is not a
// record.
constexpr std::uint8_t lap_at(std::uint64_t position, unsigned ring_shift) noexcept {
  return std::uint8_t((position >> ring_shift) & 0x7f) | 0x80;
}
constexpr std::uint8_t lap_of(std::uint64_t header) noexcept { return std::uint8_t(header); }
constexpr record_state state_of(std::uint64_t header) noexcept {
  return record_state((header >> 8) & 3);
}
constexpr unsigned words_of(std::uint64_t header) noexcept {
  return unsigned(((header >> 12) & 3) + 1) * 2;
}
constexpr unsigned handler_of(std::uint64_t header) noexcept {
  return unsigned(header >> 16) & 0xffff;
}
constexpr unsigned argument_bytes_of(std::uint64_t header) noexcept {
  return unsigned(header >> 32) & 0xffff;
}

// Word 1 of an extended record: a region of the lane's payload ring.
struct descriptor {
  std::uint64_t offset, bytes;
  constexpr std::uint64_t packed() const noexcept { return offset | bytes << 32; }
  static constexpr descriptor of(std::uint64_t packed) noexcept {
    return {std::uint32_t(packed), packed >> 32};
  }
};

// Written by the receiver of a lane, read by its sender.
struct alignas(64) credit_line {
  // {clean:32 | head:32}, word positions modulo 2^32: every record before `head` was consumed, and
  // none in [clean, head) was answered in place. clean <= head.
  std::atomic<std::uint64_t> freed;
  // 1: the receiver polls this lane by itself; 0: ring the bell after sending, as for a port
  // that is not open yet.
  std::atomic<std::uint32_t> attended;
  // 1: the receiver sleeps until the lane the other way has room: ring after returning credit.
  std::atomic<std::uint32_t> room_wanted;
};
static_assert(sizeof(credit_line) == 64);

// Written by the sender of a lane, read by its receiver.
struct alignas(64) consumed_line {
  // Bytes of the lane's reply payload ring that the sender has done with (a position, not an
  // offset).
  std::atomic<std::uint64_t> reply_bytes;
  // Bytes of payload that have come from the receiver and that the sender has taken: requests of
  // the lane the other way, and replies in this one. Read by observers of a job.
  std::atomic<std::uint64_t> payload_taken;
  // Accesses of the receiver that a second thread of the sender's rank has served; that thread
  // writes it. pair_counters do not count them at the sender. Read by observers of a job.
  std::atomic<std::uint64_t> served_by_second_thread;
};
static_assert(sizeof(consumed_line) == 64);

// Always-on counters of one port about one peer. Written by the port's owner alone; read for
// hang reports. sent(a,b) = received(b,a) once nothing is in flight, handled <=
// received.
struct alignas(64) pair_counters {
  std::atomic<std::uint64_t> requests_sent;
  std::atomic<std::uint64_t> requests_received;
  std::atomic<std::uint64_t> requests_handled;
  std::atomic<std::uint64_t> replies_sent;
  std::atomic<std::uint64_t> replies_received;
  std::atomic<std::uint64_t> replies_handled;
  std::atomic<std::uint64_t> chained;  // waiting in this port's local queue for the peer
  // Of the requests sent and of those received: messages by which ranks compare their calls
  // (am/call_order.hpp), and of rounds of quiesce that find nothing new. They say nothing of
  // whether a job moves, so reports leave them out.
  std::atomic<std::uint32_t> checks_sent;
  std::atomic<std::uint32_t> checks_received;
};
static_assert(sizeof(pair_counters) == 64);

// Adds one, or as many, as the port's owner does; the new count.
template <class Count>
RAMJET_INLINE Count bump(std::atomic<Count>& counter, Count by = 1) noexcept {
  const Count count = counter.load(std::memory_order_relaxed) + by;
  counter.store(count, std::memory_order_relaxed);
  return count;
}

// The memory of one lane as one side sees it.
struct lane {
  word* records = nullptr;  // ring of `ring_words`
  std::byte* request_payload = nullptr;  // ring of `payload_bytes`, written by the sender
  std::byte* reply_payload = nullptr;  // ring of `payload_bytes`, written by the receiver
  credit_line* credit = nullptr;
  consumed_line* consumed = nullptr;
  std::atomic<std::uint8_t>* bell = nullptr;  // the sender's byte of the receiver's row, 1: rung
  port_line* receiver = nullptr;
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
