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

constexpr std::size_t kWriteBytes = 64 * 1024;  // from this size on a write of its own is worth it
constexpr std::uint64_t kPauseNs = 50'000;  // longer without a message: the program computed
constexpr unsigned kQuietPumps = 256;  // then less often than at every poll
// From then on one pump in this many ns, doubled after every kQuietPumps more that find nothing:
// what comes after a silence waits for a tenth of it at most, or for much less.
constexpr std::uint64_t kIdlePauseNs = 10'000;
constexpr unsigned kPausesDoubled = 3;

// What a peer had sent may come this long after the word that it is dead: as long as TCP takes to
// send once more what was lost. The stream of a killed process ends by itself before.
constexpr std::uint64_t kLastWordsNs = 1'000'000'000;

// Accesses that more will follow wait until this much has gathered: what one packet of a common
// wire takes.
constexpr std::size_t kMoreBytes = 1400;

// What an access takes in the outbox at most.
constexpr std::size_t kAccessRoom =
    2 * sizeof(frame_head) + sizeof(deposit_head) + outbox::kLong + access::kRequestBytesMax;

struct deposit_lead {
  frame_head head{std::uint8_t(frame_kind::deposit), 0, 0, 0};
  deposit_head about;
};

}  // namespace

net_channel::net_channel(unsigned port, std::unique_ptr<network> over)
    : port_(port), network_(std::move(over)) {
  const job::membership& m = job::self();
  const node::geometry& g = m.layout;
  shape_ = lane::job_shape();
  node_ = m.node;
  endpoints_ = g.endpoints;
  segments_ = reinterpret_cast<std::byte*>(g.segment_base);
  segment_bytes_ = g.segment_bytes;
  links_.resize(g.ports);
}

net_channel::~net_channel() = default;

// The lanes take memory once there is something in them.
link net_channel::connect(unsigned peer) {
  const channel_turn::owner mine(turn_);
  if (links_[peer] == nullptr) links_[peer] = std::make_unique<peer_link>(port_, peer, shape_);
  return {links_[peer]->out_lane.get(), links_[peer]->in_lane.get()};
}

// A stream on which everything was sent, a bye last, is finished; the others just end.
void net_channel::disconnect(unsigned peer) {
  const channel_turn::owner mine(turn_);
  if (peer >= links_.size() || links_[peer] == nullptr) return;
  peer_link& l = link_to(peer);
  if (l.now == peer_link::state::closed) return;
  const auto was = std::exchange(l.now, peer_link::state::closed);
  for (const std::unique_ptr<connection>& c : connections_) {
    if (c->link != &l || c->is_gone()) continue;
    const auto say_bye = [&] {
      return c.get() == l.way ? was == peer_link::state::leaving && l.box->empty()
                              : c->wire->send(bytes_of(kBye), {}) == std::ptrdiff_t(sizeof kBye);
    };
    if (l.read_until_ns == 0 && say_bye()) c->wire->finish();
    close(*c);
  }
}

void net_channel::stop_sending(unsigned peer) {
  const channel_turn::owner mine(turn_);
  if (links_[peer] != nullptr) stop_sending_to(link_to(peer));
}

void net_channel::stop_sending_to(peer_link& l) {
  if (l.now == peer_link::state::closed) return;
  l.now = peer_link::state::lost;
  l.waiting.clear();
  l.read_until_ns = base::now_ns() + kLastWordsNs;
}

bool net_channel::closed_by_peer(unsigned peer) const {
  const channel_turn::owner mine(turn_);
  if (links_[peer] == nullptr) return false;
  const connection* const way = links_[peer]->way;
  if (way != nullptr && way->bye_came) return true;
  return (way == nullptr || way->is_gone()) && job::has_left(peer / endpoints_);
}

void net_channel::add_senders(std::vector<std::uint32_t>& to) const {
  const channel_turn::owner mine(turn_);
  for (const std::unique_ptr<peer_link>& l : links_)
    if (l != nullptr && l->in.has_received()) to.push_back(l->peer);
}

