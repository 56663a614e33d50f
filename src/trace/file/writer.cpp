// SPDX-License-Identifier: Apache-2.0
#include "trace/file/writer.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "base/plain.hpp"
#include "report/text.hpp"
#include "trace/file/format.hpp"
#include "trace/file/perfetto.hpp"

namespace ramjet::trace {

namespace field = perfetto::field;
using perfetto::event_type;
using perfetto::put_number;
using perfetto::put_text;
using perfetto::short_message;

namespace {

constexpr std::uint64_t kSequenceId = 1;
constexpr std::uint64_t kNeverNs = ~std::uint64_t{0};  // the end of what does not end
constexpr std::uint64_t kSliceEndBytes = 64;  // an upper bound of its packet

// The same number at the message's sender and at its receiver.
std::uint64_t flow_of(unsigned sender, unsigned receiver, std::uint64_t position, bool reply) {
  constexpr std::uint64_t kPositions = (std::uint64_t{1} << 42) - 1;
  return std::uint64_t{1} << 63 | std::uint64_t(sender & 0x3ff) << 53 |
         std::uint64_t(receiver & 0x3ff) << 43 | (position >> 1 & kPositions) << 1 |
         std::uint64_t(reply);
}

}  // namespace

struct trace_writer::track_event {
  // At most four numbers.
  struct annotations {
    annotations(std::initializer_list<std::pair<annotation, std::uint64_t>> all) {
      for (const auto& each : all) each_[count_++] = each;
    }
    auto begin() const { return each_.begin(); }
    auto end() const { return each_.begin() + count_; }

   private:
    std::array<std::pair<annotation, std::uint64_t>, 4> each_;
    std::ptrdiff_t count_ = 0;
  };

