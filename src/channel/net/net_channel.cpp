// SPDX-License-Identifier: Apache-2.0
#include "channel/net/net_channel.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "base/clock.hpp"
#include "channel/bell.hpp"
#include "channel/shm/shm_channel.hpp"
#include "job/join.hpp"
#include "ramjet/detail/check.hpp"

namespace ramjet::channel {

namespace {

constexpr std::size_t kInboxBytes = 16 * 1024;
static_assert(kInboxBytes >= sizeof(frame_head) + kFrameWordsMax * sizeof(detail::word));
constexpr frame_head kBye{std::uint8_t(frame_kind::bye), 0, 0, 0};
constexpr unsigned kReceivesMax = 16;            // in one pump, of one stream
constexpr std::size_t kWriteBytes = 64 * 1024;   // from here on a write of its own is worth it
constexpr unsigned kPostsUnseen = 8;  // between looks at the clock, in a run of messages
constexpr std::uint64_t kWireNs = 2'000;  // a packet keeps the wire for so long, or as it took
constexpr unsigned kQuietPumps = 256;  // then less often than at every poll
constexpr std::uint64_t kIdlePauseNs = 10'000;  // else a look in so many ns

bool has_gone(unsigned port) { return job::is_gone(port / job::self().layout.endpoints); }

}  // namespace

// One stream to a peer, and the frame that is coming in by it.
struct net_channel::connection {
  peer_link* link = nullptr;
  std::unique_ptr<stream> wire;
  std::unique_ptr<std::byte[]> inbox = std::make_unique_for_overwrite<std::byte[]>(kInboxBytes);
  std::size_t begin = 0, end = 0;
  // Bytes that go straight to where they belong, and what is committed then.
  landing region;
  enum class then : std::uint8_t { nothing, answer, record } commit = then::nothing;
  bool said_bye = false;
  bool gone = false;  // then there is no wire either
};

struct net_channel::peer_link {
  unsigned peer;
  private_lane out_lane, in_lane;
  source_mirror out;
  target_mirror in;
  connection* way = nullptr;  // the stream to send on
  connection* source = nullptr;  // the stream that frames come by: the peer chose it
  std::optional<outbox> box;  // once there is a stream
  bool wanted = false;
  bool active = false;
  bool closed = false;
  bool said_bye = false;  // no frame follows the one that says so
  bool polled = true;  // since the last packet that a message sent at once
  unsigned posts = 0;
  std::uint64_t idle_at_ns = 0;  // the wire, as far as can be guessed
  std::deque<std::vector<std::byte>> deposits;  // that a handler sent: heads and bytes
  bool sending_deposit = false;  // the outbox sends the first of them from where it stands

  peer_link(unsigned port, unsigned to, const lane_shape& shape)
      : peer(to),
        out_lane(shared_lane(port, to)),
        in_lane(shared_lane(to, port)),
        out(out_lane.get(), shape),
        in(in_lane.get(), shape) {}
};

net_channel::net_channel(unsigned port, std::unique_ptr<network> over)
    : port_(port), network_(std::move(over)) {
  const job::membership& m = job::self();
  const job::geometry& g = m.layout;
  shape_ = {g.ring_words, g.payload_bytes};
  segment_ = reinterpret_cast<std::byte*>(g.segment_base + unsigned(m.rank) * g.segment_bytes);
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
    const bool deposits = (l.box->empty() && next_deposit(l)) || !l.deposits.empty();
    if (!deposits && !l.said_bye) {
      moved += l.out.collect(*l.box);
      moved += l.in.collect(*l.box);
    }
    if (l.box->empty()) break;
    if (!l.box->flush(*l.way->wire)) send_failed(*l.way);
    if (!l.box->empty()) break;
  }
  return moved;
}

// Puts what a handler deposited into the empty outbox; false if there is nothing. The bytes go from
// where they stand, so those that are being sent stay in the queue until they are gone.
bool net_channel::next_deposit(peer_link& l) {
  if (l.sending_deposit) l.deposits.pop_front();
  l.sending_deposit = !l.deposits.empty();
  if (l.sending_deposit) l.box->put_direct(l.deposits.front().data(), l.deposits.front().size());
  return l.sending_deposit;
}