void net_channel::close(connection& c) {
  c.now = connection::state::gone;
  c.wire.reset();
  peer_link& l = *c.link;
  if (l.way != &c || !l.has_way()) return;
  l.now = peer_link::state::lost;
  l.waiting.clear();
}

void net_channel::take_streams() {
  unsigned peer;
  while (std::unique_ptr<stream> s = network_->take(peer)) {
    if (links_[peer] == nullptr || links_[peer]->now == peer_link::state::closed) continue;
    peer_link& l = link_to(peer);
    auto c = std::make_unique<connection>();
    c->link = &l;
    c->wire = std::move(s);
    // The engine announces everything that it writes (rung), credit for what will come by this
    // stream, too: nobody watches the lanes.
    l.out_lane.get().credit->room_wanted.store(1, std::memory_order_relaxed);
    if (l.way == nullptr && !l.is_over()) {
      l.way = c.get();
      l.now = peer_link::state::open;
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
  if (l.now != peer_link::state::idle) return;
  l.now = peer_link::state::wanted;
  network_->want(l.peer);
}

// --- Sending -------------------------------------------------------------------------------------

void net_channel::rung(unsigned peer, detail::lane&, bool in_handler) {
  const channel_turn::owner mine(turn_);
  peer_link& l = link_to(peer);
  activate(l);
  quiet_pumps_ = 0;
  if (!in_handler) send_if_idle(l);  // else the poll that runs the handler sends it
}

void net_channel::send_if_idle(peer_link& l) {
  if (l.is_over()) return;
  want(l);
  if (l.has_way() && l.pace.may_be_idle()) {
    const std::uint64_t now = base::now_ns();
    const bool after_pause = now - std::exchange(clock_read_ns_, now) >= kPauseNs;
    if (l.pace.is_idle(now)) {
      collect(l);
      l.pace.note_packet(now, base::now_ns());
    }
    if (after_pause && active_.size() > 1) send_left_behind(&l);
    if (!l.has_way() || (l.pace.is_idle(now) && l.all_sent())) return;
  }
  defer_send();
}

// Sends what waits for the wires to peers, all or all others; whether something still waits.
bool net_channel::send_left_behind(const peer_link* but) {
  bool waits = false;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    peer_link& l = *active_[i];
    if (&l == but || l.is_over()) continue;
    collect(l);
    waits |= l.has_way() ? !l.all_sent() : !l.is_over() && !job::port_is_gone(l.peer);
  }
  return waits;
}

// The endpoint's thread may compute from here on, though something waits for the wire.
void net_channel::defer_send() noexcept {
  if (push_ == nullptr || push_->wanted.load(std::memory_order_relaxed)) return;
  push_->wanted.store(true, std::memory_order_relaxed);
  push_->wake();
}

// Sends what is new; how many messages it was.
unsigned net_channel::collect(peer_link& l) {
  want(l);
  unsigned moved = 0;
  while (l.has_way()) {
    l.owed.move_to(*l.box, l.window);
    if (!l.fetch) l.waiting.move_to(*l.box, l.window);
    if (l.waiting.empty() && l.now == peer_link::state::open) {
      moved += l.out.collect(*l.box);
      moved += l.in.collect(*l.box);
    }
    if (l.box->empty()) break;
    hand_over(l);
    if (!l.box->empty()) break;
  }
  if constexpr (detail::kAudits) {
    l.out.audit();
    l.in.audit();
  }
  return moved;
}

// The link has a way.
void net_channel::hand_over(peer_link& l) {
  const std::size_t before = l.box->left();
  if (!l.box->flush(*l.way->wire) && l.way->now == connection::state::open)
    l.way->now = connection::state::unwritable;
  if (l.box->left() != before) quiet_pumps_ = 0;
}

// As far as there is room; whether the bytes are taken.
bool net_channel::go_on(peer_link& l, deposit_under_way& d) {
  using step = deposit_under_way::step;
  const auto has_room = [&l] {
    return l.has_way() && l.waiting.empty() && !l.fetch &&
           l.box->room() >= sizeof(deposit_lead) + outbox::kLong;
  };
  if (d.now == step::awaits_room) {
    if (!has_room()) return false;
    d.now = d.bytes.count >= kWriteBytes ? step::past_stream : step::in_stream;
  }
  if (d.now == step::past_stream) {
    if (!l.box->empty()) return false;  // what was deposited before comes before
    const stream::begun begun = l.way->wire->write(d.at, d.bytes);
    if (begun == stream::begun::not_yet) return false;
    d.now = begun == stream::begun::yes ? step::copied : step::in_stream;
  }
  if (d.now == step::copied) return l.way->wire->copied() != stream::copy::runs;
  if (d.now == step::in_stream) {
    if (!has_room()) return false;
    l.box->put(deposit_lead{.about = {d.at, d.bytes.count}});
    l.box->put_region(d.bytes.bytes, d.bytes.count);
    if (d.bytes.count < outbox::kLong) return true;  // goes with the record that it belongs to
    d.now = step::sent;
  }
  hand_over(l);
  return !l.box->has_long();
}

bool net_channel::deposit(unsigned peer, deposit_under_way& d) {
  const channel_turn::owner mine(turn_);
  peer_link& l = link_to(peer);
  using step = deposit_under_way::step;
  if (d.now == step::taken || l.is_over()) return true;
  activate(l);
  want(l);
  if (!go_on(l, d)) {
    if (!job::port_is_gone(l.peer)) return false;
    // What is left of the caller's bytes may not be sent any more.
    if (d.now == step::sent) stop_sending_to(l);
  }
  d.now = step::taken;
  return true;
}

void net_channel::deposit_in_handler(unsigned peer, std::uint64_t at, const piece& bytes) {
  const channel_turn::owner mine(turn_);
  peer_link& l = link_to(peer);
  if (l.is_over()) return;
  activate(l);
  quiet_pumps_ = 0;
  l.waiting.push({bytes_of(deposit_lead{.about = {at, bytes.count}}), bytes}, 0);
}

access_start net_channel::begin_access(unsigned peer, const access& a, bool in_handler) {
  const channel_turn::owner mine(turn_);
  peer_link& l = link_to(peer);
  if (l.is_over() || (!l.has_way() && job::port_is_gone(peer))) return access_start::taken;
  activate(l);
  quiet_pumps_ = 0;
  want(l);
  const std::size_t answer = kAnswerLead + a.answer_bytes;
  const bool fits = l.has_way() && l.waiting.empty() && !l.fetch && l.window.allows(answer) &&
                    l.box->room() >= kAccessRoom;
  if (a.fetch) return fits ? fetch(l, a) : access_start::full;
  if (!fits && !in_handler) return access_start::full;
  const frame_head head{std::uint8_t(frame_kind::access), a.what,
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
  } else {
    l.window.add(answer);
    l.box->put(head);
    l.box->put(a.request.bytes, a.request.count);
    l.box->put(a.more.bytes, a.more.count);
  }
  const bool may_wait = a.more_follow && l.box->gathered() < kMoreBytes;
  if (!in_handler && !may_wait) send_if_idle(l);
  return access_start::taken;
}

bool net_channel::fetches(unsigned peer) {
  const channel_turn::owner mine(turn_);
  const peer_link& l = link_to(peer);
  return l.has_way() && l.way->wire->fetches();
}

// Has the network read the bytes, once every access before is answered.
access_start net_channel::fetch(peer_link& l, const access& a) {
  if (!l.window.empty() || !l.box->empty()) return access_start::full;
  switch (l.way->wire->fetch(a.fetch_at, a.answer_bytes)) {
    case stream::begun::never:
      return access_start::no_fetch;
    case stream::begun::not_yet:
      return access_start::full;
    case stream::begun::yes:
      break;
  }
  l.fetch = {a.id, a.fetched};
  l.fetch->answer.bytes.count = a.answer_bytes;
  return access_start::taken;
}

bool net_channel::take_fetched(peer_link& l) {
  if (!l.fetch || !l.has_way()) return false;
  const stream::copy how = l.way->wire->copied();
  if (how == stream::copy::runs) return false;
  auto [id, answer] = *std::exchange(l.fetch, std::nullopt);
  if (how == stream::copy::failed) {
    broken(*l.way, "its memory cannot be read any more");
    return true;
  }
  answer.bytes.bytes = l.way->wire->fetched();
  const char* wrong = the_access_functions().answered(l.peer, id, answer);
  if (wrong != nullptr) broken(*l.way, wrong);
  return true;
}

// --- Turns ---------------------------------------------------------------------------------------

unsigned net_channel::pump() {
  const channel_turn::owner mine(turn_);
  take_streams();
  unsigned moved = take_kept();
  moved += send_active();
  // What came is handled before more is received: somebody waits for it, perhaps.
  if (!std::exchange(received_, false)) {
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
    l.pace.note_poll();
    if (!l.is_over()) {
      moved += unsigned(take_fetched(l));  // whose call may send something at once
      moved += collect(l);
    }
    const bool done = l.is_over() || (l.has_way() ? l.all_sent() : job::port_is_gone(l.peer));
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

// Before the endpoint closes: a link that has sent everything says good-bye.
bool net_channel::drained() {
  const channel_turn::owner mine(turn_);
  for (const std::unique_ptr<peer_link>& l : links_) {
    if (l == nullptr || l->is_over() || (!l->has_way() && job::port_is_gone(l->peer))) continue;
    if (l->now != peer_link::state::leaving && !say_bye_once_sent(*l)) return false;
    if (l->has_way() && !l->box->empty()) return false;
  }
  return true;
}

bool net_channel::say_bye_once_sent(peer_link& l) {
  if (!l.out.all_collected() || !l.in.all_collected()) {
    activate(l);
    return false;
  }
  if (!l.waiting.empty() || !l.owed.empty() || l.fetch) return false;
  if (!l.has_way()) return true;
  if (!l.box->empty()) return false;
  l.box->put(kBye);
  l.now = peer_link::state::leaving;
  activate(l);
  return true;
}

// A link with something that waits is active.
std::size_t net_channel::waiting_bytes() {
  const channel_turn::owner mine(turn_);
  std::size_t bytes = 0;
  for (const peer_link* l : active_) bytes += l->waiting.bytes();
  return bytes;
}

// Nothing can be sent until a wire that has taken all it can has room again.
bool net_channel::waits_for_wires() const {
  return std::all_of(active_.begin(), active_.end(), [](const peer_link* l) {
    return l->has_way() && l->way->now == connection::state::open && l->way->wire->is_full();
  });
}

std::uint64_t net_channel::pause_ns() {
  const channel_turn::owner mine(turn_);
  if (!waits_for_wires() || quiet_pumps_ < kQuietPumps) return 0;
  return kIdlePauseNs << std::min(quiet_pumps_ / kQuietPumps - 1, kPausesDoubled);
}

bool net_channel::prepare_sleep() {
  const channel_turn::owner mine(turn_);
  return kept_.empty() && waits_for_wires() && network_->wake_when_ready();
}

void net_channel::flush() {
  const channel_turn::owner mine(turn_);
  take_streams();
  if (send_left_behind()) defer_send();
  network_->progress();
}

// --- The second thread ---------------------------------------------------------------------------

void net_channel::allow_coproc_flush(coproc_flush_request& request) {
  turn_.share(job::self().barrier_ok);
  push_ = &request;
}

bool net_channel::flush_from_coprocessor() {
  if (!turn_.try_take()) return true;
  take_streams();
  const bool waits = send_left_behind();
  network_->progress();
  turn_.give_back();
  return waits;
}

}  // namespace ramjet::channel
