// SPDX-License-Identifier: Apache-2.0
// Messages of collectives. A handler puts what arrives where it is expected, or keeps it until
// somebody asks.
#include "am/collectives/operation.hpp"

#include <algorithm>
#include <cstring>

#include "am/collectives/counter.hpp"
#include "am/runtime.hpp"
#include "am/trace.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"

namespace ramjet::detail {

namespace {

struct envelope {
  std::uint32_t team;
  call_tag tag;
  std::uint16_t member;  // that sent it
  std::uint16_t short_bytes;  // of a short message; and kCheck, if it is not progress
};
static_assert(sizeof(envelope) == 12);  // with one word, a short message is half a line
constexpr std::uint16_t kCheck = 0x8000;
static_assert(kShortBytes < kCheck);

template <unsigned Words>
struct words {
  std::uint64_t word[Words];
};

void keep_early(source& s, int from, call_tag tag, const std::byte* data, std::size_t count,
                std::size_t total) {
  if (s.early.empty() || s.early.back().filled == s.early.back().bytes) {
    RAMJET_DCHECK(s.kept() < kKeptMax, "a member runs ahead further than it may");
    source::message& m = s.early.emplace_back();
    m.tag = tag;
    m.bytes = total;
  }
  source::message& m = s.early.back();
  check_match(*current_engine, m.tag, tag, from, m.bytes, total);
  RAMJET_CHECK(count <= m.bytes - m.filled, "ranks disagree about a collective's length");
  if (total > kShortBytes) {  // grows by what comes: the total is only what a peer says
    m.outside.insert(m.outside.end(), data, data + count);
  } else if (count != 0) {
    std::memcpy(m.data() + m.filled, data, count);
  }
  m.filled += count;
}

void deliver(int rank, const envelope& e, const std::byte* data, std::size_t count,
             std::size_t total) {
  collective_state& c = current_engine->parts().collectives;
  ++c.own_handled;
  // Nobody reads it: each collective fails from here on. And the first parts of a message may lie
  // where an operation that the death has ended wanted it.
  if (current_engine->failures() != 0) [[unlikely]]
    return;
  team_state& t = c.any_team(e.team);
  check_call(*current_engine, t, e.tag, rank);
  source& s = source_of(t, e.member, rank);
  if (!s.expected || s.complete) return keep_early(s, rank, e.tag, data, count, total);
  check_match(*current_engine, s.tag, e.tag, rank, s.bytes, total);
  RAMJET_CHECK(count <= s.bytes - s.filled, "ranks disagree about a collective's length");
  if (count != 0) std::memcpy(s.into + s.filled, data, count);
  s.filled += count;
  s.complete = s.filled == s.bytes;
}

template <unsigned Words>
void on_short(request_token t, envelope e, words<Words> w) {
  const std::size_t bytes = e.short_bytes & ~kCheck;
  if (e.short_bytes & kCheck) [[unlikely]]
    bump(counters_with(*current_engine, t.rank()).checks_received);
  RAMJET_CHECK(bytes <= sizeof w, "a collective's message is longer than itself");
  deliver(t.rank(), e, reinterpret_cast<const std::byte*>(&w), bytes, bytes);
}
void on_part(request_token t, envelope e, std::uint64_t total, payload p) {
  deliver(t.rank(), e, p.bytes, p.count, total);
}

template <unsigned Words>
status send_short(const address& to, const envelope& e, const void* data, std::size_t bytes) {
  words<Words> w{};
  if (bytes != 0) std::memcpy(&w, data, bytes);
  return request<on_short<Words>>(to, e, w);
}

}  // namespace

bool carries_values(unsigned index) noexcept {
  return index == handler<on_short<1>>::index() || index == handler<on_short<4>>::index() ||
         index == handler<on_part>::index();
}

bool is_of_collectives(unsigned index) noexcept {
  return carries_values(index) || is_of_barrier(index) || is_call_comparison(index) ||
         is_credit_message(index);
}

engine& collective_engine() {
  engine& e = *current_engine;
  if (e.ranks() == 0) no_endpoint("a collective");
  RAMJET_CHECK(!e.in_handler(), "a handler may not enter a collective");
  return e;
}

in_collective::in_collective(engine& e, const char* name)
    : engine_(e), state_(e.parts().collectives), is_first_(state_.in_progress++ == 0) {
  if (!is_first_) return;
  state_.name = name;
  if (e.parts().recorder) note_collective(e, name, true);
}

// Where threads are in collectives of different teams, the first may end before the others.
in_collective::~in_collective() {
  const bool is_last = --state_.in_progress == 0;
  if (is_first_ || is_last) flush_unpolled(engine_);
  if (is_first_ && engine_.parts().recorder) note_collective(engine_, state_.name, false);
  if (is_last) state_.name = nullptr;
}

void note_send(engine& e) noexcept {
  collective_state& c = e.parts().collectives;
  ++c.own_sent;
  c.polls_at_send = e.polls();
}

void flush_unpolled(engine& e) {
  engine_cold& x = e.parts();
  if (x.pumps && x.collectives.polls_at_send == e.polls()) x.network->flush();
}

team_state& members_of(engine& e, const team& among) {
  team_state* t = state_of(among);
  RAMJET_CHECK(t != nullptr, "a collective of an empty team: this rank is not a member");
  RAMJET_CHECK(t->owner == &e, "a team is used by the endpoint that split it off");
  return *t;
}

operation::operation(const team& among, const char* name, collective_kind kind, int root,
                     std::size_t bytes)
    : called_(collective_engine(), name), engine_(current_engine) {
  if (engine_->failures() != 0) return;
  team_ = &members_of(*engine_, among);
  tag_ = begin_call(*engine_, *team_, kind, root, bytes);
  crowded_ = job::self().crowded;
  at_counter_ = crowded_ && meets_at_counter(*team_);
}

// After a death: what others still send goes nowhere near the caller's memory.
operation::~operation() {
  if (expected_ == 0) return;
  for (source& s : team_->sources) s.expected = false;
}

void operation::received(source& s) const {
  s.expected = false;
  --expected_;
}

status operation::send(int to, const void* data, std::size_t bytes) const {
  if (const status s = begin_message(to, bytes); s != status::ok) [[unlikely]]
    return s;
  return send_part(to, data, bytes, bytes);
}

status operation::send_part(int to, const void* data, std::size_t bytes, std::size_t total) const {
  collective_state& c = engine_->parts().collectives;
  const address there{team_->members[std::size_t(to)], engine_->endpoint()};
  envelope e{team_->id, tag_, std::uint16_t(team_->rank), std::uint16_t(bytes)};
  const auto* from = static_cast<const std::byte*>(data);
  if (total <= kShortBytes) {
    note_send(*engine_);
    if (c.in_vain_since_ns != 0) [[unlikely]] {
      e.short_bytes |= kCheck;
      bump(counters_with(*engine_, there.rank).checks_sent);
    }
    return total <= 8 ? send_short<1>(there, e, data, bytes) : send_short<4>(there, e, data, bytes);
  }
  for (std::size_t at = 0; at < bytes; at += medium_bytes_max) {
    note_send(*engine_);
    const status s = request_medium<on_part>(
        there, from + at, std::min(bytes - at, medium_bytes_max), e, std::uint64_t(total));
    if (s != status::ok) return s;
  }
  return status::ok;
}

void operation::expect(int from, void* into, std::size_t bytes) const {
  source& s = team_->sources[std::size_t(from)];
  ++expected_;
  RAMJET_DCHECK(!s.expected, "one message at a time is expected of a member");
  s.expected = true;
  s.complete = false;
  s.tag = tag_;
  s.into = static_cast<std::byte*>(into);
  s.bytes = bytes;
  s.filled = 0;
  if (s.first == s.early.size()) return;
  source::message& m = s.early[s.first];
  check_match(*engine_, tag_, m.tag, team_->members[std::size_t(from)], bytes, m.bytes);
  if (m.filled != 0) std::memcpy(into, m.data(), m.filled);
  s.filled = m.filled;
  s.complete = m.filled == m.bytes;
  m.outside = {};
  if (s.told_after != 0 && --s.told_after == 0) report_taken(*engine_, *team_, from);
  if (++s.first * 2 < s.early.size()) return;
  s.early.erase(s.early.begin(), s.early.begin() + std::ptrdiff_t(s.first));
  s.first = 0;
}

status operation::finish(int from) const {
  source& s = team_->sources[std::size_t(from)];
  call_wait w = wait_for(from);
  const status result = engine_->wait(w, [&s] { return s.complete; });
  if (result == status::ok) received(s);
  return result;
}

status operation::finish_part(int from, std::size_t known, std::size_t& there) const {
  source& s = team_->sources[std::size_t(from)];
  call_wait w = wait_for(from);
  const status result = engine_->wait(w, [&s, known] { return s.complete || s.filled > known; });
  there = s.filled;
  if (s.complete) received(s);
  return result;
}

status operation::exchange(int with, const void* mine, void* theirs, std::size_t bytes) const {
  expect(with, theirs, bytes);
  if (status s = send(with, mine, bytes); s != status::ok) return s;
  return finish(with);
}

}  // namespace ramjet::detail
