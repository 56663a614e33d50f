// SPDX-License-Identifier: Apache-2.0
// The engine's sending half, inlined: records, answers, and the lines and payload rings that they
// stand in. Part of engine.hpp.
#pragma once

#include "ramjet/detail/am/engine.hpp"
#include "ramjet/detail/base/probe.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

template <bool Wait, class Pack>
RAMJET_INLINE status engine::post(peer& p, unsigned handler, std::size_t argument_bytes,
                                  Pack&& pack, const void* payload, std::size_t payload_bytes) {
  RAMJET_DCHECK(!Wait || !is_.polling, "a handler may not send a request; it can reply, or chain");
  const bool inside = inline_words(argument_bytes, payload_bytes) <= kLineWords;
  const std::size_t region = payload_bytes + (inside ? 0 : round_up(argument_bytes, 16));
  const unsigned words = inside ? round_up(inline_words(argument_bytes, payload_bytes), 2) : 2;
  for (;;) {
    if (p.tail + words > p.line_end) [[unlikely]] {
      const record_size size{words, unsigned(region), argument_bytes + payload_bytes};
      if (status s = open_line<Wait>(p, size, handler); s != status::ok)
        return s;
    } else if (region == 0 || payload_fits(p, region)) {
      break;
    } else if (!Wait) {
      return status::retry;
    } else if (status s = wait_for_payload(p, region); s != status::ok) {
      return s;
    }
  }
  const std::uint64_t at = p.tail;
  word* w = p.out + (at & mask_);
  std::uint64_t header =
      make_header(lap(at), record_state::request, words, handler, argument_bytes);
  std::byte* arguments = reinterpret_cast<std::byte*>(w + 1);
  if (region != 0) {
    const std::uint64_t offset = take_payload(p, region, at + words);
    std::byte* to = p.out_lane.request_payload + offset;
    header |= kExtended;
    put_word(w + 1, descriptor{offset, region}.packed());
    arguments = inside ? reinterpret_cast<std::byte*>(w + 2) : to;
    if (!inside) header |= kArgumentsOutside;
    if (payload_bytes != 0) std::memcpy(to + (region - payload_bytes), payload, payload_bytes);
  }
  pack(arguments);
  RAMJET_PROBE(send, "4@%[to] 8@%[header]", [to] "m"(p.rank), [header] "r"(header));
  w->store(header, std::memory_order_release);  // pairs: lane.request
  p.tail = at + words;
  bump(p.count->requests_sent);
  if (!is_attended(p)) [[unlikely]]
    ring_for_request(p);
  if (region != 0) touch_ahead(p.out_lane.request_payload, p.payload_tail, region, p.payload_freed);
  return status::ok;
}

template <class Pack>
RAMJET_INLINE void engine::answer(peer& p, word* w, std::uint64_t request, unsigned handler,
                                  std::size_t argument_bytes, Pack&& pack, const void* payload,
                                  std::size_t payload_bytes) {
  if (owes_credit(p)) publish(p);
  const unsigned words = words_of(request);
  std::uint64_t header = make_answer(request, handler, argument_bytes);
  if (payload_bytes == 0 && 1 + (argument_bytes + 7) / 8 <= words) {
    pack(reinterpret_cast<std::byte*>(w + 1));
  } else {
    const std::size_t lead = round_up(argument_bytes, 16);
    const std::uint64_t offset = take_reply_payload(p, lead + payload_bytes);
    std::byte* to = p.in_lane.reply_payload + offset;
    put_word(w + 1, descriptor{offset, lead + payload_bytes}.packed());
    header |= kExtended | kArgumentsOutside;
    pack(to);
    if (payload_bytes != 0) std::memcpy(to + lead, payload, payload_bytes);
  }
  p.clean = p.head + words;
  p.credit_at = p.clean + credit_words_;
  bump(p.count->replies_sent);
  if ((request & kExtended) == 0) {
    w->store(header, std::memory_order_release);  // pairs: lane.reply
    ring_if_needed(p);
  } else {  // a reply gives the request's payload back, and its handler may yet read it
    withheld_ = header;
  }
  if (payload_bytes != 0)
    touch_ahead(p.in_lane.reply_payload, p.reply_tail, payload_bytes, p.reply_freed);
}

template <bool Wait>
RAMJET_INLINE status engine::open_line(peer& p, record_size size, std::uint64_t handler) {
  const std::uint64_t from = p.tail;
  const std::uint64_t start = (from + kLineWords - 1) & ~std::uint64_t{kLineWords - 1};
  if (start + kLineWords > p.limit) [[unlikely]]
    return Wait ? make_room(p, size, handler) : room_now(p, size, handler);
  if (from != start) {
    (p.out + (from & mask_))
        ->store(make_header(lap(from), record_state::pad, unsigned(start - from), 0, 0),
                std::memory_order_release);  // pairs: lane.request
  }
  if (start + ahead_words_ / 2 >= p.opened) [[unlikely]]
    zero_ahead(p, start);
  p.tail = start;
  p.line_end = start + kLineWords;
  return status::ok;
}

inline void engine::zero_ahead(peer& p, std::uint64_t start) noexcept {
  const std::uint64_t from = p.opened > start ? p.opened : start;
  const std::uint64_t end = from + ahead_words_ < p.limit ? from + ahead_words_ : p.limit;
  for (std::uint64_t at = from; at + kLineWords <= end; at += kLineWords) {
    word* line = p.out + (at & mask_);
    line[2].store(0, std::memory_order_relaxed);
    line[4].store(0, std::memory_order_relaxed);
    line[6].store(0, std::memory_order_relaxed);
    p.opened = at + kLineWords;
  }
}

RAMJET_INLINE std::uint64_t engine::region_start(std::uint64_t tail, std::size_t bytes,
                                                 std::uint64_t freed) const noexcept {
  const std::uint64_t offset = tail & (payload_bytes_ - 1);
  const std::uint64_t again = tail + (payload_bytes_ - offset);
  if (offset + bytes > payload_bytes_) return again;
  const bool warm = offset >= kWarmBytes && bytes <= kTouchedMax;
  return warm && again + bytes - freed <= payload_bytes_ ? again : tail;
}

RAMJET_INLINE std::uint64_t engine::take_payload(peer& p, std::size_t bytes,
                                                 std::uint64_t record_end) {
  const std::uint64_t start = region_start(p.payload_tail, bytes, p.payload_freed);
  p.payload_tail = start + round_up(bytes, kCacheLineBytes);
  mark_payload(p, record_end);
  return start & (payload_bytes_ - 1);
}

RAMJET_INLINE std::uint64_t engine::take_reply_payload(peer& p, std::size_t bytes) {
  const std::uint64_t start = region_start(p.reply_tail, bytes, p.reply_freed);
  p.reply_tail = start + round_up(bytes, kCacheLineBytes);
  p.reply_room = false;
  return start & (payload_bytes_ - 1);
}

RAMJET_INLINE void engine::touch_ahead(std::byte* ring, std::uint64_t tail, std::size_t bytes,
                                       std::uint64_t freed) const noexcept {
  const std::uint64_t start = region_start(tail, bytes, freed);
  if (bytes > kTouchedMax || start + bytes - freed > payload_bytes_) return;
  std::byte* const region = ring + (start & (payload_bytes_ - 1));
  for (std::size_t at = 0; at < bytes; at += kCacheLineBytes)
    *reinterpret_cast<volatile std::byte*>(region + at) = std::byte{0};
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
