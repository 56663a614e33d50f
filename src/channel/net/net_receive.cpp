// SPDX-License-Identifier: Apache-2.0
// What comes over a net_channel's streams: frames for the lanes, deposits, accesses and answers.
#include <algorithm>
#include <cstring>
#include <utility>

#include "channel/net/peer_link.hpp"
#include "channel/net/tsan_annotations.hpp"
#include "job/join.hpp"
#include "lane/bell.hpp"
#include "mesh/mesh.hpp"

namespace ramjet::channel {

namespace {

constexpr unsigned kReceivesMax = 16;  // in one pump, of one stream
static_assert(kInboxBytes >= sizeof(frame_head) + kFrameWordsMax * sizeof(detail::word));

// Frames whose head and body are no longer than this are in the inbox before they are looked at.
constexpr std::size_t kBodyMax = kFrameWordsMax * sizeof(std::uint64_t);
constexpr std::size_t kTooLong = kBodyMax + 1;
static_assert(access::kAnswerBytesMax <= UINT16_MAX && access::kRequestBytesMax <= UINT16_MAX);
static_assert(kBodyMax >= access::kRequestBytesMax &&
              kBodyMax >= sizeof(std::uint64_t) + access::kGatheredBytesMax);

// After what the receiver would have to look for.
void ring_if_needed(target_mirror& t) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (t.must_ring()) ring(t.lane());
}

std::size_t body_of(const frame_head& head) {
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

}  // namespace

unsigned net_channel::receive(connection& c) {
  unsigned moved = 0;
  for (unsigned i = 0; i < kReceivesMax && !c.gone; ++i) {
    std::ptrdiff_t got;
    std::size_t most;
    if (c.region.bytes != 0 && c.begin == c.end) {
      const bool stays = has_place(c);
      most = stays ? c.region.bytes : std::min(c.region.bytes, kInboxBytes);
      got = c.wire->receive(stays ? c.region.to : c.inbox.get(), most);
      if (got > 0) take_region(c, std::size_t(got));
    } else {
      if (c.begin != 0) {
        std::memmove(c.inbox.get(), c.inbox.get() + c.begin, c.end - c.begin);
        c.end -= std::exchange(c.begin, 0);
      }
      most = kInboxBytes - c.end;
      got = c.wire->receive(c.inbox.get() + c.end, most);
      if (got > 0) c.end += std::size_t(got);
    }
    if (got < 0 || (got == 0 && c.deaf)) {
      broken(c, job::kConnectionBroke);
      break;
    }
    if (got == 0) break;
    note_received();
    moved += 1 + parse(c);
    if (c.said_bye && !c.gone) {  // whoever closes needs nothing more
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
  while (!c.gone && c.begin != c.end) {
    if (c.region.bytes != 0) {
      const std::size_t n = std::min(c.region.bytes, c.end - c.begin);
      if (has_place(c)) std::memcpy(c.region.to, c.inbox.get() + c.begin, n);
      c.begin += n;
      take_region(c, n);
      if (c.region.bytes != 0) break;
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
      case frame_kind::records:
        wrong = l.in.apply_records(head, words, c.region);
        if (head.extended != 0) c.commit = connection::then::record;
        ring_if_needed(l.in);
        break;
      case frame_kind::answers:
        wrong = l.out.apply_answers(head, words, c.region);
        if (head.extended != 0) c.commit = connection::then::answer;
        break;
      case frame_kind::credit:
        wrong = l.out.apply_credit(words[0]);
        break;
      case frame_kind::consumed:
        wrong = l.in.apply_consumed(words[0]);
        ring_if_needed(l.in);  // requests may wait for room for their replies
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

// Whether what comes has a place to go to. Of an answer that may end between two pieces: the call
// ends when its target dies or leaves, and its memory is the program's again.
bool net_channel::has_place(connection& c) {
  if (c.commit != connection::then::access) return true;
  if (c.region.to == nullptr) return false;
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

bool net_channel::fetches(unsigned peer) {
  const peer_link& l = link_to(peer);
  return l.way != nullptr && !l.way->gone && l.way->wire->fetches();
}

// Has the network read the bytes, once all that was asked before is answered.
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
  l.fetching = true;
  l.fetching_id = a.id;
  l.fetched = a.fetched;
  l.fetched.bytes.count = a.answer_bytes;
  return access_start::taken;
}

bool net_channel::take_fetched(peer_link& l) {
  if (!l.fetching || l.way->gone) return false;
  const stream::copy how = l.way->wire->copied();
  if (how == stream::copy::runs) return false;
  l.fetching = false;
  if (how == stream::copy::failed) {
    broken(*l.way, "its memory cannot be read any more");
    return true;
  }
  l.fetched.bytes.bytes = l.way->wire->fetched();
  const char* wrong = the_access_functions().answered(l.peer, l.fetching_id, l.fetched);
  if (wrong != nullptr) broken(*l.way, wrong);
  return true;
}

// Does what the peer asks for, at once; null, or what is wrong with it.
const char* net_channel::serve(peer_link& l, const frame_head& head, const std::byte* request) {
  if (l.said_bye || l.way->gone) return nullptr;  // it asks whom it knows to leave, or cannot hear
  const access_functions& here = the_access_functions();
  if (here.serve == nullptr) return "it asks for memory that this program does not share";
  access_answer answer{};
  if (const char* wrong = here.serve(l.peer, head.extended, {request, head.words}, answer))
    return wrong;
  const frame_head reply{std::uint8_t(frame_kind::answer), answer.what,
                         std::uint16_t(answer.bytes.count), head.position};
  activate(l);
  served_ = true;
  if (l.owed.empty() && l.box->room() < kAnswerLead + outbox::kLong) l.box->flush(*l.way->wire);
  if (l.owed.empty() && l.box->room() >= kAnswerLead + outbox::kLong) {
    l.box->put(reply);
    l.box->put(answer.word);
    l.box->put_now(answer.bytes, *l.way->wire);
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

// The peer is given up, unless one of the two had said good-bye: then the other may close.
void net_channel::broken(connection& c, const char* why) {
  close(c);
  if (c.said_bye || c.link->said_bye || c.link->closed) return;
  network_->give_up(c.link->peer, why);
}

}  // namespace ramjet::channel