void net_channel::deposit(unsigned peer, std::uint64_t offset, const void* data, std::size_t bytes,
                          bool may_wait) {
  peer_link& l = link_to(peer);
  if (l.closed) return;
  activate(l);
  quiet_pumps_ = 0;
  struct {
    frame_head head{std::uint8_t(frame_kind::deposit), 0, 0, 0};
    deposit_head about;
  } lead;
  lead.about = {offset, bytes};
  if (!may_wait) {
    std::vector<std::byte>& copy = l.deposits.emplace_back(sizeof lead + bytes);
    std::memcpy(copy.data(), &lead, sizeof lead);
    std::memcpy(copy.data() + sizeof lead, data, bytes);
    return;
  }
  const auto go_on = [&] {  // receives meanwhile: the peer may be at the same
    if (l.closed || (l.way != nullptr && l.way->gone) || has_gone(l.peer)) return false;
    if (pump() == 0) ::sched_yield();
    return true;
  };
  want(l);
  const auto has_room = [&] {
    return l.way != nullptr && l.deposits.empty() && l.box->room() >= sizeof lead + outbox::kLong;
  };
  while (!has_room())
    if (!go_on()) return;
  if (bytes >= kWriteBytes && !l.way->gone) {
    while (!l.box->empty())  // what was deposited before comes before
      if (!go_on() || l.way->gone) return;
    const piece all{static_cast<const std::byte*>(data), bytes};
    auto begun = stream::write_begun::not_yet;
    while ((begun = l.way->wire->write(offset, all)) == stream::write_begun::not_yet)
      if (!go_on() || l.way->gone) return;
    while (begun == stream::write_begun::yes && !l.way->wire->written())
      if (!go_on() || l.way->gone) return;
    if (begun == stream::write_begun::yes) return;
    while (!has_room())
      if (!go_on()) return;
  }
  l.box->put(lead);
  l.box->put_region(static_cast<const std::byte*>(data), bytes);
  if (bytes < outbox::kLong) return;  // goes with the record that it belongs to
  do {
    if (!l.way->gone && !l.box->flush(*l.way->wire)) send_failed(*l.way);
    if (l.box->empty()) return;
  } while (go_on());
  close(*l.way);  // what is left of the caller's bytes may not be sent any more
}

// --- Receiving -----------------------------------------------------------------------------------

unsigned net_channel::receive(connection& c) {
  unsigned moved = 0;
  for (unsigned i = 0; i < kReceivesMax && !c.gone; ++i) {
    std::ptrdiff_t got;
    std::size_t asked;
    if (c.region.bytes != 0 && c.begin == c.end) {
      asked = c.region.bytes;
      got = c.wire->receive(c.region.to, asked);
      if (got > 0) {
        c.region.to += got;
        c.region.bytes -= std::size_t(got);
        if (c.region.bytes == 0) land(c);
      }
    } else {
      if (c.begin != 0) {
        std::memmove(c.inbox.get(), c.inbox.get() + c.begin, c.end - c.begin);
        c.end -= std::exchange(c.begin, 0);
      }
      asked = kInboxBytes - c.end;
      got = c.wire->receive(c.inbox.get() + c.end, asked);
      if (got > 0) c.end += std::size_t(got);
    }
    if (got < 0) {
      broken(c, "its connection broke");
      break;
    }
    if (got == 0) break;
    moved += 1 + parse(c);
    if (c.said_bye && !c.gone) {  // whoever closes needs nothing more
      c.wire->finish();
      close(c);
    }
    if (std::size_t(got) < asked) break;  // there was no more
  }
  return moved;
}

// Takes as many frames out of the inbox as are whole.
unsigned net_channel::parse(connection& c) {
  unsigned frames = 0;
  while (!c.gone && c.begin != c.end) {
    if (c.region.bytes != 0) {
      const std::size_t n = std::min(c.region.bytes, c.end - c.begin);
      std::memcpy(c.region.to, c.inbox.get() + c.begin, n);
      c.begin += n;
      c.region.to += n;
      c.region.bytes -= n;
      if (c.region.bytes != 0) break;
      land(c);
      continue;
    }
    std::size_t used = 0;
    if (!take_frame(c, c.inbox.get() + c.begin, c.end - c.begin, used)) break;
    c.begin += used;
    ++frames;
  }
  return frames;
}

