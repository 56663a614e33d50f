// SPDX-License-Identifier: Apache-2.0
#include "channel/net/mirror.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

using detail::descriptor;
using detail::kExtended;
using detail::kLineWords;
using detail::record_state;
using detail::state_of;
using detail::words_of;

namespace {

constexpr std::size_t kRecordRoom = sizeof(frame_head) + kLineWords * 8 + outbox::kLong;

std::uint64_t word_at(const detail::word* w) {
  std::uint64_t value;
  std::memcpy(&value, static_cast<const void*>(w), sizeof value);
  return value;
}

// How many words of records the outbox has room for, a short region included.
std::uint64_t words_that_fit(const outbox& out) {
  if (out.room() < kRecordRoom) return 0;
  return std::min<std::uint64_t>(
      (out.room() - sizeof(frame_head) - outbox::kLong) / sizeof(detail::word), kFrameWordsMax);
}

bool region_is_inside(const descriptor& r, std::uint64_t ring_bytes) {
  return r.bytes <= detail::kRegionBytesMax && r.offset <= ring_bytes &&
         r.bytes <= ring_bytes - r.offset;
}

void put_run(outbox& out, frame_kind kind, const detail::word* from, std::uint64_t position,
             std::uint64_t words, bool extended) {
  out.put(frame_head{std::uint8_t(kind), std::uint8_t(extended), std::uint16_t(words),
                     std::uint32_t(position)});
  out.put(static_cast<const void*>(from), words * sizeof(detail::word));
}

void put_region(outbox& out, const detail::word* record, const std::byte* ring) {
  const descriptor r = descriptor::of(word_at(record + 1));
  out.put_region(ring + r.offset, r.bytes);
}

}  // namespace

// --- Invariants ----------------------------------------------------------------------------------

void source_mirror::audit() const {
  RAMJET_CHECK(moved_ % 2 == 0 && last_ <= moved_, "what is collected ends at a granule");
  const bool holds_one = held_ != nullptr;
  RAMJET_CHECK(!holds_one || state_of(held_header_) == record_state::reply,
               "what waits for its region at the sender is an answer");
}

void target_mirror::audit() const {
  RAMJET_CHECK(moved_ % 2 == 0 && returned_ % 2 == 0, "records begin at granules");
  RAMJET_CHECK(returned_ <= moved_ && moved_ - returned_ <= shape_.ring_words,
               "returned <= moved <= returned + ring");
  RAMJET_CHECK(std::int32_t(std::uint32_t(moved_) - std::uint32_t(freed_)) >= 0,
               "head <= moved: credit is returned for what has come");
  const bool holds_one = held_ != nullptr;
  RAMJET_CHECK(!holds_one || held_ == at(moved_), "what waits for its region comes next");
}

// --- The sender's half ---------------------------------------------------------------------------

bool source_mirror::all_collected() const {
  const std::uint64_t h = at(moved_)->load(std::memory_order_relaxed);
  return detail::lap_of(h) !=
             detail::lap_at(moved_, unsigned(std::countr_zero(shape_.ring_words))) ||
         state_of(h) == record_state::reply;
}

unsigned source_mirror::collect(outbox& out) {
  const auto shift = unsigned(std::countr_zero(shape_.ring_words));
  unsigned records = 0;
  for (std::uint64_t most; (most = words_that_fit(out)) != 0;) {
    std::uint64_t end = moved_;
    bool extended = false;
    const std::uint64_t ring_end = (moved_ | (shape_.ring_words - 1)) + 1;
    while (!extended && end < ring_end && end + kLineWords <= moved_ + most) {
      const std::uint64_t h = at(end)->load(std::memory_order_acquire);  // pairs: lane.request
      if (detail::lap_of(h) != detail::lap_at(end, shift) || state_of(h) == record_state::reply)
        break;
      extended = state_of(h) == record_state::request && (h & kExtended) != 0;
      records += state_of(h) == record_state::request;
      end += words_of(h);
      if (extended) last_ = end - words_of(h);
    }
    if (end == moved_) break;
    put_run(out, frame_kind::records, at(moved_), moved_, end - moved_, extended);
    if (extended) put_region(out, at(last_), lane_.request_payload);
    moved_ = end;
  }
  const std::uint64_t consumed =
      lane_.consumed->reply_bytes.load(std::memory_order_acquire);  // pairs: am.reply_room
  if (consumed != consumed_ && out.room() >= sizeof(frame_head) + sizeof consumed) {
    out.put(frame_head{std::uint8_t(frame_kind::consumed), 0, 0, 0});
    out.put(consumed);
    consumed_ = consumed;
  }
  return records;
}

