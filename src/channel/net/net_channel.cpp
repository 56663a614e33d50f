// SPDX-License-Identifier: Apache-2.0
#include "channel/net/net_channel.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "channel/net/peer_link.hpp"
#include "job/join.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

namespace {

constexpr frame_head kBye{std::uint8_t(frame_kind::bye), 0, 0, 0};
constexpr std::size_t kWriteBytes = 64 * 1024;   // from here on a write of its own is worth it
constexpr unsigned kPostsUnseen = 8;  // between looks at the clock, in a run of messages
constexpr std::uint64_t kWireNs = 2'000;  // a packet keeps the wire for so long, or as it took
constexpr unsigned kQuietPumps = 256;  // then less often than at every poll
// From then on one look in so many ns, which double with as many more that find nothing: what comes
// after a silence waits for a tenth of it at most, or for much less.
constexpr std::uint64_t kIdlePauseNs = 10'000;
constexpr unsigned kPausesDoubled = 3;

// What an access takes in the outbox at most.
constexpr std::size_t kAskRoom =
    2 * sizeof(frame_head) + sizeof(deposit_head) + outbox::kLong + access::kRequestBytesMax;

struct deposit_lead {
  frame_head head{std::uint8_t(frame_kind::deposit), 0, 0, 0};
  deposit_head about;
};

}  // namespace

net_channel::net_channel(unsigned port, std::unique_ptr<network> over)
    : port_(port), network_(std::move(over)) {
  const job::membership& m = job::self();
  const job::geometry& g = m.layout;
  shape_ = lane::job_shape();
  node_ = m.node;
  segments_ = reinterpret_cast<std::byte*>(g.segment_base);
  segment_bytes_ = g.segment_bytes;
  links_.resize(g.ports);
}

net_channel::~net_channel() = default;

// The engine tells of everything that it writes (rung), credit too: nobody watches the lanes.
link net_channel::connect(unsigned peer) {
  if (links_[peer] == nullptr) {
    links_[peer] = std::make_unique<peer_link>(port_, peer, shape_);
    links_[peer]->out_lane.get().credit->room_wanted.store(1, std::memory_order_relaxed);
  }
  return {links_[peer]->out_lane.get(), links_[peer]->in_lane.get()};
}

net_channel::peer_link& net_channel::link_to(unsigned peer) { return *links_[peer]; }

void net_channel::disconnect(unsigned peer) {
  if (peer >= links_.size() || links_[peer] == nullptr) return;
  peer_link& l = *links_[peer];
  if (l.closed) return;
  l.closed = true;
  for (const std::unique_ptr<connection>& c : connections_) {
    if (c->link != &l || c->gone) continue;
    const bool said = c.get() == l.way
                          ? l.said_bye && l.box->empty()
                          : c->wire->send({reinterpret_cast<const std::byte*>(&kBye), sizeof kBye},
                                          {}) == std::ptrdiff_t(sizeof kBye);
    if (said) c->wire->finish();
    close(*c);
  }
}

bool net_channel::closed_by_peer(unsigned peer) const {
  const connection* way = links_[peer] != nullptr ? links_[peer]->way : nullptr;
  return way != nullptr && way->gone && way->said_bye;
}

void net_channel::close(connection& c) {
  c.gone = true;
  c.wire.reset();
}

void net_channel::take_streams() {
  unsigned peer;
  while (std::unique_ptr<stream> s = network_->take(peer)) {
    if (links_[peer] == nullptr || links_[peer]->closed) continue;
    peer_link& l = *links_[peer];
    auto c = std::make_unique<connection>();
    c->link = &l;
    c->wire = std::move(s);
    if (l.way == nullptr) {
      l.way = c.get();
      l.box.emplace();
      activate(l);
    }
    connections_.push_back(std::move(c));
  }
}

void net_channel::activate(peer_link& l) {
  if (l.active) return;
  l.active = true;
  active_.push_back(&l);
}

