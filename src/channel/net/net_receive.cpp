// SPDX-License-Identifier: Apache-2.0
// What comes over a net_channel's streams: frames for the lanes, deposits, accesses and answers.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "channel/net/peer_link.hpp"
#include "channel/net/tsan_annotations.hpp"
#include "job/join.hpp"
#include "lane/bell.hpp"
#include "mesh/mesh.hpp"

namespace ramjet::channel {

namespace {

constexpr unsigned kReceivesMax = 16;  // in one pump, of one stream
static_assert(kInboxBytes >= sizeof(frame_head) + kFrameWordsMax * sizeof(detail::word));

// A frame of a head and a body no longer than this is whole in the inbox before it is applied.
constexpr std::size_t kBodyMax = kFrameWordsMax * sizeof(std::uint64_t);
constexpr std::size_t kTooLong = kBodyMax + 1;
static_assert(access::kAnswerBytesMax <= UINT16_MAX && access::kRequestBytesMax <= UINT16_MAX);
static_assert(kBodyMax >= access::kRequestBytesMax &&
              kBodyMax >= sizeof(std::uint64_t) + access::kGatheredBytesMax);

// After a change that the receiver must see, if it does not read the lane by itself.
void ring_if_needed(target_mirror& t) {
  // store-load: am.attended (sender)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (t.must_ring()) lane::ring(t.lane());
}

std::size_t body_of(const frame_head& head) {
  switch (frame_kind(head.kind)) {
    case frame_kind::records:
    case frame_kind::answers:
      return head.words * sizeof(std::uint64_t);
    case frame_kind::access:
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

}  // namespace

// Into the inbox, or straight to where the bytes belong. How many: as stream::receive says; `most`
// there was room for.
std::ptrdiff_t net_channel::receive_some(connection& c, std::size_t& most) {
  if (c.region.bytes != 0 && c.begin == c.end) {
    const bool stays = has_place(c);
    most = stays ? c.region.bytes : std::min(c.region.bytes, kInboxBytes);
    const std::ptrdiff_t got = c.wire->receive(stays ? c.region.to : c.inbox.get(), most);
    if (got > 0) take_region(c, std::size_t(got));
    return got;
  }
  if (c.begin != 0) {
    std::memmove(c.inbox.get(), c.inbox.get() + c.begin, c.end - c.begin);
    c.end -= std::exchange(c.begin, 0);
  }
  most = kInboxBytes - c.end;
  const std::ptrdiff_t got = c.wire->receive(c.inbox.get() + c.end, most);
  if (got > 0) c.end += std::size_t(got);
  return got;
}

// A peer that is dead.
bool net_channel::has_fallen_silent(const peer_link& l) {
  return l.read_until_ns != 0 && base::now_ns() >= l.read_until_ns;
}

unsigned net_channel::receive(connection& c) {
  unsigned moved = 0;
  for (unsigned i = 0; i < kReceivesMax && !c.is_gone(); ++i) {
    std::size_t most;
    const std::ptrdiff_t got = receive_some(c, most);
    if (got <= 0) {
      if (got < 0 || c.now == connection::state::unwritable || has_fallen_silent(*c.link))
        broken(c, got == stream::kAltered ? mesh::kBytesAltered : mesh::kConnectionBroke);
      break;
    }
    note_received();
    moved += 1 + parse(c);
    if (c.now == connection::state::peer_left) {  // a peer that closes needs nothing more
      c.wire->finish();
      close(c);
    }
    if (std::size_t(got) < most) break;  // there was no more
  }
  return moved;
}

// Takes as many frames out of the inbox as are whole.
unsigned net_channel::parse(connection& c) {
  unsigned frames = 0;
  while (!c.is_gone() && c.now != connection::state::peer_left && c.begin != c.end) {
    if (c.region.bytes != 0) {
      const std::size_t n = std::min(c.region.bytes, c.end - c.begin);
      if (has_place(c)) std::memcpy(c.region.to, c.inbox.get() + c.begin, n);
      c.begin += n;
      take_region(c, n);
      if (c.region.bytes != 0) break;
      continue;
    }
    if (!take_frame(c)) break;
    ++frames;
  }
  return frames;
}

// The next frame of the inbox; false if it is not whole yet.
bool net_channel::take_frame(connection& c) {
  const std::byte* const frame = c.inbox.get() + c.begin;
  const std::size_t available = c.end - c.begin;
  frame_head head;
  if (available < sizeof head) return false;
  std::memcpy(&head, frame, sizeof head);
  const std::size_t body = body_of(head);
  if (body > kBodyMax) {
    broken(c, "it sent a frame that is too long");
    return true;
  }
  if (available < sizeof head + body) return false;
  c.begin += sizeof head + body;
  if (const char* wrong = apply(c, head, frame_body(frame + sizeof head))) {
    broken(c, wrong);
  } else if (c.commit != connection::then::nothing && c.region.bytes == 0) {
    land(c);
  }
  return true;
}

const char* net_channel::apply(connection& c, const frame_head& head, const frame_body& body) {
  const auto kind = frame_kind(head.kind);
  peer_link& l = *c.link;
  if (kind == frame_kind::bye) {
    c.now = connection::state::peer_left;
    c.bye_came = true;
    return nullptr;
  }
  if (l.source == nullptr) l.source = &c;
  if (l.source != &c) return "it sent frames by two streams";
  if (kind <= frame_kind::consumed) for_lanes_ = true;
  switch (kind) {
    case frame_kind::records:
      return take_records(c, head, body);
    case frame_kind::answers:
      if (head.extended != 0) c.commit = connection::then::answer;
      return l.out.apply_answers(head, body, c.region);
    case frame_kind::credit:
      return l.out.apply_credit(body.word(0));
    case frame_kind::consumed:
      return take_consumed(l, body);
    case frame_kind::deposit:
      return take_deposit(c, body);
    case frame_kind::access:
      return serve(l, head, body);
    case frame_kind::answer:
      return take_answer(c, head, body);
    default:
      return "it sent a frame of no known kind";
  }
}

const char* net_channel::take_records(connection& c, const frame_head& head,
                                      const frame_body& body) {
  const char* wrong = c.link->in.apply_records(head, body, c.region);
  if (head.extended != 0) c.commit = connection::then::record;
  ring_if_needed(c.link->in);
  return wrong;
}

const char* net_channel::take_consumed(peer_link& l, const frame_body& body) {
  const char* wrong = l.in.apply_consumed(body.word(0));
  ring_if_needed(l.in);  // requests may wait for room for their replies
  return wrong;
}

const char* net_channel::take_deposit(connection& c, const frame_body& body) {
  std::byte* const to = find_segment_place(body.word(0), body.word(1));
  if (to == nullptr) return "it deposited outside the segment";
  c.region = {to, std::size_t(body.word(1))};
  c.commit = connection::then::nothing;
  return nullptr;
}

// Whether the bytes that come have a place to go to. An answer may lose its place between two
// pieces: the call ends when its target dies or leaves, and its memory is the program's again.
bool net_channel::has_place(connection& c) {
  if (c.commit != connection::then::access) return true;
  if (c.region.to == nullptr) return false;
  if (by_second_) {
    keep_rest(c);
    return true;
  }
  const char* wrong = nullptr;
  const bool stays =
      the_access_functions().landing(c.link->peer, c.access_id, c.access, wrong) != nullptr;
  if (!stays) c.region.to = nullptr;
  return stays;
}

void net_channel::take_region(connection& c, std::size_t bytes) {
  if (c.region.to != nullptr) c.region.to += bytes;
  c.region.bytes -= bytes;
  if (c.region.bytes == 0) land(c);
}

// All bytes of a region have come.
void net_channel::land(connection& c) {
  if (c.commit == connection::then::kept) return keep(c);
  if (c.commit == connection::then::answer) c.link->out.commit_region();
  if (c.commit == connection::then::record) {
    c.link->in.commit_region();
    ring_if_needed(c.link->in);
  }
  const bool answers = c.commit == connection::then::access && c.region.to != nullptr;
  c.commit = connection::then::nothing;
  if (!answers) return;
  const char* wrong = the_access_functions().answered(c.link->peer, c.access_id, c.access);
  if (wrong != nullptr) broken(c, wrong);
}

// --- Accesses ------------------------------------------------------------------------------------

// Of a rank of this node; null if the bytes are not all in one segment of those.
std::byte* net_channel::find_segment_place(std::uint64_t at, std::uint64_t bytes) const {
  if (segment_bytes_ == 0) return nullptr;
  const std::uint64_t rank = at / segment_bytes_, offset = at % segment_bytes_;
  const job::membership& m = job::self();
  const bool inside =
      rank < m.ranks && m.node_of[rank] == node_ && bytes <= segment_bytes_ - offset;
  return inside ? segments_ + at : nullptr;
}

// Does the access that the peer has begun, at once.
const char* net_channel::serve(peer_link& l, const frame_head& head, const frame_body& request) {
  // Else this side has said good-bye. What a dead peer had begun is done, and not answered.
  if (l.now != peer_link::state::open && l.read_until_ns == 0) return nullptr;
  const access_functions& here = the_access_functions();
  if (here.serve == nullptr) return "it asks for memory that this program does not share";
  access_answer answer{};
  const server by = by_second_ ? server::second_thread : server::endpoint;
  if (const char* wrong =
          here.serve(l.peer, head.extended, {request.at(0), head.words}, answer, by))
    return wrong;
  if (l.now != peer_link::state::open) return nullptr;
  const frame_head reply{std::uint8_t(frame_kind::answer), answer.what,
                         std::uint16_t(answer.bytes.count), head.position};
  activate(l);
  served_ = true;
  if (l.owed.empty() && l.box->room() < kAnswerLead + outbox::kLong) hand_over(l);
  if (l.owed.empty() && l.box->room() >= kAnswerLead + outbox::kLong) {
    l.box->put(reply);
    l.box->put(answer.word);
    l.box->put_now(answer.bytes, *l.way->wire);
    return nullptr;
  }
  l.owed.push({bytes_of(reply), bytes_of(answer.word), answer.bytes}, 0);
  return l.owed.bytes() <= kAccessWindow + access::kAnswerBytesMax + kAnswerLead
             ? nullptr
             : "it begins more accesses than it may before it has taken the answers";
}

const char* net_channel::take_answer(connection& c, const frame_head& head,
                                     const frame_body& body) {
  if (by_second_) return keep_answer(c, head, body);
  peer_link& l = *c.link;
  if (!l.window.take(kAnswerLead + head.words)) return kNotBegun;
  const access_functions& here = the_access_functions();
  const access_answer answer{head.extended, body.word(0), {body.at(1), head.words}};
  if (head.words <= access::kGatheredBytesMax) return here.answered(l.peer, head.position, answer);
  const char* wrong = nullptr;
  std::byte* const to = here.landing(l.peer, head.position, answer, wrong);
  if (wrong != nullptr) return wrong;
  c.region = {to, head.words};
  c.commit = connection::then::access;
  c.access_id = head.position;
  c.access = answer;
  c.access.bytes.bytes = nullptr;
  return nullptr;
}

// The peer is given up, unless one of the two has said good-bye: then the other may close.
void net_channel::broken(connection& c, const char* why) {
  const peer_link& l = *c.link;
  const bool in_order =
      c.now == connection::state::peer_left || l.is_over() || l.now == peer_link::state::leaving;
  close(c);
  if (!in_order) network_->give_up(l.peer, why);
}

}  // namespace ramjet::channel