const char* source_mirror::apply_answers(const frame_head& head, const frame_body& words,
                                         landing& region) {
  const std::uint64_t back = std::uint32_t(std::uint32_t(moved_) - head.position);
  if (back > shape_.ring_words || back > moved_ || head.words > back)
    return "answers to what was never sent";
  const std::uint64_t start = moved_ - back;
  for (std::uint64_t i = 0; i < head.words;) {
    const std::uint64_t h = words.word(i);
    const unsigned n = words_of(h);
    const std::uint64_t in_line = (start + i) % kLineWords;
    if (in_line + n > kLineWords || i + n > head.words) return "an answer longer than its line";
    detail::word* to = at(start + i);
    const std::uint64_t mine = to->load(std::memory_order_relaxed);
    const bool same_place = ((mine ^ h) & detail::kLapAndLength) == 0;
    if (state_of(h) == record_state::reply) {
      if (!same_place || state_of(mine) != record_state::request) return "an answer to no request";
      std::memcpy(static_cast<void*>(to + 1), words.at(i + 1), (n - 1) * sizeof(detail::word));
      if ((h & kExtended) != 0) {
        const descriptor r = descriptor::of(words.word(i + 1));
        if (head.extended == 0 || i + n != head.words || !region_is_inside(r, shape_.payload_bytes))
          return "an answer's payload lies outside its ring";
        held_ = to;
        held_header_ = h;
        region = {lane_.reply_payload + r.offset, r.bytes};
        return nullptr;
      }
      to->store(h, std::memory_order_release);  // pairs: lane.reply
    } else if (state_of(h) != record_state::pad || !same_place) {
      return "an answer of no known form";
    }
    i += n;
  }
  return head.extended != 0 ? "an answer without its payload" : nullptr;
}

void source_mirror::commit_region() {
  held_->store(held_header_, std::memory_order_release);  // pairs: lane.reply
  held_ = nullptr;
}

// `clean` stands still in a lane whose requests nobody answers, and may be of any age.
const char* source_mirror::apply_credit(std::uint64_t freed) {
  const auto head = std::uint32_t(freed);
  const auto clean = std::uint32_t(freed >> 32);
  if (std::int32_t(head - std::uint32_t(moved_)) > 0 || head % 2 != 0 || clean % 2 != 0)
    return "credit for what was never sent";
  lane_.credit->freed.store(freed, std::memory_order_release);  // pairs: am.credit
  return nullptr;
}

// --- The receiver's half -------------------------------------------------------------------------

const char* target_mirror::apply_records(const frame_head& head, const frame_body& words,
                                         landing& region) {
  const auto shift = unsigned(std::countr_zero(shape_.ring_words));
  const std::uint64_t ring_end = (moved_ | (shape_.ring_words - 1)) + 1;
  if (head.position != std::uint32_t(moved_) || head.words == 0 || moved_ + head.words > ring_end ||
      moved_ + head.words - returned_ > shape_.ring_words)
    return "records at a position that is not free";
  for (std::uint64_t i = 0; i < head.words;) {
    const std::uint64_t h = words.word(i);
    const unsigned n = words_of(h);
    const std::uint64_t in_line = moved_ % kLineWords;
    const bool request = state_of(h) == record_state::request;
    if (in_line + n > kLineWords || i + n > head.words || (moved_ & 1) != 0 ||
        detail::lap_of(h) != detail::lap_at(moved_, shift) ||
        (!request && state_of(h) != record_state::pad))
      return "a record of no known form";
    detail::word* to = at(moved_);
    if (in_line == 0)
      for (unsigned granule = 2; granule < kLineWords; granule += 2)
        to[granule].store(0, std::memory_order_relaxed);
    if (request)
      std::memcpy(static_cast<void*>(to + 1), words.at(i + 1), (n - 1) * sizeof(detail::word));
    i += n;
    if (request && (h & kExtended) != 0) {
      const descriptor r = descriptor::of(words.word(i - n + 1));
      if (head.extended == 0 || i != head.words || !region_is_inside(r, shape_.payload_bytes))
        return "a payload outside its ring";
      held_ = to;
      held_header_ = h;
      region = {lane_.request_payload + r.offset, r.bytes};
      return nullptr;
    }
    to->store(h, std::memory_order_release);  // pairs: lane.request
    moved_ += n;
  }
  return head.extended != 0 ? "a record without its payload" : nullptr;
}