void net_channel::want(peer_link& l) {
  if (l.wanted || l.way != nullptr) return;
  l.wanted = true;
  network_->want(l.peer);
}

// --- Sending -------------------------------------------------------------------------------------

void net_channel::rung(unsigned peer, detail::lane&, bool in_handler) {
  peer_link& l = link_to(peer);
  activate(l);
  quiet_pumps_ = 0;
  if (in_handler || l.closed) return;
  if (l.way == nullptr) return want(l);
  send_if_idle(l);
}

void net_channel::send_if_idle(peer_link& l) {
  if (!l.polled && (++l.posts % kPostsUnseen != 0 || base::now_ns() < l.idle_at_ns)) return;
  l.polled = false;
  const std::uint64_t begin = base::now_ns();
  collect(l);
  const std::uint64_t end = base::now_ns();
  l.idle_at_ns = end + std::max(kWireNs, end - begin);
}

// Sends what is new; how many messages it was.
unsigned net_channel::collect(peer_link& l) {
  if (l.way == nullptr) {
    want(l);
    return 0;
  }
  unsigned moved = 0;
  while (!l.way->gone) {
    l.owed.move_to(*l.box, l.window);
    if (!l.fetching) l.waiting.move_to(*l.box, l.window);
    if (l.waiting.empty() && !l.said_bye) {
      moved += l.out.collect(*l.box);
      moved += l.in.collect(*l.box);
    }
    if (l.box->empty()) break;
    l.way->deaf = !l.box->flush(*l.way->wire);
    if (!l.box->empty()) break;
  }
  return moved;
}

void net_channel::deposit(unsigned peer, std::uint64_t at, const void* data, std::size_t bytes,
                          bool may_wait) {
  peer_link& l = link_to(peer);
  if (l.closed) return;
  activate(l);
  quiet_pumps_ = 0;
  const piece all{static_cast<const std::byte*>(data), bytes};
  const deposit_lead lead{.about = {at, bytes}};
  if (!may_wait) return l.waiting.push({bytes_of(lead), all}, 0);
  const auto go_on = [&] {  // receives meanwhile: the peer may be at the same
    if (l.closed || (l.way != nullptr && l.way->gone) || job::port_is_gone(l.peer)) return false;
    if (pump() == 0) ::sched_yield();
    return true;
  };
  want(l);
  const auto has_room = [&] {
    return l.way != nullptr && l.waiting.empty() && !l.fetching &&
           l.box->room() >= sizeof lead + outbox::kLong;
  };
  while (!has_room())
    if (!go_on()) return;
  if (bytes >= kWriteBytes && !l.way->gone) {
    while (!l.box->empty())  // what was deposited before comes before
      if (!go_on() || l.way->gone) return;
    auto begun = stream::begun::not_yet;
    while ((begun = l.way->wire->write(at, all)) == stream::begun::not_yet)
      if (!go_on() || l.way->gone) return;
    while (begun == stream::begun::yes && l.way->wire->copied() == stream::copy::runs)
      if (!go_on() || l.way->gone) return;
    if (begun == stream::begun::yes) return;
    while (!has_room())
      if (!go_on()) return;
  }
  l.box->put(lead);
  l.box->put_region(all.bytes, bytes);
  if (bytes < outbox::kLong) return;  // goes with the record that it belongs to
  do {
    if (!l.way->gone) l.way->deaf = !l.box->flush(*l.way->wire);
    if (l.box->empty()) return;
  } while (go_on());
  close(*l.way);  // what is left of the caller's bytes may not be sent any more
}

