// SPDX-License-Identifier: Apache-2.0
#include "launch/tracing.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/clock.hpp"
#include "base/cpus.hpp"
#include "trace/ticks.hpp"

namespace ramjet::launcher {

namespace {

constexpr std::uint64_t kLookEveryNs = 10'000'000;
constexpr std::uint64_t kShareOfTime = 32;  // at most a 32nd is spent taking events
}  // namespace

tracing::tracing(const launch_options& options, const job_memory& memory, output_hub& output)
    : job_(options), options_(options.trace), memory_(memory), output_(output) {}

problem tracing::open(const base::settings& ranks) {
  if (options_.path.empty()) return {};
  const std::uint64_t events = trace::ring_events(ranks.trace_bytes);
  sample_ = ranks.trace_sample;
  bytes_max_ = options_.bytes_max != 0 ? options_.bytes_max : ranks.trace_limit;
  if (events == 0)
    return {kUsageStatus, "--trace needs memory for events, and RAMJET_TRACE_BYTES is 0: unset it"};
  if (ranks.trace_bytes != 0 && ranks.trace_bytes > base::usable_memory() / memory_.ranks())
    return {kUsageStatus, text("%u ranks cannot have RAMJET_TRACE_BYTES=%llu each: this machine "
                               "has %llu bytes",
                               memory_.ranks(), static_cast<unsigned long long>(ranks.trace_bytes),
                               static_cast<unsigned long long>(base::usable_memory()))};
  if (!sink_.open(options_.path, bytes_max_))
    return {1, text("cannot write the trace %s: %s; name a file in a folder that you may write to",
                    options_.path.c_str(), errno_text(sink_.error()).c_str())};
  started_ = trace::read_clocks();
  clock_.ticks_at_start = started_.ticks;
  next_ns_ = started_.ns + kLookEveryNs;
  node_found_.assign(memory_.nodes(), false);
  taker_ = std::make_unique<trace::event_taker>(events, *this);
  return {};
}

// How fast the ticks go, by the time since the start; from then on that holds.
void tracing::set_clock() {
  constexpr std::uint64_t kShortestNs = 5'000'000;
  if (clock_is_set_) return;
  clock_is_set_ = true;
  const std::uint64_t passed = base::now_ns() - started_.ns;
  if (passed < kShortestNs) ::usleep(unsigned((kShortestNs - passed) / 1000 + 1));
  const trace::clock_pair now = trace::read_clocks();
  clock_.ns_per_tick = double(now.ns - started_.ns) / double(now.ticks - started_.ticks);
}

// Once the ranks of a node have agreed on what lies where.
void tracing::find_rings() {
  for (unsigned node = 0; node < memory_.nodes(); ++node) {
    const bool is_first = taker_->rings().empty();
    unsigned endpoints = 0;
    if (node_found_[node] || !taker_->find(memory_.node(node), node, endpoints)) continue;
    node_found_[node] = true;
    if (is_first)
      writer_.begin({job_.command[0], memory_.ranks(), memory_.nodes(), endpoints, sample_});
  }
  writer_.reserve(bytes_max_ / 2);
}

std::size_t tracing::take(trace::traced_ring& ring, std::span<const trace::event> events) {
  set_clock();
  return writer_.tell(ring, events, clock_);
}

void tracing::note_gap(trace::traced_ring& ring) { writer_.note_gap(ring); }

void tracing::take(std::uint64_t now_ns) {
  next_ns_ = now_ns + kLookEveryNs;
  find_rings();
  if (sink_.failed() || !taker_->take_filled(4)) return;
  const std::uint64_t done_ns = base::now_ns();
  next_ns_ = std::max(next_ns_, done_ns + (done_ns - now_ns) * (kShareOfTime - 1));
  say_if_failed();
  if (sink_.failed() || !sink_.has_room(bytes_max_ / 2 + trace::trace_writer::kEventBytesMax))
    next_ns_ = 0;  // the rest is for the end
}

void tracing::finish() {
  if (taker_ == nullptr) return;
  next_ns_ = 0;
  find_rings();
  set_clock();
  std::vector<trace::traced_ring>& rings = taker_->rings();
  if (rings.empty()) {
    if (!sink_.failed())
      output_.say(text("the trace %s is empty, and not kept: no rank has joined the job",
                       sink_.path().c_str()));
    return;
  }
  const std::uint64_t end_bytes = trace::trace_writer::end_bytes(rings.size());
  writer_.reserve(end_bytes);
  // Each ring has its part of the room, for its latest events.
  std::size_t left = rings.size();
  std::uint64_t lost = 0, told = 0;
  for (trace::traced_ring& ring : rings) {
    const std::uint64_t room = sink_.left() - std::min(sink_.left(), end_bytes);
    const std::uint64_t part = room / left-- / trace::trace_writer::kUsualBytes;
    const std::uint64_t written = taker_->written_in(ring);
    if (written > part) taker_->drop_before(ring, written - part);
    taker_->take_from(ring, trace::ring_life::ended);
    taker_->drop_before(ring, std::max(ring.next, written));
    told += ring.told;
    lost += ring.lost;
  }
  writer_.end(rings, trace::kClockErrorNs, base::now_ns() - started_.ns);
  say_if_failed();
  if (lost != 0 && !sink_.failed()) output_.say(trace::what_is_lost(sink_.path(), told, lost));
}

void tracing::say_if_failed() {
  if (!sink_.failed() || failure_said_) return;
  failure_said_ = true;
  output_.say(text("cannot write the trace %s: %s; the job goes on, and the trace ends here",
                   sink_.path().c_str(), errno_text(sink_.error()).c_str()));
}

}  // namespace ramjet::launcher
