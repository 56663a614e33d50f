// SPDX-License-Identifier: Apache-2.0
// From the events of ring buffers to the packets of a trace: a track for each endpoint, slices for
// handlers, waits and collectives, flows from a message's send to its handler. What other processes
// wrote is checked.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/node_memory.hpp"
#include "trace/file/sink.hpp"
#include "trace/ring.hpp"

namespace ramjet::trace {

// What a file says of its job.
struct trace_about {
  std::string program;
  unsigned ranks = 1;
  unsigned nodes = 1;
  unsigned ports_per_rank = 1;
  std::uint64_t sample = 1;
};

// A machine's ticks to nanoseconds since the trace began; what was before is at 0.
struct trace_clock {
  std::uint64_t ticks_at_start = 0;
  double ns_per_tick = 1;
  double ns_at_start = 0;

  static constexpr std::uint64_t kLatestNs = std::uint64_t{1} << 62;  // what is later is at it

  std::uint64_t ns_of(std::uint64_t ticks) const {
    const double ns = ns_at_start + double(std::int64_t(ticks - ticks_at_start)) * ns_per_tick;
    return !(ns > 0) ? 0 : ns >= double(kLatestNs) ? kLatestNs : std::uint64_t(ns);
  }
};

// A port's ring, and how far it has been told.
struct traced_ring {
  const report::node_memory* memory = nullptr;  // its node's, and where it lies there
  std::uint64_t offset = 0;
  unsigned port = 0, rank = 0, endpoint = 0, node = 0;
  std::uint32_t pid = 0;
  std::uint64_t next = 0;  // the first event not yet looked at
  std::uint64_t told = 0, lost = 0;  // events
  std::vector<std::string> names;
  std::size_t name_bytes = 0;  // of the ring's, read into names
  std::vector<std::uint64_t> interned;  // by name: its number in the file, 0: not yet

  bool described = false;
  bool has_threads = false;
  std::uint64_t last_ns = 0;
  std::uint64_t handler_end_ns = 0;  // of the open one; 0: none is
  std::uint64_t sent_bytes = 0, counted_ns = 0;
  bool thread_runs = false;  // its slice is open
  std::map<std::uint32_t, unsigned> open;  // slices by thread, 0: the endpoint's own
};

class trace_writer {
 public:
  explicit trace_writer(trace_sink& sink) : sink_(sink) {}

  // The first packets: whose file this is.
  void begin(const trace_about& about);
  // Events in the ring's order, without gaps. Returns how many were told: all, or as many as the
  // file has room for.
  std::size_t tell(traced_ring& ring, std::span<const event> events, const trace_clock& clock);
  // Events are missing before the next ones: open slices end.
  void note_gap(traced_ring& ring);
  // The last packets: the ends of all open slices, what each ring has told and lost, and how well
  // the clocks agree.
  void end(std::span<traced_ring> rings, std::uint64_t error_ns, std::uint64_t written_ns);

  // Upper bounds in bytes: of an event, and of all that ends a file.
  static constexpr std::uint64_t kEventBytesMax = 512;
  static constexpr std::uint64_t kUsualBytes = 96;  // of an event
  static std::uint64_t end_bytes(std::size_t rings) { return 512 + 160 * rings; }
  void reserve(std::uint64_t bytes) { reserved_ = bytes; }

 private:
  struct track_event;

  void describe(traced_ring& ring);
  void describe_thread(const traced_ring& ring, std::uint64_t uuid, const std::string& name);
  void report_one(traced_ring& ring, const event& e, std::uint64_t ns, std::uint64_t end_ns);
  void report_message(traced_ring& ring, const event& e, std::uint64_t ns, std::uint64_t end_ns);
  void report_slice(traced_ring& ring, const event& e, std::uint64_t ns);
  void report_thread(traced_ring& ring, const event& e, std::uint64_t ns);
  void close_handler(traced_ring& ring);
  void end_open(traced_ring& ring, std::uint64_t unfinished_ns);
  bool has_room() const;
  void count_sent(traced_ring& ring, std::uint64_t ns);
  std::uint64_t track_of(traced_ring& ring, std::uint32_t thread);
  std::uint64_t name_of(traced_ring& ring, unsigned number);
  std::uint64_t intern(const std::string& name);
  void put(const track_event& e);
  void put_track(const std::string& track);
  void put_packet(std::string_view body);

  trace_sink& sink_;
  trace_about about_;
  std::string packet_, interned_;
  std::unordered_map<std::string, std::uint64_t> names_;
  std::map<std::uint64_t, bool> threads_described_;
  bool is_first_ = true;
  std::uint64_t reserved_ = 0;
  std::uint64_t open_slices_ = 0;  // begun and not ended, on all tracks
};

// What is said of a trace that does not have all events.
std::string what_is_lost(const std::string& path, std::uint64_t told, std::uint64_t lost);

// Names that a ring's owner has added. A ring has kNameBytesMax bytes of them: what is more is
// passed over.
void take_names(traced_ring& ring, std::string_view added);

}  // namespace ramjet::trace
