// SPDX-License-Identifier: Apache-2.0
#include "channel/faulty/lane_relay.hpp"

#include <bit>
#include <cstring>

#include "lane/bell.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

using detail::record_state;

lane_relay::lane_relay(const detail::lane& source, const detail::lane& target,
                       std::uint64_t ring_words, std::uint64_t payload_bytes)
    : source_(source), target_(target), ring_words_(ring_words), payload_bytes_(payload_bytes) {}

// Whether the header belongs to this lap of the position that is moved next.
bool lane_relay::is_new(std::uint64_t header) const {
  const std::uint8_t lap = detail::lap_at(moved_, unsigned(std::countr_zero(ring_words_)));
  return detail::lap_of(header) == lap && detail::state_of(header) != record_state::reply;
}

void lane_relay::copy_region(const detail::word* record, std::byte* to,
                             const std::byte* from) const {
  std::uint64_t packed;
  std::memcpy(&packed, static_cast<const void*>(record + 1), sizeof packed);
  const auto region = detail::descriptor::of(packed);
  RAMJET_CHECK(region.offset + region.bytes <= payload_bytes_,
               "a relayed payload lies outside its ring");
  std::memcpy(to + region.offset, from + region.offset, region.bytes);
}

void lane_relay::copy_record(std::uint64_t header) {
  detail::word* from = at(source_, moved_);
  detail::word* to = at(target_, moved_);
  const unsigned words = detail::words_of(header);
  const std::uint64_t in_line = moved_ % detail::kLineWords;
  RAMJET_CHECK(in_line + words <= detail::kLineWords, "a relayed record crosses its line");
  if (in_line == 0)
    for (unsigned head = 2; head < detail::kLineWords; head += 2)
      to[head].store(0, std::memory_order_relaxed);
  if (detail::state_of(header) == record_state::request) {
    std::memcpy(static_cast<void*>(to + 1), static_cast<const void*>(from + 1), (words - 1) * 8);
    if (header & detail::kExtended)
      copy_region(from, target_.request_payload, source_.request_payload);
  }
  to->store(header, std::memory_order_release);  // pairs: lane.request
  moved_ += words;
}

bool lane_relay::all_forward() const {
  return !is_new(at(source_, moved_)->load(std::memory_order_relaxed));
}

bool lane_relay::all_back() const {
  const std::uint64_t freed = target_.credit->freed.load(std::memory_order_relaxed);
  if (freed != source_.credit->freed.load(std::memory_order_relaxed)) return false;
  if (returned_ == moved_) return true;
  const std::uint64_t h = at(target_, returned_)->load(std::memory_order_relaxed);
  return detail::state_of(h) != record_state::reply;
}

unsigned lane_relay::forward(unsigned most) {
  unsigned records = 0;
  while (records < most) {
    const std::uint64_t h =
        at(source_, moved_)->load(std::memory_order_acquire);  // pairs: lane.request
    if (!is_new(h)) break;
    copy_record(h);
    ++records;
  }
  const std::uint64_t consumed =
      source_.consumed->reply_bytes.load(std::memory_order_acquire);  // pairs: am.reply_room
  // Requests may wait for room for their replies.
  const bool room = consumed != target_.consumed->reply_bytes.load(std::memory_order_relaxed);
  target_.consumed->reply_bytes.store(consumed, std::memory_order_release);  // pairs: am.reply_room
  // store-load: am.attended (sender)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const bool attended = target_.credit->attended.load(std::memory_order_relaxed) != 0;
  if ((records != 0 || room) && !attended) lane::ring(target_);
  return records;
}

void lane_relay::copy_answer(std::uint64_t position, std::uint64_t header) {
  detail::word* from = at(target_, position);
  detail::word* to = at(source_, position);
  std::memcpy(static_cast<void*>(to + 1), static_cast<const void*>(from + 1),
              (detail::words_of(header) - 1) * 8);
  if (header & detail::kExtended) copy_region(from, source_.reply_payload, target_.reply_payload);
  to->store(header, std::memory_order_release);  // pairs: lane.reply
}

// The credit word is read first: every answer before its head is visible then, so once the walk has
// passed head the word may be handed on.
unsigned lane_relay::backward(unsigned most) {
  const std::uint64_t freed =
      target_.credit->freed.load(std::memory_order_acquire);  // pairs: am.credit
  const auto head = std::uint32_t(freed);
  unsigned answers = 0;
  while (returned_ != moved_ && answers < most) {
    const std::uint64_t h =
        at(target_, returned_)->load(std::memory_order_acquire);  // pairs: lane.reply
    RAMJET_CHECK(returned_ % detail::kLineWords + detail::words_of(h) <= detail::kLineWords &&
                     detail::words_of(h) <= moved_ - returned_,
                 "a relayed answer is longer than its request");
    const bool consumed = std::int32_t(head - std::uint32_t(returned_)) > 0;
    if (detail::state_of(h) == record_state::reply) {
      copy_answer(returned_, h);
      ++answers;
    } else if (detail::state_of(h) == record_state::pad &&
               returned_ + detail::words_of(h) != moved_) {
      const std::uint64_t next = returned_ + detail::words_of(h);
      const std::uint64_t after =
          at(target_, next)->load(std::memory_order_acquire);  // pairs: lane.reply
      if (detail::state_of(after) != record_state::reply && !consumed) break;
    } else if (!consumed) {
      break;
    }
    returned_ += detail::words_of(h);
  }
  if (std::int32_t(std::uint32_t(returned_) - head) >= 0)
    source_.credit->freed.store(freed, std::memory_order_release);  // pairs: am.credit
  return answers;
}

}  // namespace ramjet::channel
