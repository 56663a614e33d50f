// SPDX-License-Identifier: Apache-2.0
// One endpoint's writer of its ring (ring.hpp). There is one while the job is traced; all else of
// the library sees a null pointer, on paths that are cold without a trace.
//
// Threads: the endpoint's own.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.hpp"
#include "ramjet/detail/base/cpu.hpp"
#include "trace/ring.hpp"
#include "trace/ticks.hpp"

namespace ramjet::trace {

// Of each endpoint's ring in a job of `ranks` ranks, by the settings; 0: there is no trace.
std::uint64_t ring_bytes(const base::settings& given, unsigned ranks);

class recorder {
 public:
  // The port's; null where the job, of `ranks` ranks, is not traced.
  static std::unique_ptr<recorder> open(unsigned port, unsigned ranks);
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  // Whether the messages in this line of their lane, counted from its start, are told: the same at
  // both ends.
  bool samples(std::uint64_t line) const noexcept {
    return std::uint32_t(line) * 0x9e3779b1u <= sampled_;
  }

  void add(kind what, unsigned peer, std::uint16_t name, std::uint64_t about,
           std::uint64_t bytes) noexcept {
    append({ticks_now(), 0, about, std::uint32_t(bytes), name, event::pack(peer, what)});
  }
  // A handler begins; until end_handler it is the open one.
  void begin_handler(kind what, unsigned peer, std::uint16_t name, std::uint64_t position,
                     std::uint64_t bytes) noexcept {
    append({ticks_now(), kOpen, position, std::uint32_t(bytes), name, event::pack(peer, what)});
    handler_ = written_ - 1;
  }
  void note_reply() noexcept {
    if (written_ - handler_ <= mask_) events_[handler_ & mask_].what |= kAnswered;
  }
  // `next_follows`: the next one is there, and its beginning is this one's end, for reading the
  // clock is most of what an event costs.
  void end_handler(bool next_follows) noexcept {
    if (next_follows && sampled_ == kAll)
      ends_by_next_ = true;
    else
      close_handler(ticks_now());
  }

  // Handlers have the first numbers: requests', then replies'.
  std::uint16_t handler_name(unsigned index, bool reply) const noexcept {
    return std::uint16_t(index + (reply ? requests_ : 0));
  }
  // Messages of the trace's own (am/trace_gather.cpp), by handler_name's number, are not told.
  bool tells(std::uint16_t handler) const noexcept { return untold_[handler] == 0; }
  void name_handlers(unsigned requests, unsigned replies, const char* (*name)(unsigned, bool));
  // Of a wait or a collective.
  std::uint16_t name_of(std::string_view text);
  // Whether a handler is of the trace's own.
  static bool is_own(std::string_view handler) noexcept {
    return handler.find("::trace_gathering::") != handler.npos;
  }

  bool tells_waits = true;  // false while the trace's own messages are waited for
  std::uint64_t tag = 0;  // of the latest collective: team << 32 | call_tag

 private:
  recorder(ring_head* head, std::uint64_t events, std::uint64_t sample);
  void append(const event& e) noexcept {
    if (ends_by_next_) close_handler(e.begin);
    events_[written_ & mask_] = e;
    detail::prefetch_write(&events_[(written_ + kAhead) & mask_]);
    head_->written.store(++written_, std::memory_order_release);  // pairs: trace.events
  }
  void close_handler(std::uint64_t now) noexcept {
    ends_by_next_ = false;
    event& e = events_[handler_ & mask_];
    if (written_ - handler_ <= mask_) e.duration = now - e.begin;  // else it is overwritten
  }
  std::uint16_t add_name(std::string_view text);

  ring_head* const head_;
  event* const events_;
  const std::uint64_t mask_;
  std::uint64_t written_ = 0;
  std::uint64_t handler_ = 0;  // number of the latest handler's event
  bool ends_by_next_ = false;
  static constexpr std::uint64_t kAhead = 16;  // the line is here when its turn comes
  static constexpr std::uint32_t kAll = ~std::uint32_t{0};
  std::uint32_t sampled_ = kAll;  // of all hashes those up to this
  unsigned requests_ = 0;
  std::vector<std::uint8_t> untold_;  // of all handlers
  std::map<std::string, std::uint16_t, std::less<>> names_;  // but handlers'
};

}  // namespace ramjet::trace
