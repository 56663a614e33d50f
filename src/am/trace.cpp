// SPDX-License-Identifier: Apache-2.0
#include "am/trace.hpp"

#include <vector>

#include "am/runtime.hpp"
#include "job/join.hpp"

namespace ramjet::detail {

namespace {

using trace::kind;
using trace::recorder;

// The same in all engines of the process. Never destroyed, as the tables that they stand for.
struct traced_tables {
  std::vector<handler_entry> requests, replies;
};

// The handlers' own functions, in place of which the engine runs `run`.
std::vector<handler_entry> traced(const handler_table& own, thunk run, bool replies) {
  std::vector<handler_entry> entries;
  for (unsigned i = 0; i < own.count; ++i) {
    entries.push_back(own.entries[i]);
    if (!recorder::is_own(handler_name(i, replies))) entries.back().run = run;
  }
  return entries;
}

// The message at this position of its lane; the same at both ends.
bool is_told(const recorder& to, std::uint64_t position) noexcept {
  return to.samples(position / kLineWords);
}

// Of arguments and payload.
std::size_t bytes_of(const word* w, std::uint64_t header) {
  const std::size_t arguments = argument_bytes_of(header);
  if ((header & kExtended) == 0) return arguments;
  const std::size_t region = descriptor::of(w[1].load(std::memory_order_relaxed)).bytes;
  return header & kArgumentsOutside ? region : arguments + region;
}

}  // namespace

void engine::open_trace(unsigned port) {
  parts_->recorder = recorder::open(port, job::self().ranks);
  if (parts_->recorder == nullptr) return;
  static const traced_tables& tables =
      *new traced_tables{traced(request_handlers(), run_traced_request, false),
                         traced(reply_handlers(), run_traced_reply, true)};
  parts_->own_requests = requests_;
  parts_->own_replies = replies_;
  requests_ = {tables.requests.data(), unsigned(tables.requests.size())};
  replies_ = {tables.replies.data(), unsigned(tables.replies.size())};
  parts_->recorder->name_handlers(requests_.count, replies_.count, handler_name);
  is_.waits_slowly |= kNotesWaits;
  for (peer& p : peers_) block(p, kTraced);
}

// The lines from `line` on that are not told, within the credit: post opens them by itself.
std::uint64_t engine::end_of_untold(const peer& p, std::uint64_t line) const noexcept {
  const std::uint64_t end = p.answered + mask_ + 1;
  while (line + kLineWords <= end && !is_told(*parts_->recorder, line)) line += kLineWords;
  return line;
}

// Room for one record and its payload, of a peer that nothing but the trace blocks: what post does
// by itself without a trace. A message that is told is noted before it can be seen; where its line
// is not told, post has the line, and those behind it up to the next one that is.
template <bool Wait>
status engine::open_record(peer& p, record_size size, std::uint64_t handler) {
  if (size.region != 0 && !payload_fits(p, size.region))
    return Wait ? wait_for_payload(p, size.region) : status::retry;
  const std::uint64_t from = p.tail;
  const std::uint64_t start = (from + kLineWords - 1) & ~std::uint64_t{kLineWords - 1};
  if (from + size.words > start) {
    if (!has_free_line(p)) return Wait ? await_room(p, size, handler) : status::retry;
    if (from != start) {
      (p.out + (from & mask_))
          ->store(make_header(lap(from), record_state::pad, unsigned(start - from), 0, 0),
                  std::memory_order_release);  // pairs: lane.request
    }
    p.limit = p.answered + mask_ + 1;
    if (start + ahead_words_ / 2 >= p.opened) zero_ahead(p, start);
    p.limit = 0;
    p.tail = start;
  }
  recorder& to = *parts_->recorder;
  if (!is_told(to, p.tail)) {
    p.line_end = (p.tail | (kLineWords - 1)) + 1;
    p.limit = end_of_untold(p, p.line_end);
    return status::ok;
  }
  p.line_end = p.tail + size.words;
  const std::uint16_t name = to.handler_name(unsigned(handler), false);
  if (to.tells(name)) to.add(kind::request, p.port, name, p.tail, size.bytes);
  return status::ok;
}

template status engine::open_record<true>(peer&, record_size, std::uint64_t);
template status engine::open_record<false>(peer&, record_size, std::uint64_t);

// Whether this visit takes no further request, although one is there: what the program does before
// the next one is no part of this one's handler.
bool engine::ends_visit(const peer& p) noexcept {
  auto& visit = parts_->visit;
  const std::uint64_t received = p.count->requests_received.load(std::memory_order_relaxed);
  if (visit.of != &p || visit.poll != polls_) visit = {&p, polls_, received};
  return received - visit.first + 1 >= kVisitMax;
}

void engine::run_traced_request(engine& e, peer& p, word* w, std::uint64_t header) {
  if (is_told(*e.parts_->recorder, p.head)) return run_told_request(e, p, w, header);
  e.parts_->own_requests.entries[handler_of(header)].run(e, p, w, header);
}

void engine::run_told_request(engine& e, peer& p, word* w, std::uint64_t header) {
  recorder& to = *e.parts_->recorder;
  const unsigned handler = handler_of(header);
  const thunk run = e.parts_->own_requests.entries[handler].run;
  to.begin_handler(kind::handler, p.port, to.handler_name(handler, false), p.head,
                   bytes_of(w, header));
  run(e, p, w, header);
  const std::uint64_t next = p.head + words_of(header);
  if (p.clean == next) to.note_reply();
  const bool is_last = e.ends_visit(p);
  const std::uint64_t h =
      p.in[next & e.mask_].load(std::memory_order_acquire);  // pairs: lane.request
  to.end_handler(!is_last && lap_of(h) == e.lap(next) && state_of(h) == record_state::request);
}

void engine::run_traced_reply(engine& e, peer& p, word* w, std::uint64_t header) {
  recorder& to = *e.parts_->recorder;
  const unsigned handler = handler_of(header);
  const thunk run = e.parts_->own_replies.entries[handler].run;
  const std::uint64_t position = p.answered - words_of(header);
  if (!is_told(to, position)) return run(e, p, w, header);
  to.begin_handler(kind::reply_handler, p.port, to.handler_name(handler, true), position,
                   bytes_of(w, header));
  run(e, p, w, header);
  to.end_handler(false);
}

status engine::wait_slow(waiting& w, bool (*done)(void*), void* argument) {
  if (!is_open() || !parts_->recorder) return wait_as_thread(w, done, argument);
  const bool is_over = !serves_threads() && done(argument);
  const bool is_idle = coprocessor_ != 0 && endpoint_ == coprocessor_;  // it waits all its life
  if (is_over || is_idle || w.hidden) return wait_traced(w, done, argument);
  recorder& to = *parts_->recorder;
  if (!to.tells_waits) return wait_traced(w, done, argument);
  const unsigned target =
      w.target < 0 ? trace::kAnyPort : port_of(unsigned(w.target), endpoint_).port;
  const std::uint16_t name = to.name_of(w.name);
  const std::uint32_t thread = running_thread();
  to.add(kind::wait_begins, target, name, thread, 0);
  const status s = wait_traced(w, done, argument);
  to.add(kind::wait_ends, target, name, thread, 0);
  return s;
}

// Without what tells it.
status engine::wait_traced(waiting& w, bool (*done)(void*), void* argument) {
  if (!serves_threads()) {
    const status s = wait_as_rank<false>(w, [=] { return done(argument); });
    if (s != status::retry) return s;
  }
  return wait_as_thread(w, done, argument);
}

void note_collective(engine& e, const char* name, bool begins) {
  recorder& to = *e.parts().recorder;
  const std::uint64_t tag = begins ? 0 : to.tag;
  to.add(begins ? kind::collective_begins : kind::collective_ends, trace::kAnyPort,
         to.name_of(name), tag << 32 | running_thread(), tag >> 32);
}

}  // namespace ramjet::detail
