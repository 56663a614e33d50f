// SPDX-License-Identifier: Apache-2.0
#include "channel/net/net_channel.hpp"

#include <sched.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "channel/bell.hpp"
#include "channel/net/waiting_frames.hpp"
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

constexpr std::size_t kAnswerLead = sizeof(frame_head) + sizeof(std::uint64_t);
// What an access takes in the outbox at most.
constexpr std::size_t kAskRoom =
    2 * sizeof(frame_head) + sizeof(deposit_head) + outbox::kLong + access::kRequestBytesMax;

struct deposit_lead {
  frame_head head{std::uint8_t(frame_kind::deposit), 0, 0, 0};
  deposit_head about;
};

template <class T>
piece bytes_of(const T& value) {
  return {reinterpret_cast<const std::byte*>(&value), sizeof value};
}

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
  enum class then : std::uint8_t { nothing, answer, record, access } commit = then::nothing;
  std::uint32_t access_id = 0;
  access_answer access{};
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
  waiting_frames waiting;  // deposits and accesses, before all records of the lanes
  waiting_frames owed;  // answers
  access_window window;
  bool fetching = false;  // one access, alone; then what to say, and to whom
  std::uint32_t fetching_id = 0;
  access_answer fetched{};

  // Nothing is left to send.
  bool idle() const { return box->empty() && waiting.empty() && owed.empty() && !fetching; }

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
    if (!l.box->flush(*l.way->wire)) send_failed(*l.way);
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
    if (l.closed || (l.way != nullptr && l.way->gone) || has_gone(l.peer)) return false;
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
    while (begun == stream::begun::yes && !l.way->wire->copied())
      if (!go_on() || l.way->gone) return;
    if (begun == stream::begun::yes) return;
    while (!has_room())
      if (!go_on()) return;
  }
  l.box->put(lead);
  l.box->put_region(all.bytes, bytes);
  if (bytes < outbox::kLong) return;  // goes with the record that it belongs to
  do {
    if (!l.way->gone && !l.box->flush(*l.way->wire)) send_failed(*l.way);
    if (l.box->empty()) return;
  } while (go_on());
  close(*l.way);  // what is left of the caller's bytes may not be sent any more
}

