// SPDX-License-Identifier: Apache-2.0
// Payload rings: where medium messages stand while their handlers read them.
#include "am/payload.hpp"

#include "am/engine_cold.hpp"
#include "am/hold.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail {

void engine::mark_payload(peer& p, std::uint64_t record_end) noexcept {
  payload_marks& m = *p.marks;
  m.marks[m.last++ % payload_marks::kMost] = {record_end, p.payload_tail};
}

// Takes back the regions whose records are done with; whether a region of `bytes` fits now.
bool engine::payload_fits(peer& p, std::size_t bytes) {
  if (p.marks == nullptr) p.marks = new payload_marks;
  payload_marks& m = *p.marks;
  while (m.first != m.last && m.marks[m.first % payload_marks::kMost].record_end <= p.answered)
    p.payload_freed = m.marks[m.first++ % payload_marks::kMost].payload_end;
  return m.last - m.first < payload_marks::kMost &&
         region_start(p.payload_tail, bytes, p.payload_freed) + bytes - p.payload_freed <=
             payload_bytes_;
}

status engine::wait_for_payload(peer& p, std::size_t bytes) {
  RAMJET_CHECK(!is_.polling, "a handler may not send a request; it can reply, or chain");
  waiting w{.name = "request_medium (lane is full)",
            .target = int(p.rank),
            .any_death = any_death_ends(*parts_),
            .messages_only = true,
            .room_at = &p};
  return wait(w, [&] { return payload_fits(p, bytes); });
}

namespace {

// The descriptor of a record, which the peer wrote: read once.
descriptor descriptor_of(const word* w) {
  std::uint64_t d;
  std::memcpy(&d, static_cast<const void*>(w + 1), sizeof d);
  return descriptor::of(d);
}

bool inside_ring(const descriptor& r, std::uint64_t ring_bytes) {
  return r.offset % kCacheLineBytes == 0 && r.bytes <= kRegionBytesMax &&
         r.offset + r.bytes <= ring_bytes;
}

}  // namespace

std::uint64_t engine::pass_region(std::uint64_t& consumed, const descriptor& r) const noexcept {
  const std::uint64_t gap = (r.offset - consumed) & (payload_bytes_ - 1);
  const std::uint64_t passed = gap + round_up(r.bytes, kCacheLineBytes);
  consumed += passed;
  return passed;
}

engine::extent engine::open_request(peer& p, word* w, std::uint64_t header) {
  const std::size_t arguments = argument_bytes_of(header);
  if ((header & kExtended) == 0) return {reinterpret_cast<const std::byte*>(w + 1), nullptr, 0};
  const descriptor r = descriptor_of(w);
  const bool outside = (header & kArgumentsOutside) != 0;
  const std::size_t lead = outside ? round_up(arguments, 16) : 0;
  RAMJET_CHECK(inside_ring(r, payload_bytes_) && lead <= r.bytes,
               "a request's payload lies outside its ring");
  RAMJET_CHECK(outside || 2 + (arguments + 7) / 8 <= words_of(header),
               "a request's arguments do not fit its record");
  p.payload_unpublished += pass_region(p.payload_consumed, r);
  bump(p.out_lane.consumed->payload_taken, r.bytes);
  if (p.payload_unpublished >= credit_payload_) p.credit_at = 0;
  std::byte* start = p.in_lane.request_payload + r.offset;
  return {outside ? start : reinterpret_cast<const std::byte*>(w + 2), start + lead,
          r.bytes - lead};
}

engine::extent engine::open_reply(peer& p, word* w, std::uint64_t header) {
  if ((header & kExtended) == 0) return {reinterpret_cast<const std::byte*>(w + 1), nullptr, 0};
  const descriptor r = descriptor_of(w);
  const std::size_t lead = round_up(argument_bytes_of(header), 16);
  RAMJET_CHECK(inside_ring(r, payload_bytes_) && lead <= r.bytes,
               "a reply's payload lies outside its ring");
  std::byte* start = p.out_lane.reply_payload + r.offset;
  pass_region(p.reply_consumed, r);
  bump(p.out_lane.consumed->payload_taken, r.bytes);
  return {start, start + lead, r.bytes - lead};
}

void engine::close_reply(peer& p) {
  p.out_lane.consumed->reply_bytes.store(p.reply_consumed,
                                         std::memory_order_release);  // pairs: am.reply_room
  ring_if_needed(p);  // the peer may sleep on requests that it could not run
}

// Whether the longest reply fits the reply payload ring; a request is not run before it does, so a
// reply never waits. Replies are always consumed, whatever else is full: no cycle can form. Those
// to an endpoint that has died or closed are read by nobody, and may be written over.
bool engine::find_reply_room(peer& p) {
  if (parts_->holds && is_held(*this, p)) return false;
  const bool is_gone = (p.blocked & kDead) != 0 || has_closed(p);
  const std::uint64_t consumed = is_gone ? p.reply_tail
                                         : p.in_lane.consumed->reply_bytes.load(
                                               std::memory_order_acquire);  // pairs: am.reply_room
  RAMJET_CHECK(consumed <= p.reply_tail, "a peer consumed replies that were never sent");
  p.reply_freed = consumed;
  const std::uint64_t end = region_start(p.reply_tail, kRegionBytesMax, consumed) + kRegionBytesMax;
  const bool fits = end - consumed <= payload_bytes_;
  p.reply_room = fits && !parts_->holds;  // an engine that holds looks at each request
  return fits;
}

}  // namespace ramjet::detail
