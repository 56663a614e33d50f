// SPDX-License-Identifier: Apache-2.0
#include "trace/file/taker.hpp"

#include <algorithm>
#include <string_view>

#include "base/clock.hpp"
#include "trace/ticks.hpp"

namespace ramjet::trace {

namespace {

constexpr std::size_t kPiece = 16 * 1024;  // events read at once

// Events that an owner may be writing.
constexpr std::uint64_t margin_of(ring_life life) { return life == ring_life::ended ? 0 : 64; }

}  // namespace

clock_pair read_clocks() {
  clock_pair best;
  std::uint64_t fastest = ~std::uint64_t{0};
  for (unsigned i = 0; i < 32; ++i) {
    const std::uint64_t before = ticks_now();
    const std::uint64_t now = base::now_ns();
    const std::uint64_t after = ticks_now();
    if (after - before >= fastest) continue;
    fastest = after - before;
    best = {before + (after - before) / 2, now};
  }
  return best;
}

bool event_taker::find(const report::node_memory& memory, unsigned node, unsigned& endpoints) {
  node::geometry layout;
  if (!memory.read_layout(layout)) return false;
  const std::uint64_t bytes = port_bytes(events_);
  const std::uint64_t region =
      report::node_memory::region_offset<std::byte>(layout, kRegionName, layout.ports * bytes);
  if (region == 0) return false;
  endpoints = layout.endpoints;
  for (unsigned port = 0; port < memory.ranks() * layout.endpoints; ++port) {
    const unsigned rank = port / layout.endpoints;
    if (!memory.is_home_of(rank)) continue;
    traced_ring ring;
    ring.memory = &memory;
    ring.offset = region + port * bytes;
    ring.port = port;
    ring.rank = rank;
    ring.endpoint = port % layout.endpoints;
    ring.node = node;
    ring.pid = memory.line(rank).pid.load(std::memory_order_relaxed);
    rings_.push_back(std::move(ring));
  }
  return true;
}

std::uint64_t event_taker::written_in(const traced_ring& ring) const {
  std::uint64_t written = 0;  // read by a system call: pairs: trace.events (acquire)
  ring.memory->read(ring.offset, std::as_writable_bytes(std::span(&written, 1)));
  return written;
}

void event_taker::read_names(traced_ring& ring) {
  std::uint32_t bytes = 0;  // likewise: pairs: trace.names (acquire)
  ring.memory->read(ring.offset + offsetof(ring_head, name_bytes),
                    std::as_writable_bytes(std::span(&bytes, 1)));
  if (bytes <= ring.name_bytes || bytes > kNameBytesMax) return;
  std::string names(bytes, '\0');
  ring.memory->read(ring.offset + kNamesOffset, std::as_writable_bytes(std::span(names)));
  take_names(ring, std::string_view(names).substr(ring.name_bytes));
}

void event_taker::drop_before(traced_ring& ring, std::uint64_t first) {
  if (first <= ring.next) return;
  ring.lost += first - ring.next;
  ring.next = first;
  store_.note_gap(ring);
}

// The next events, without those that the owner may have overwritten while they were read. In a
// ring that is read again, a handler that goes on is told when it has ended: where one is met,
// `written` ends before it.
std::span<const event> event_taker::read_events(traced_ring& ring, std::uint64_t& written,
                                                ring_life life) {
  const std::uint64_t margin = margin_of(life);
  const std::uint64_t at = ring.next % events_;
  read_.resize(std::min<std::uint64_t>({written - ring.next, events_ - at, kPiece}));
  ring.memory->read(ring.offset + kEventsOffset + at * sizeof(event),
                    std::as_writable_bytes(std::span(read_)));
  const std::uint64_t now = life == ring_life::ended ? written : written_in(ring);
  const std::uint64_t oldest = now + margin > events_ ? now + margin - events_ : 0;
  std::span<const event> good(read_);
  if (oldest > ring.next) {
    const auto gone = std::min<std::uint64_t>(oldest - ring.next, good.size());
    drop_before(ring, ring.next + gone);
    good = good.subspan(gone);
  }
  if (life != ring_life::runs) return good;
  const auto open =
      std::find_if(good.begin(), good.end(), [](const event& e) { return e.duration == kOpen; });
  good = good.first(std::size_t(open - good.begin()));
  written = std::min(written, ring.next + good.size());
  return good;
}

void event_taker::take_from(traced_ring& ring, ring_life life) {
  std::uint64_t written = written_in(ring);
  if (written <= ring.next) return;
  read_names(ring);
  const std::uint64_t margin = margin_of(life);
  while (ring.next < written) {
    if (written + margin > events_) drop_before(ring, written + margin - events_);
    if (ring.next >= written) return;
    const std::span<const event> good = read_events(ring, written, life);
    const std::size_t taken = store_.take(ring, good);
    ring.next += taken;
    if (taken < good.size()) return;
  }
}

bool event_taker::take_filled(unsigned part) {
  bool took = false;
  for (traced_ring& ring : rings_) {
    const std::uint64_t news = written_in(ring) - ring.next;
    if (news == 0 || (part != 0 && news < events_ / part)) continue;
    take_from(ring, ring_life::runs);
    took = true;
  }
  return took;
}

}  // namespace ramjet::trace
