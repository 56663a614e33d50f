// SPDX-License-Identifier: Apache-2.0
// Payload rings: where medium messages stand while their handlers look at them.
#include "am/payload.hpp"

#include "ramjet/detail/engine.hpp"

namespace ramjet::detail {

bool engine::marks_free(const peer& p) noexcept {
  return p.marks->last - p.marks->first < payload_marks::kMost;
}

void engine::mark_payload(peer& p, std::uint64_t record_end) noexcept {
  payload_marks& m = *p.marks;
  m.marks[m.last++ % payload_marks::kMost] = {record_end, p.payload_tail};
}

// Takes back the regions whose records are done with. ok if `bytes` fit now, else retry.
status engine::free_payload(peer& p, std::size_t bytes) {
  if (p.marks == nullptr) p.marks = new payload_marks;
  payload_marks& m = *p.marks;
  while (m.first != m.last && m.marks[m.first % payload_marks::kMost].record_end <= p.answered)
    p.payload_freed = m.marks[m.first++ % payload_marks::kMost].payload_end;
  return payload_fits(p, bytes) ? status::ok : status::retry;
}

status engine::wait_for_payload(peer& p, std::size_t bytes) {
  if (free_payload(p, bytes) == status::ok) return status::ok;
  RAMJET_CHECK(!polling_, "a handler may not send a request; it can reply, or chain");
  waiting w{"request_medium (the way there is full)", int(p.rank), false, true};
  return wait(w, [&] { return free_payload(p, bytes) == status::ok; });
}

// Finds a request's payload and arguments behind its descriptor, which the peer wrote.
void engine::open_payload(peer& p, delivery& d, word* w) {
  std::uint64_t descriptor;
  std::memcpy(&descriptor, static_cast<const void*>(w + 1), sizeof descriptor);
  const std::uint64_t offset = std::uint32_t(descriptor), bytes = descriptor >> 32;
  const std::size_t arguments = argument_bytes_of(d.header);
  const bool outside = (d.header & kArgumentsOutside) != 0;
  const std::size_t lead = outside ? round_up(arguments, 16) : 0;
  RAMJET_CHECK(offset % kCacheLineBytes == 0 && offset + bytes <= payload_bytes_ &&
                   bytes <= kRegionBytesMax && lead <= bytes &&
                   (outside || 2 + (arguments + 7) / 8 <= words_of(d.header)),
               "a request's payload lies outside its ring");
  std::byte* region = p.in_lane.request_payload + offset;
  d.arguments = outside ? region : reinterpret_cast<std::byte*>(w + 2);
  d.payload = region + lead;
  d.payload_bytes = bytes - lead;
  p.payload_unpublished += bytes;
}

// A reply that did not fit its request's record stands in the reply payload ring.
void engine::deliver_extended_reply(peer& p, delivery& d, word* w, const handler_entry& entry) {
  std::uint64_t descriptor;
  std::memcpy(&descriptor, static_cast<const void*>(w + 1), sizeof descriptor);
  const std::uint64_t offset = std::uint32_t(descriptor), bytes = descriptor >> 32;
  const std::size_t lead = round_up(argument_bytes_of(d.header), 16);
  RAMJET_CHECK(offset % kCacheLineBytes == 0 && offset + bytes <= payload_bytes_ &&
                   bytes <= kRegionBytesMax && lead <= bytes,
               "a reply's payload lies outside its ring");
  std::byte* region = p.out_lane.reply_payload + offset;
  d.arguments = region;
  d.payload = region + lead;
  d.payload_bytes = bytes - lead;
  entry.run(d);
  const std::uint64_t gap = (offset - p.reply_consumed) & (payload_bytes_ - 1);
  p.reply_consumed += gap + round_up(bytes, kCacheLineBytes);
  p.out_lane.consumed->reply_bytes.store(p.reply_consumed,
                                         std::memory_order_release);  // pairs: am.reply_room
}

// Whether the longest reply fits the reply payload ring; a request is not run before it does, so a
// reply never waits. Replies are always consumed, whatever else is full: no cycle can form.
bool engine::find_reply_room(peer& p) {
  const std::uint64_t consumed =
      p.in_lane.consumed->reply_bytes.load(std::memory_order_acquire);  // pairs: am.reply_room
  RAMJET_CHECK(consumed <= p.reply_tail, "a peer consumed replies that were never sent");
  const std::uint64_t end = region_start(p.reply_tail, kRegionBytesMax) + kRegionBytesMax;
  return p.reply_room = end - consumed <= payload_bytes_;
}

}  // namespace ramjet::detail
