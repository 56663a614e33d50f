// SPDX-License-Identifier: Apache-2.0
// The memory in which a rank notes what it does: a ring of events for each port, in the node's
// object, so that it outlives the rank. The port's owner writes it, the launcher reads it, while
// the rank runs and after its end. Events are overwritten, never waited for (ADR 22).
//
//   0          kNamesOffset            kEventsOffset
//   +----------+-----------------------+-----------------------------+
//   | ring_head| names, one after the  | event[ring_events]          |  of one port
//   |          | other, each ends in 0 | event i is at i % ring_events
//   +----------+-----------------------+-----------------------------+
//
// Threads: each field names its writer. What is here comes from another process: readers check it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ramjet::trace {

enum class kind : std::uint8_t {
  none,
  request,           // a request leaves
  handler,           // a request's handler
  reply_handler,
  wait_begins,
  wait_ends,
  collective_begins,
  collective_ends,
  access,            // to another rank's memory: a get, a put, a store, bulk ones
  thread,            // the endpoint's worker goes on with another user-level thread
};
inline constexpr std::uint64_t kAnswered = std::uint64_t{1} << 63;  // in what: it has replied
inline constexpr std::uint64_t kOpen = ~std::uint64_t{0};  // of event::duration: it goes on
inline constexpr std::uint16_t kAnyPort = 0xfff;

// One event. Times are in ticks of the processor's clock (ticks.hpp).
struct event {
  std::uint64_t begin;
  std::uint64_t duration;  // of a handler; kOpen: it goes on, until the next event at the latest
  // Of messages: the position of their record in the lane, the same at both ends; a reply has its
  // request's. Of waits, collectives and threads: the user-level thread, 0: none; and in the upper
  // half the call's tag.
  std::uint64_t what;
  std::uint32_t bytes;  // of messages and accesses; of collectives the team; of threads who ran
  std::uint16_t name;  // its number among the ring's names
  std::uint16_t peer_and_kind;  // peer:12 | kind:4; peer is a port, or kAnyPort

  static std::uint16_t pack(unsigned peer, kind k) noexcept {
    return std::uint16_t(peer << 4 | unsigned(k));
  }
  unsigned peer() const noexcept { return peer_and_kind >> 4; }
  kind what_kind() const noexcept { return kind(peer_and_kind & 0xf); }
};
static_assert(sizeof(event) == 32);

// Written by the owner. The count of events publishes them, and that of bytes the names: a reader
// reads it before, and the count of events once more after.
struct ring_head {
  alignas(64) std::atomic<std::uint64_t> written;  // events since the start
  std::atomic<std::uint32_t> name_bytes;  // of all names
  std::atomic<std::uint32_t> names;  // how many
};
inline constexpr std::uint64_t kNamesOffset = 4096;
inline constexpr std::uint64_t kNameBytesMax = 256 * 1024;
inline constexpr std::uint64_t kEventsOffset = kNamesOffset + kNameBytesMax;
static_assert(sizeof(ring_head) <= kNamesOffset);

inline constexpr const char* kRegionName = "trace.rings";
inline constexpr std::uint64_t kEventsMin = 1024, kEventsMax = std::uint64_t{1} << 26;

// Events in a port's ring of at most `bytes` bytes: a power of two; 0: there is no trace.
constexpr std::uint64_t ring_events(std::uint64_t bytes) noexcept {
  std::uint64_t events = bytes == 0 ? 0 : kEventsMin;
  while (events != 0 && events < kEventsMax && events * 2 * sizeof(event) <= bytes) events *= 2;
  return events;
}
// The default for each port's ring: with one port for each rank, at most a GiB together.
constexpr std::uint64_t default_ring_bytes(unsigned ranks) noexcept {
  constexpr std::uint64_t kMost = 8 << 20, kLeast = 512 << 10, kTogether = 1 << 30;
  const std::uint64_t bytes = kTogether / ranks;
  return bytes > kMost ? kMost : bytes < kLeast ? kLeast : bytes;
}
// Of one port's part of the region.
constexpr std::uint64_t port_bytes(std::uint64_t events) noexcept {
  return events == 0 ? 0 : kEventsOffset + events * sizeof(event);
}

}  // namespace ramjet::trace