void target_mirror::commit_region() {
  held_->store(held_header_, std::memory_order_release);  // pairs: lane.request
  moved_ += words_of(held_header_);
  held_ = nullptr;
}

const char* target_mirror::apply_consumed(std::uint64_t bytes) {
  if (bytes < lane_.consumed->reply_bytes.load(std::memory_order_relaxed))
    return "replies that were given back twice";
  lane_.consumed->reply_bytes.store(bytes, std::memory_order_release);  // pairs: am.reply_room
  return nullptr;
}

bool target_mirror::all_collected() const {
  if (lane_.credit->freed.load(std::memory_order_relaxed) != freed_) return false;
  return returned_ == moved_ ||
         state_of(at(returned_)->load(std::memory_order_relaxed)) != record_state::reply;
}

// Whether the unanswered record may be left behind: it was consumed, or it fills up a line before
// an answer.
bool target_mirror::may_pass(std::uint64_t position, std::uint64_t header,
                             std::uint32_t head) const {
  if (std::int32_t(head - std::uint32_t(position)) > 0) return true;
  const std::uint64_t next = position + words_of(header);
  if (state_of(header) != record_state::pad || next == moved_) return false;
  return state_of(at(next)->load(std::memory_order_acquire)) ==  // pairs: lane.reply
         record_state::reply;
}

// The credit word is read first: every answer before its head is visible then, so once the walk has
// passed head the word may be sent on.
unsigned target_mirror::collect(outbox& out) {
  const std::uint64_t freed =
      lane_.credit->freed.load(std::memory_order_acquire);  // pairs: am.credit
  const auto head = std::uint32_t(freed);
  unsigned answers = 0;
  std::uint64_t start = returned_;  // of the run of answers and pads that is not yet in the outbox
  std::uint64_t most = words_that_fit(out);
  const auto put = [&](bool extended) {
    if (start != returned_)
      put_run(out, frame_kind::answers, at(start), start, returned_ - start, extended);
    start = returned_;
  };
  while (returned_ != moved_) {
    if (returned_ - start + kLineWords > most) {
      put(false);
      most = words_that_fit(out);
      if (most == 0) break;
    }
    const std::uint64_t h = at(returned_)->load(std::memory_order_acquire);  // pairs: lane.reply
    const unsigned n = words_of(h);
    if (state_of(h) == record_state::reply) {
      const bool extended = (h & kExtended) != 0;
      const detail::word* record = at(returned_);
      ++answers;
      returned_ += n;
      if (extended) {
        put(true);
        put_region(out, record, lane_.reply_payload);
      }
    } else if (may_pass(returned_, h, head)) {
      if (state_of(h) == record_state::pad && returned_ != start) {
        returned_ += n;  // travels along
      } else {
        put(false);
        start = returned_ += n;
      }
    } else {
      break;
    }
    if (returned_ == start || (returned_ & (shape_.ring_words - 1)) == 0) {
      put(false);
      most = words_that_fit(out);
    }
  }
  put(false);
  const bool passed = std::int32_t(std::uint32_t(returned_) - head) >= 0;
  if (passed && freed != freed_ && out.room() >= sizeof(frame_head) + sizeof freed) {
    out.put(frame_head{std::uint8_t(frame_kind::credit), 0, 0, 0});
    out.put(freed);
    freed_ = freed;
  }
  return answers;
}

}  // namespace ramjet::channel
