// SPDX-License-Identifier: Apache-2.0
#include "launcher/tracing.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "base/clock.hpp"
#include "trace/ticks.hpp"

namespace ramjet::launcher {

namespace {

constexpr std::uint64_t kLookEveryNs = 10'000'000;
constexpr std::uint64_t kShareOfTime = 32;  // at most one part in so many is spent taking events
constexpr std::size_t kPiece = 16 * 1024;   // events read at once
constexpr std::uint64_t kMargin = 64;       // events that an owner may be writing

// The ticks at a time of the machine's clock: the pair that was read fastest of some.
void read_clocks(std::uint64_t& ticks, std::uint64_t& ns) {
  std::uint64_t fastest = ~std::uint64_t{0};
  for (unsigned i = 0; i < 32; ++i) {
    const std::uint64_t before = trace::ticks_now();
    const std::uint64_t now = base::now_ns();
    const std::uint64_t after = trace::ticks_now();
    if (after - before >= fastest) continue;
    fastest = after - before;
    ticks = before + (after - before) / 2;
    ns = now;
  }
}

}  // namespace

std::uint64_t default_ring_bytes(unsigned ranks) {
  constexpr std::uint64_t kMost = 8 << 20, kLeast = 512 << 10, kTogether = 1 << 30;
  return std::clamp<std::uint64_t>(kTogether / ranks, kLeast, kMost);
}

tracing::tracing(const launch_options& options, const job_memory& memory, output_hub& output)
    : job_(options), options_(options.trace), memory_(memory), output_(output) {}

problem tracing::open(std::uint64_t ring_bytes, std::uint64_t sample) {
  if (options_.path.empty()) return {};
  events_ = trace::ring_events(ring_bytes);
  sample_ = sample;
  if (events_ == 0)
    return {kUsageStatus, "--trace needs memory for events, and RAMJET_TRACE_BYTES is 0: unset it"};
  if (problem p = sink_.open(options_.path, options_.bytes_max)) return p;
  read_clocks(clock_.ticks_at_start, started_ns_);
  next_ns_ = started_ns_ + kLookEveryNs;
  return {};
}

// How fast the ticks go, by the time since the start; from then on that holds.
void tracing::set_clock() {
  constexpr std::uint64_t kShortestNs = 5'000'000;
  if (clock_is_set_) return;
  clock_is_set_ = true;
  const std::uint64_t passed = base::now_ns() - started_ns_;
  if (passed < kShortestNs) ::usleep(unsigned((kShortestNs - passed) / 1000 + 1));
  std::uint64_t ticks = 0, ns = 0;
  read_clocks(ticks, ns);
  clock_.ns_per_tick = double(ns - started_ns_) / double(ticks - clock_.ticks_at_start);
}

// Once the ranks of a node have agreed on what lies where: all nodes have one layout, each its own
// object, and some are ready before others.
void tracing::find_rings() {
  if (ranks_found_ == memory_.ranks()) return;
  is_found_.resize(memory_.ranks());
  geometry layout;
  for (unsigned rank = 0; rank < memory_.ranks(); ++rank) {
    if (is_found_[rank]) continue;
    const node_memory& home = memory_.home_of(rank);
    if (!home.read_layout(layout)) continue;
    const std::uint64_t bytes = trace::port_bytes(events_);
    const std::uint64_t region =
        node_memory::region_offset<std::byte>(layout, trace::kRegionName, layout.ports * bytes);
    if (region == 0) continue;
    if (rings_.empty()) {
      writer_.begin({job_.command[0], memory_.ranks(), memory_.nodes(), layout.endpoints, sample_});
      writer_.reserve(options_.bytes_max / 2);
    }
    is_found_[rank] = true;
    ++ranks_found_;
    for (unsigned e = 0; e < layout.endpoints; ++e) {
      traced_ring ring;
      ring.port = rank * layout.endpoints + e;
      ring.rank = rank;
      ring.endpoint = e;
      ring.node = memory_.node_of(rank);
      ring.pid = memory_.line(rank).pid.load(std::memory_order_relaxed);
      offsets_.push_back(region + ring.port * bytes);
      rings_.push_back(std::move(ring));
    }
  }
}

std::uint64_t tracing::written_in(const traced_ring& ring) const {
  std::uint64_t written = 0;  // read by a system call: pairs: trace.events (acquire)
  const std::size_t index = std::size_t(&ring - rings_.data());
  memory_.node(ring.node).read(offsets_[index], std::as_writable_bytes(std::span(&written, 1)));
  return written;
}

void tracing::read_names(traced_ring& ring) {
  const node_memory& memory = memory_.node(ring.node);
  const std::uint64_t head = offsets_[std::size_t(&ring - rings_.data())];
  std::uint32_t bytes = 0;  // likewise: pairs: trace.names (acquire)
  memory.read(head + offsetof(trace::ring_head, name_bytes),
              std::as_writable_bytes(std::span(&bytes, 1)));
  if (bytes <= ring.name_bytes || bytes > trace::kNameBytesMax) return;
  std::string names(bytes, '\0');
  memory.read(head + trace::kNamesOffset, std::as_writable_bytes(std::span(names)));
  take_names(ring, names);
}

// Events before `first` are not told.
std::uint64_t tracing::drop_before(traced_ring& ring, std::uint64_t first) {
  if (first > ring.next) {
    ring.lost += first - ring.next;
    ring.next = first;
    writer_.note_gap(ring);
  }
  return ring.next;
}

void tracing::take_from(traced_ring& ring, bool at_end) {
  const node_memory& memory = memory_.node(ring.node);
  const std::uint64_t events = offsets_[std::size_t(&ring - rings_.data())] + trace::kEventsOffset;
  std::uint64_t written = written_in(ring);
  if (written <= ring.next) return;
  read_names(ring);
  const std::uint64_t margin = at_end ? 0 : kMargin;
  while (ring.next < written) {
    if (written + margin > events_) drop_before(ring, written + margin - events_);
    if (ring.next >= written) return;
    const std::uint64_t at = ring.next % events_;
    read_.resize(std::min<std::uint64_t>({written - ring.next, events_ - at, kPiece}));
    memory.read(events + at * sizeof(trace::event), std::as_writable_bytes(std::span(read_)));
    // What the owner has overwritten meanwhile is not what was there.
    const std::uint64_t now = at_end ? written : written_in(ring);
    const std::uint64_t oldest = now + margin > events_ ? now + margin - events_ : 0;
    std::span<const trace::event> good(read_);
    if (oldest > ring.next) {
      const auto gone = std::min<std::uint64_t>(oldest - ring.next, good.size());
      drop_before(ring, ring.next + gone);
      good = good.subspan(gone);
    }
    if (!at_end) {  // a handler that goes on is told when it has ended
      const auto open = std::find_if(good.begin(), good.end(), [](const trace::event& e) {
        return e.duration == trace::kOpen;
      });
      good = good.first(std::size_t(open - good.begin()));
      written = std::min(written, ring.next + good.size());
    }
    const std::size_t told = writer_.tell(ring, good, clock_);
    ring.next += told;
    if (told < good.size()) return;
  }
}

void tracing::take(std::uint64_t now_ns) {
  next_ns_ = now_ns + kLookEveryNs;
  find_rings();
  if (rings_.empty() || sink_.failed()) return;
  bool took = false;
  for (traced_ring& ring : rings_) {
    if (written_in(ring) - ring.next < events_ / 4) continue;
    set_clock();
    take_from(ring, false);
    took = true;
  }
  if (!took) return;
  const std::uint64_t done_ns = base::now_ns();
  next_ns_ = std::max(next_ns_, done_ns + (done_ns - now_ns) * (kShareOfTime - 1));
  say_if_failed();
  if (sink_.failed() || !sink_.has_room(options_.bytes_max / 2 + trace_writer::kEventBytesMax))
    next_ns_ = 0;  // the rest is for the end
}

void tracing::finish() {
  if (events_ == 0) return;
  next_ns_ = 0;
  find_rings();
  set_clock();
  if (rings_.empty()) {
    if (!sink_.failed())
      output_.say(text("the trace %s is empty: no rank has joined the job", sink_.path().c_str()));
    return;
  }
  const std::uint64_t end_bytes = trace_writer::end_bytes(rings_.size());
  writer_.reserve(end_bytes);
  // Each ring has its part of the room, for its latest events.
  std::size_t left = rings_.size();
  std::uint64_t lost = 0, told = 0;
  for (traced_ring& ring : rings_) {
    constexpr std::uint64_t kUsualBytes = 96;  // of an event in the file
    const std::uint64_t room = sink_.left() - std::min(sink_.left(), end_bytes);
    const std::uint64_t part = room / left-- / kUsualBytes;
    const std::uint64_t written = written_in(ring);
    if (written > part) drop_before(ring, written - part);
    take_from(ring, true);
    drop_before(ring, std::max(ring.next, written));
    told += ring.told;
    lost += ring.lost;
  }
  writer_.end(rings_, trace::kClockErrorNs, base::now_ns() - started_ns_);
  say_if_failed();
  if (lost == 0 || sink_.failed()) return;
  output_.say(
      text("the trace %s has the last of %llu events; %llu were overwritten, or are over "
           "--trace-limit; --trace-sample tells fewer",
           sink_.path().c_str(), static_cast<unsigned long long>(told + lost),
           static_cast<unsigned long long>(lost)));
}

void tracing::say_if_failed() {
  if (!sink_.failed() || failure_said_) return;
  failure_said_ = true;
  output_.say(text("cannot write the trace %s: %s; the job goes on, and the trace ends here",
                   sink_.path().c_str(), errno_text(sink_.error()).c_str()));
}

}  // namespace ramjet::launcher