bool net_channel::ask(unsigned peer, const access& a, bool in_handler) {
  peer_link& l = link_to(peer);
  if (l.closed || (l.way != nullptr ? l.way->gone : has_gone(peer))) return true;
  activate(l);
  quiet_pumps_ = 0;
  want(l);
  const std::size_t answer = kAnswerLead + a.answer_bytes;
  bool fits = l.way != nullptr && l.waiting.empty() && !l.fetching && l.window.allows(answer) &&
              l.box->room() >= kAskRoom;
  if (a.fetch_to != nullptr) {
    if (fits && fetch(l, a)) return true;
    fits = false;
  }
  if (!fits && !in_handler) return false;
  const frame_head head{std::uint8_t(frame_kind::ask), a.what,
                        std::uint16_t(a.request.count + a.more.count), a.id};
  const deposit_lead lead{.about = {a.deposit_at, a.deposit.count}};
  const piece first = a.deposit.count != 0 ? bytes_of(lead) : piece{nullptr, 0};
  if (!fits) {
    l.waiting.push({first, a.deposit, bytes_of(head), a.request, a.more}, answer);
    return true;
  }
  if (a.deposit.count != 0) {
    l.box->put(lead);
    l.box->put_region(a.deposit.bytes, a.deposit.count);
    if (l.box->has_long() && !l.box->flush(*l.way->wire)) send_failed(*l.way);
    l.box->keep_direct();
  }
  if (l.box->has_long()) {
    l.waiting.push({bytes_of(head), a.request, a.more}, answer);
    return true;
  }
  l.window.ask(answer);
  l.box->put(head);
  l.box->put(a.request.bytes, a.request.count);
  l.box->put(a.more.bytes, a.more.count);
  if (!in_handler) send_if_idle(l);
  return true;
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

// Frames whose head and body are no longer than this are in the inbox before they are looked at.
constexpr std::size_t kBodyMax = kFrameWordsMax * sizeof(std::uint64_t);
constexpr std::size_t kTooLong = kBodyMax + 1;
static_assert(kBodyMax >= access::kRequestBytesMax &&
              kBodyMax >= sizeof(std::uint64_t) + access::kGatheredBytesMax);

static std::size_t body_of(const frame_head& head) {
  switch (frame_kind(head.kind)) {
    case frame_kind::records:
    case frame_kind::answers:
      return head.words * sizeof(std::uint64_t);
    case frame_kind::ask:
      return head.words <= access::kRequestBytesMax ? head.words : kTooLong;
    case frame_kind::answer:
      if (head.words > access::kAnswerBytesMax) return kTooLong;
      return sizeof(std::uint64_t) + (head.words > access::kGatheredBytesMax ? 0 : head.words);
    case frame_kind::deposit:
      return sizeof(deposit_head);
    case frame_kind::bye:
      return 0;
    default:
      return sizeof(std::uint64_t);
  }
}

// False if the frame is not whole yet.
bool net_channel::take_frame(connection& c, const std::byte* frame, std::size_t available,
                             std::size_t& used) {
  frame_head head;
  if (available < sizeof head) return false;
  std::memcpy(&head, frame, sizeof head);
  const auto kind = frame_kind(head.kind);
  const std::size_t body = body_of(head);
  const char* wrong = nullptr;
  if (body > kBodyMax) wrong = "it sent a frame that is too long";
  if (wrong == nullptr && available < sizeof head + body) return false;
  used = sizeof head + body;
  std::uint64_t words[kBodyMax / sizeof(std::uint64_t)];
  if (wrong == nullptr) std::memcpy(words, frame + sizeof head, body);
  peer_link& l = *c.link;
  if (kind != frame_kind::bye && l.source == nullptr) l.source = &c;
  if (kind != frame_kind::bye && l.source != &c) wrong = "it sent frames by two streams";
  if (kind <= frame_kind::consumed) for_lanes_ = true;
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
        c.region = {find_segment_place(words[0], words[1]), words[1]};
        if (c.region.to == nullptr) {
          wrong = "it deposited outside the segment";
          c.region = {};
        }
        c.commit = connection::then::nothing;
        break;
      case frame_kind::bye:
        c.said_bye = true;
        break;
      case frame_kind::ask:
        wrong = serve(l, head, reinterpret_cast<const std::byte*>(words));
        break;
      case frame_kind::answer:
        wrong = take_answer(c, head, words);
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
  const char* wrong = nullptr;
  if (c.commit == connection::then::access)
    wrong = the_access_functions().answered(c.link->peer, c.access_id, c.access);
  c.commit = connection::then::nothing;
  if (wrong != nullptr) broken(c, wrong);
}

// --- Accesses ------------------------------------------------------------------------------------

// Of a rank of this node; null if the bytes are not all in one segment of those.
std::byte* net_channel::find_segment_place(std::uint64_t at, std::uint64_t bytes) const {
  const std::uint64_t rank = at / segment_bytes_, offset = at % segment_bytes_;
  const job::membership& m = job::self();
  const bool inside =
      rank < m.ranks && m.node_of[rank] == node_ && bytes <= segment_bytes_ - offset;
  return inside ? segments_ + at : nullptr;
}

bool net_channel::fetches(unsigned peer) {
  const peer_link& l = link_to(peer);
  return l.way != nullptr && !l.way->gone && l.way->wire->fetches();
}

// Has the network read the bytes, once all that was asked before is answered; false: not now.
bool net_channel::fetch(peer_link& l, const access& a) {
  if (!l.window.empty() || !l.box->empty() || l.way->gone) return false;
  const auto begun = l.way->wire->fetch(a.fetch_at, a.fetch_to, a.answer_bytes);
  if (begun == stream::begun::never) broken(*l.way, "its memory cannot be read");
  if (begun != stream::begun::yes) return begun == stream::begun::never;
  l.fetching = true;
  l.fetching_id = a.id;
  l.fetched = a.fetched;
  return true;
}

bool net_channel::take_fetched(peer_link& l) {
  if (!l.fetching || l.way->gone || !l.way->wire->copied()) return false;
  l.fetching = false;
  const char* wrong = the_access_functions().answered(l.peer, l.fetching_id, l.fetched);
  if (wrong != nullptr) broken(*l.way, wrong);
  return true;
}

// Does what the peer asks for, at once; null, or what is wrong with it.
const char* net_channel::serve(peer_link& l, const frame_head& head, const std::byte* request) {
  if (l.said_bye) return nullptr;  // it asks whom it knows to leave
  const access_functions& here = the_access_functions();
  if (here.serve == nullptr) return "it asks for memory that this program does not share";
  access_answer answer{};
  if (const char* wrong = here.serve(l.peer, head.extended, {request, head.words}, answer))
    return wrong;
  const frame_head reply{std::uint8_t(frame_kind::answer), answer.what,
                         std::uint16_t(answer.bytes.count), head.position};
  activate(l);
  served_ = true;
  if (l.owed.empty() && l.box->room() >= kAnswerLead + answer.bytes.count) {
    l.box->put(reply);
    l.box->put(answer.word);
    l.box->put(answer.bytes.bytes, answer.bytes.count);
    return nullptr;
  }
  l.owed.push({bytes_of(reply), bytes_of(answer.word), answer.bytes}, 0);
  return l.owed.bytes() <= kAccessWindow + access::kAnswerBytesMax + kAnswerLead
             ? nullptr
             : "it asks for more than it may before it has taken the answers";
}

const char* net_channel::take_answer(connection& c, const frame_head& head,
                                     const std::uint64_t* body) {
  peer_link& l = *c.link;
  if (!l.window.take(kAnswerLead + head.words)) return "it answers what it was not asked";
  const access_functions& here = the_access_functions();
  const access_answer answer{
      head.extended, body[0], {reinterpret_cast<const std::byte*>(body + 1), head.words}};
  if (head.words <= access::kGatheredBytesMax) return here.answered(l.peer, head.position, answer);
  std::byte* const to = here.landing(l.peer, head.position, answer);
  if (to == nullptr) return "it answers with more than it was asked for";
  c.region = {to, head.words};
  c.commit = connection::then::access;
  c.access_id = head.position;
  c.access = answer;
  c.access.bytes.bytes = nullptr;
  return nullptr;
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
    if (!l.closed) moved += collect(l) + unsigned(take_fetched(l));
    const bool done = l.closed || (l.way == nullptr ? has_gone(l.peer) : l.way->gone || l.idle());
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
  if (!l.waiting.empty() || !l.owed.empty() || l.fetching) return false;
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