access_start net_channel::begin_access(unsigned peer, const access& a, bool in_handler) {
  peer_link& l = link_to(peer);
  if (l.closed || (l.way != nullptr ? l.way->gone : job::port_is_gone(peer)))
    return access_start::taken;
  activate(l);
  quiet_pumps_ = 0;
  want(l);
  const std::size_t answer = kAnswerLead + a.answer_bytes;
  const bool fits = l.way != nullptr && l.waiting.empty() && !l.fetching &&
                    l.window.allows(answer) && l.box->room() >= kAskRoom;
  if (a.fetch) return fits ? fetch(l, a) : access_start::full;
  if (!fits && !in_handler) return access_start::full;
  const frame_head head{std::uint8_t(frame_kind::ask), a.what,
                        std::uint16_t(a.request.count + a.more.count), a.id};
  const deposit_lead lead{.about = {a.deposit_at, a.deposit.count}};
  const piece first = a.deposit.count != 0 ? bytes_of(lead) : piece{nullptr, 0};
  if (!fits) {
    l.waiting.push({first, a.deposit, bytes_of(head), a.request, a.more}, answer);
    return access_start::taken;
  }
  if (a.deposit.count != 0) {
    l.box->put(lead);
    l.box->put_now(a.deposit, *l.way->wire);
  }
  if (l.box->has_long()) {
    l.waiting.push({bytes_of(head), a.request, a.more}, answer);
    return access_start::taken;
  }
  l.window.ask(answer);
  l.box->put(head);
  l.box->put(a.request.bytes, a.request.count);
  l.box->put(a.more.bytes, a.more.count);
  if (!in_handler) send_if_idle(l);
  return access_start::taken;
}

// --- Turns ---------------------------------------------------------------------------------------

unsigned net_channel::pump() {
  take_streams();
  unsigned moved = send_active();
  // What came is handled before more is looked for: somebody waits for it, perhaps.
  const bool look = !std::exchange(received_, false);
  if (look) {
    network_->progress();
    for (std::size_t i = 0; i < connections_.size(); ++i) moved += receive(*connections_[i]);
    received_ = std::exchange(for_lanes_, false);
    if (std::exchange(served_, false)) send_active();
  }
  quiet_pumps_ = moved != 0 ? 0 : quiet_pumps_ + 1;
  return moved;
}

unsigned net_channel::send_active() {
  unsigned moved = 0;
  for (std::size_t i = 0; i < active_.size();) {
    peer_link& l = *active_[i];
    l.polled = true;
    if (!l.closed) {
      moved += unsigned(take_fetched(l));  // whose call may send something at once
      moved += collect(l);
    }
    const bool done =
        l.closed || (l.way == nullptr ? job::port_is_gone(l.peer) : l.way->gone || l.idle());
    if (done) {
      l.active = false;
      active_[i] = active_.back();
      active_.pop_back();
    } else {
      ++i;
    }
  }
  return moved;
}

// Asked before the endpoint closes: a link that has sent everything says good-bye.
bool net_channel::drained() {
  for (const std::unique_ptr<peer_link>& l : links_) {
    if (l == nullptr || l->closed ||
        (l->way != nullptr ? l->way->gone : job::port_is_gone(l->peer)))
      continue;
    if (!l->said_bye && !say_bye_once_sent(*l)) return false;
    if (l->way != nullptr && !l->box->empty()) return false;
  }
  return true;
}

bool net_channel::say_bye_once_sent(peer_link& l) {
  if (!l.out.all_collected() || !l.in.all_collected()) {
    activate(l);
    return false;
  }
  if (!l.waiting.empty() || !l.owed.empty() || l.fetching) return false;
  if (l.way == nullptr) return true;
  if (!l.box->empty()) return false;
  l.box->put(kBye);
  l.said_bye = true;
  activate(l);
  return true;
}

std::uint64_t net_channel::pause_ns() {
  if (!active_.empty() || quiet_pumps_ < kQuietPumps) return 0;
  return kIdlePauseNs << std::min(quiet_pumps_ / kQuietPumps - 1, kPausesDoubled);
}

bool net_channel::prepare_sleep() { return active_.empty() && network_->wake_when_ready(); }

}  // namespace ramjet::channel