  event_type type;
  std::uint64_t ns;
  std::uint64_t track;
  std::uint64_t name = 0;  // interned; 0: none
  std::string_view category = {};
  std::uint64_t flow = 0, end_of_flow = 0;  // 0: none
  annotations numbers = {};
  std::uint64_t count = 0;  // of a counter
};

std::string what_is_lost(const std::string& path, std::uint64_t told, std::uint64_t lost) {
  return report::text(
      "the trace %s has the last of %llu events; %llu were overwritten, or are over "
      "--trace-limit; --trace-sample tells fewer",
      path.c_str(), static_cast<unsigned long long>(told + lost),
      static_cast<unsigned long long>(lost));
}

void take_names(traced_ring& ring, std::string_view added) {
  for (std::size_t end; (end = added.find('\0')) != added.npos; added.remove_prefix(end + 1)) {
    if (ring.name_bytes + end + 1 > kNameBytesMax) {
      ring.name_bytes = kNameBytesMax;  // a later one would get the number of this
      return;
    }
    std::string name(added.substr(0, end));
    for (char& c : name) c = base::plain(c);
    ring.names.push_back(std::move(name));
    ring.name_bytes += end + 1;
  }
}

// The ring's name of that number, interned.
std::uint64_t trace_writer::name_of(traced_ring& ring, unsigned number) {
  if (number < ring.interned.size() && ring.interned[number] != 0) return ring.interned[number];
  const bool has_name = number < ring.names.size() && !ring.names[number].empty();
  if (!has_name) return intern("handler " + std::to_string(number));
  if (number >= ring.interned.size()) ring.interned.resize(ring.names.size());
  return ring.interned[number] = intern(ring.names[number]);
}

// A new name goes along with the packet that uses it first.
std::uint64_t trace_writer::intern(const std::string& name) {
  const auto [at, is_new] = names_.try_emplace(name, names_.size() + 1);
  if (is_new) {
    std::string entry;
    put_number(entry, field::kIid, at->second);
    put_text(entry, field::kIidName, name);
    put_text(interned_, field::kEventNames, entry);
  }
  return at->second;
}

// With what goes along with a packet: its sequence, and the names that are new in it.
void trace_writer::put_packet(std::string_view body) {
  packet_ = body;
  put_number(packet_, field::kSequence, kSequenceId);
  put_number(packet_, field::kSequenceFlags,
             is_first_ ? perfetto::kStateCleared | perfetto::kNeedsState : perfetto::kNeedsState);
  if (is_first_) {
    for (const auto& [number, name] : kAnnotationNames) {
      std::string entry;
      put_number(entry, field::kIid, std::uint64_t(number));
      put_text(entry, field::kIidName, name);
      put_text(interned_, field::kAnnotationNames, entry);
    }
  }
  is_first_ = false;
  if (!interned_.empty()) put_text(packet_, field::kInterned, interned_);
  interned_.clear();
  sink_.add_packet(packet_);
}

// For an event, besides what ends the file.
bool trace_writer::has_room() const {
  return sink_.has_room(reserved_ + open_slices_ * kSliceEndBytes + kEventBytesMax);
}

void trace_writer::put(const track_event& e) {
  if (e.type == event_type::slice_begin) ++open_slices_;
  if (e.type == event_type::slice_end) --open_slices_;
  short_message event;  // some 130 bytes at most
  event.put_number(field::kType, std::uint64_t(e.type));
  event.put_number(field::kTrack, e.track);
  if (!e.category.empty()) event.put_text(field::kCategory, e.category);
  if (e.name != 0) event.put_number(field::kNameIid, e.name);
  for (const auto& [what, value] : e.numbers) {
    short_message one;
    one.put_number(field::kAnnotationIid, std::uint64_t(what));
    one.put_number(field::kUint, value);
    event.put_text(field::kAnnotation, one.text());
  }
  if (e.type == event_type::counter) event.put_number(field::kCounterValue, e.count);
  if (e.flow != 0) event.put_fixed(field::kFlow, e.flow);
  if (e.end_of_flow != 0) event.put_fixed(field::kEndOfFlow, e.end_of_flow);
  short_message body;
  body.put_number(field::kTimestamp, e.ns);
  body.put_text(field::kTrackEvent, event.text());
  if (is_first_ || !interned_.empty()) return put_packet(body.text());
  body.put_number(field::kSequence, kSequenceId);
  body.put_number(field::kSequenceFlags, perfetto::kNeedsState);
  sink_.add_packet(body.text());
}

void trace_writer::begin(const trace_about& about) {
  about_ = about;
  std::string track;
  put_number(track, field::kUuid, kJobTrack);
  put_text(track, field::kTrackName, kFormatName + std::to_string(kFormatVersion) + ")");
  put_track(track);
  put({.type = event_type::instant,
       .ns = 0,
       .track = kJobTrack,
       .name = intern(about.program),
       .category = kJobCategory,
       .numbers = {{annotation::ranks, about.ranks},
                   {annotation::nodes, about.nodes},
                   {annotation::endpoints, about.ports_per_rank},
                   {annotation::sample, about.sample}}});
}

void trace_writer::describe_thread(const traced_ring& ring, std::uint64_t uuid,
                                   const std::string& name) {
  std::string track;
  put_number(track, field::kUuid, uuid);
  put_number(track, field::kParent, endpoint_track(ring.port));
  put_text(track, field::kTrackName, name);
  put_track(track);
}

void trace_writer::put_track(const std::string& track) {
  std::string body;
  put_text(body, field::kTrackDescriptor, track);
  put_packet(body);
}

// The rank is a process, its endpoint a thread of it.
void trace_writer::describe(traced_ring& ring) {
  ring.described = true;
  const std::string rank_name = "rank " + std::to_string(ring.rank);
  std::string process, track;
  put_number(process, field::kPid, ring.pid);
  put_text(process, field::kProcessName, rank_name);
  put_number(track, field::kUuid, rank_track(ring.rank));
  put_text(track, field::kProcess, process);
  put_track(track);

  std::string thread;
  track.clear();
  put_number(thread, field::kPid, ring.pid);
  put_number(thread, field::kTid, ring.pid + ring.endpoint);
  put_text(thread, field::kThreadName,
           rank_name + ", endpoint " + std::to_string(ring.endpoint) +
               (about_.nodes > 1 ? ", node " + std::to_string(ring.node) : ""));
  put_number(track, field::kUuid, endpoint_track(ring.port));
  put_number(track, field::kParent, rank_track(ring.rank));
  put_text(track, field::kThread, thread);
  put_track(track);

  std::string counter;
  track.clear();
  put_number(counter, field::kUnit, perfetto::kUnitBytes);
  put_number(track, field::kUuid, counter_track(ring.port));
  put_number(track, field::kParent, rank_track(ring.rank));
  put_text(track, field::kTrackName, "bytes sent, endpoint " + std::to_string(ring.endpoint));
  put_text(track, field::kCounter, counter);
  put_track(track);
}

// A user-level thread has a track of its own: its waits overlap those of others.
std::uint64_t trace_writer::track_of(traced_ring& ring, std::uint32_t thread) {
  if (thread == 0) return endpoint_track(ring.port);
  const std::uint64_t uuid = thread_track(ring.port, thread);
  if (threads_described_.try_emplace(uuid, true).second)
    describe_thread(ring, uuid, "thread " + std::to_string(thread));
  return uuid;
}

// At its end; if that is not known, where the ring has got to.
void trace_writer::close_handler(traced_ring& ring) {
  const std::uint64_t end_ns = std::exchange(ring.handler_end_ns, 0);
  if (end_ns == 0) return;
  if (end_ns != kNeverNs && end_ns > ring.last_ns) ring.last_ns = end_ns;
  put({.type = event_type::slice_end,
       .ns = ring.last_ns,
       .track = endpoint_track(ring.port),
       .name = 0});
}

// So seldom that it adds little to the file.
void trace_writer::count_sent(traced_ring& ring, std::uint64_t ns) {
  constexpr std::uint64_t kEveryNs = 1'000'000;
  if (ring.counted_ns != 0 && ns - ring.counted_ns < kEveryNs) return;
  ring.counted_ns = std::max<std::uint64_t>(ns, 1);
  put({.type = event_type::counter,
       .ns = ns,
       .track = counter_track(ring.port),
       .name = 0,
       .count = ring.sent_bytes});
}

void trace_writer::report_message(traced_ring& ring, const event& e, std::uint64_t ns,
                                  std::uint64_t end_ns) {
  const unsigned peer = e.peer();
  const std::uint64_t position = e.what & ~kAnswered;
  track_event t{.type = event_type::slice_begin,
                .ns = ns,
                .track = endpoint_track(ring.port),
                .name = name_of(ring, e.name)};
  t.numbers = {{annotation::peer, peer / about_.ports_per_rank}, {annotation::bytes, e.bytes}};
  if (e.what_kind() == kind::request) {
    t.type = event_type::instant;
    t.category = kSendCategory;
    t.flow = flow_of(ring.port, peer, position, false);
    put(t);
    ring.sent_bytes += e.bytes;
    return count_sent(ring, ns);
  }
  const bool is_reply = e.what_kind() == kind::reply_handler;
  t.category = is_reply ? kReplyCategory : kHandlerCategory;
  t.end_of_flow = is_reply ? flow_of(ring.port, peer, position, true)
                           : flow_of(peer, ring.port, position, false);
  if (e.what & kAnswered) t.flow = flow_of(peer, ring.port, position, true);
  put(t);
  ring.handler_end_ns = end_ns;
}

void trace_writer::report_slice(traced_ring& ring, const event& e, std::uint64_t ns) {
  const auto thread = std::uint32_t(e.what);
  const std::uint64_t track = track_of(ring, thread);
  unsigned& depth = ring.open[thread];
  const bool collective =
      e.what_kind() == kind::collective_begins || e.what_kind() == kind::collective_ends;
  if (e.what_kind() == kind::wait_ends || e.what_kind() == kind::collective_ends) {
    if (depth == 0) return;  // its beginning is lost
    --depth;
    track_event t{.type = event_type::slice_end, .ns = ns, .track = track, .name = 0};
    if (collective && e.what >> 32 != 0)
      t.numbers = {{annotation::team, e.bytes}, {annotation::call, e.what >> 32}};
    return put(t);
  }
  ++depth;
  track_event t{.type = event_type::slice_begin,
                .ns = ns,
                .track = track,
                .name = name_of(ring, e.name),
                .category = collective ? kCollectiveCategory : kWaitCategory};
  if (e.peer() != kAnyPort) t.numbers = {{annotation::peer, e.peer() / about_.ports_per_rank}};
  put(t);
}

// Slices of who runs, on a track beside the endpoint's.
void trace_writer::report_thread(traced_ring& ring, const event& e, std::uint64_t ns) {
  const std::uint64_t track = running_track(ring.port);
  if (!std::exchange(ring.has_threads, true)) describe_thread(ring, track, "user-level threads");
  if (std::exchange(ring.thread_runs, true))
    put({.type = event_type::slice_end, .ns = ns, .track = track, .name = 0});
  const auto to = std::uint32_t(e.what);
  put({.type = event_type::slice_begin,
       .ns = ns,
       .track = track,
       .name = intern(to == 0 ? "scheduler" : "thread " + std::to_string(to)),
       .category = kThreadCategory});
}

void trace_writer::report_one(traced_ring& ring, const event& e, std::uint64_t ns,
                              std::uint64_t end_ns) {
  switch (e.what_kind()) {
    case kind::request:
    case kind::handler:
    case kind::reply_handler:
      return report_message(ring, e, ns, end_ns);
    case kind::wait_begins:
    case kind::wait_ends:
    case kind::collective_begins:
    case kind::collective_ends:
      return report_slice(ring, e, ns);
    case kind::thread:
      return report_thread(ring, e, ns);
    case kind::access:
      return put({.type = event_type::instant,
                  .ns = ns,
                  .track = endpoint_track(ring.port),
                  .name = name_of(ring, e.name),
                  .category = kAccessCategory,
                  .numbers = {{annotation::peer, e.peer() / about_.ports_per_rank},
                              {annotation::bytes, e.bytes}}});
    case kind::none:
      break;
  }
}

std::size_t trace_writer::tell(traced_ring& ring, std::span<const event> events,
                               const trace_clock& clock) {
  const unsigned ports = about_.ranks * about_.ports_per_rank;
  if (!ring.described && !events.empty() && has_room()) describe(ring);
  std::size_t told = 0;
  for (const event& e : events) {
    if (!has_room()) break;
    ++told;
    if (e.peer() != kAnyPort && e.peer() >= ports) continue;
    const auto at = [&clock](std::uint64_t ticks) { return clock.ns_of(ticks); };
    const bool is_handler = e.what_kind() == kind::handler || e.what_kind() == kind::reply_handler;
    if (is_handler || ring.handler_end_ns <= at(e.begin)) close_handler(ring);
    const std::uint64_t ns = ring.last_ns = std::max(ring.last_ns, at(e.begin));
    const bool ends = e.duration != kOpen;
    report_one(ring, e, ns, ends ? std::max(ns + 1, at(e.begin + e.duration)) : kNeverNs);
  }
  ring.told += told;
  return told;
}

// A wait or handler whose end is not known ends at `unfinished_ns`, marked as such; 0: at the
// ring's last event, like the slice of the thread that ran last.
void trace_writer::end_open(traced_ring& ring, std::uint64_t unfinished_ns) {
  const bool is_known = unfinished_ns == 0;
  if (is_known || ring.handler_end_ns != kNeverNs) close_handler(ring);
  track_event t{.type = event_type::slice_end,
                .ns = is_known ? ring.last_ns : std::max(ring.last_ns, unfinished_ns),
                .track = endpoint_track(ring.port)};
  if (!is_known) t.numbers = {{annotation::unfinished, 1}};
  if (std::exchange(ring.handler_end_ns, 0) != 0) put(t);
  for (auto& [thread, depth] : ring.open) {
    t.track = track_of(ring, thread);
    for (; depth > 0; --depth) put(t);
  }
  if (std::exchange(ring.thread_runs, false))
    put({.type = event_type::slice_end, .ns = ring.last_ns, .track = running_track(ring.port)});
}

void trace_writer::note_gap(traced_ring& ring) { end_open(ring, 0); }

void trace_writer::end(std::span<traced_ring> rings, std::uint64_t error_ns,
                       std::uint64_t written_ns) {
  reserved_ = 0;
  for (traced_ring& ring : rings) end_open(ring, std::max<std::uint64_t>(written_ns, 1));
  for (const traced_ring& ring : rings) {
    if (ring.told + ring.lost == 0 || !sink_.has_room(kEventBytesMax)) continue;
    put({.type = event_type::instant,
         .ns = written_ns,
         .track = kJobTrack,
         .name = intern("ring"),
         .category = kRingCategory,
         .numbers = {{annotation::peer, ring.rank},
                     {annotation::endpoints, ring.endpoint},
                     {annotation::told, ring.told},
                     {annotation::lost, ring.lost}}});
  }
  put({.type = event_type::instant,
       .ns = written_ns,
       .track = kJobTrack,
       .name = intern("end"),
       .category = kEndCategory,
       .numbers = {{annotation::clock_error, error_ns}}});
  sink_.finish();
}

}  // namespace ramjet::trace