// False if the frame is not whole yet.
bool net_channel::take_frame(connection& c, const std::byte* frame, std::size_t available,
                             std::size_t& used) {
  frame_head head;
  if (available < sizeof head) return false;
  std::memcpy(&head, frame, sizeof head);
  const auto kind = frame_kind(head.kind);
  const bool lane_words = kind == frame_kind::records || kind == frame_kind::answers;
  const std::size_t body = lane_words                    ? head.words * sizeof(std::uint64_t)
                           : kind == frame_kind::deposit ? sizeof(deposit_head)
                           : kind == frame_kind::bye     ? 0
                                                         : sizeof(std::uint64_t);
  const char* wrong = nullptr;
  if (lane_words && head.words > kFrameWordsMax) wrong = "it sent a frame that is too long";
  if (wrong == nullptr && available < sizeof head + body) return false;
  used = sizeof head + body;
  std::uint64_t words[kFrameWordsMax];
  if (wrong == nullptr) std::memcpy(words, frame + sizeof head, body);
  peer_link& l = *c.link;
  if (kind != frame_kind::bye && l.source == nullptr) l.source = &c;
  if (kind != frame_kind::bye && l.source != &c) wrong = "it sent frames by two streams";
  if (wrong == nullptr) switch (kind) {
      case frame_kind::records: {
        wrong = l.in.apply_records(head, words, c.region);
        if (head.extended != 0) c.commit = connection::then::record;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        if (l.in.must_ring()) ring(l.in.lane());
        break;
      }
      case frame_kind::answers:
        wrong = l.out.apply_answers(head, words, c.region);
        if (head.extended != 0) c.commit = connection::then::answer;
        break;
      case frame_kind::credit:
        wrong = l.out.apply_credit(words[0]);
        break;
      case frame_kind::consumed:
        wrong = l.in.apply_consumed(words[0]);
        break;
      case frame_kind::deposit:
        if (words[0] > segment_bytes_ || words[1] > segment_bytes_ - words[0]) {
          wrong = "it deposited outside the segment";
          break;
        }
        c.region = {segment_ + words[0], words[1]};
        c.commit = connection::then::nothing;
        break;
      case frame_kind::bye:
        c.said_bye = true;
        break;
      default:
        wrong = "it sent a frame of no known kind";
    }
  if (wrong != nullptr) {
    broken(c, wrong);
  } else if (c.commit != connection::then::nothing && c.region.bytes == 0) {
    land(c);
  }
  return true;
}

// All bytes of a region have come.
void net_channel::land(connection& c) {
  if (c.commit == connection::then::answer) c.link->out.commit_region();
  if (c.commit == connection::then::record) {
    c.link->in.commit_region();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (c.link->in.must_ring()) ring(c.link->in.lane());
  }
  c.commit = connection::then::nothing;
}

// A peer that has left may have said so in what is not read yet.
void net_channel::send_failed(connection& c) {
  network_->progress();
  while (!c.gone && receive(c) != 0) {
  }
  if (!c.gone) broken(c, "its connection broke");
}

// The peer is given up, unless one of the two had said good-bye: then the other may close.
void net_channel::broken(connection& c, const char* why) {
  close(c);
  if (c.said_bye || c.link->said_bye || c.link->closed) return;
  network_->give_up(c.link->peer, why);
}

// --- Turns ---------------------------------------------------------------------------------------

unsigned net_channel::pump() {
  unsigned moved = 0;
  take_streams();
  for (std::size_t i = 0; i < active_.size();) {
    peer_link& l = *active_[i];
    l.polled = true;
    if (!l.closed) moved += collect(l);
    const bool done =
        l.closed || (l.way == nullptr ? has_gone(l.peer)
                                      : l.way->gone || (l.box->empty() && l.deposits.empty()));
    if (done) {
      l.active = false;
      active_[i] = active_.back();
      active_.pop_back();
    } else {
      ++i;
    }
  }
  // What came is handled before more is looked for: somebody waits for it, perhaps.
  const bool look = !std::exchange(received_, false);
  if (look) {
    network_->progress();
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      const unsigned frames = receive(*connections_[i]);
      received_ |= frames != 0;
      moved += frames;
    }
  }
  quiet_pumps_ = moved != 0 ? 0 : quiet_pumps_ + 1;
  return moved;
}

// Asked before the endpoint closes: a link that has sent everything says good-bye.
bool net_channel::drained() {
  for (const std::unique_ptr<peer_link>& l : links_) {
    if (l == nullptr || l->closed || (l->way != nullptr ? l->way->gone : has_gone(l->peer)))
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
  if (!l.deposits.empty()) return false;
  if (l.way == nullptr) return true;
  if (!l.box->empty()) return false;
  l.box->put(kBye);
  l.said_bye = true;
  activate(l);
  return true;
}

std::uint64_t net_channel::pause_ns() {
  return active_.empty() && quiet_pumps_ >= kQuietPumps ? kIdlePauseNs : 0;
}

bool net_channel::prepare_sleep() { return active_.empty() && network_->wake_when_ready(); }

}  // namespace ramjet::channel
