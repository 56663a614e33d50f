// SPDX-License-Identifier: Apache-2.0
// A net_channel in the hands of the second thread, which serves the peers' accesses while the
// endpoint's thread does not pump. What comes for the lanes goes there: lanes are made for two
// threads. Answers to this endpoint's accesses concern its calls and its program's memory, so they
// are kept for its next pump.
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "channel/net/peer_link.hpp"
#include "job/join.hpp"

namespace ramjet::channel {

void net_channel::allow_serving() { turn_.share(job::self().barrier_ok); }

service net_channel::serve() {
  constexpr unsigned kRoundsMax = 4;  // then other work of the thread has its turn
  if (!turn_.try_take()) return {.busy = true};
  by_second_ = true;
  unsigned moved = 0;
  for (unsigned round = 0; round < kRoundsMax && (moved = serve_round()) != 0; ++round) {
  }
  const bool for_owner = !kept_.empty();
  const bool armed = moved == 0 && network_->wake_when_ready();
  bool unsent = false;  // and not because the wire is full
  for (const peer_link* l : active_)
    unsent |= l->has_way() && !(l->box->empty() && l->owed.empty()) && !l->way->wire->is_full();
  by_second_ = false;
  turn_.give_back();
  return {.more = moved != 0, .again = !armed || unsent, .for_owner = for_owner};
}

// A pump without what is the endpoint's thread's alone; returns how much came.
unsigned net_channel::serve_round() {
  take_streams();
  network_->progress();
  unsigned moved = 0;
  for (std::size_t i = 0; i < connections_.size(); ++i) moved += receive(*connections_[i]);
  for_lanes_ = served_ = false;
  if (moved != 0) quiet_pumps_ = 0;
  send_left_behind();
  network_->progress();
  return moved;
}

// --- Answers -------------------------------------------------------------------------------------

// Of an answer that the endpoint's thread has begun to receive: the rest goes to memory of the
// channel's, since the program's may be its own again at any time.
void net_channel::keep_rest(connection& c) {
  c.kept.resize(c.region.bytes);
  c.region.to = c.kept.data();
  c.commit = connection::then::kept;
  c.kept_in_window = false;
}

const char* net_channel::keep_answer(connection& c, const frame_head& head,
                                     const frame_body& body) {
  peer_link& l = *c.link;
  const std::size_t bytes = kAnswerLead + head.words;
  if (!l.window.awaits(l.kept_bytes + bytes)) return kNotBegun;
  l.kept_bytes += bytes;
  c.access_id = head.position;
  c.access = {head.extended, body.word(0), {nullptr, head.words}};
  c.kept.resize(head.words);
  c.kept_in_window = true;
  if (head.words > access::kGatheredBytesMax) {
    c.region = {c.kept.data(), head.words};
    c.commit = connection::then::kept;
    return nullptr;
  }
  if (head.words != 0) std::memcpy(c.kept.data(), body.at(1), head.words);
  keep(c);
  return nullptr;
}

// All bytes of the answer are there. The endpoint's thread may have received the last of them.
void net_channel::keep(connection& c) {
  c.commit = connection::then::nothing;
  kept_answer kept{c.link->peer, c.access_id, c.access, std::exchange(c.kept, {}),
                   c.kept_in_window};
  if (by_second_) return kept_.push_back(std::move(kept));
  if (const char* wrong = take_kept_answer(kept)) broken(c, wrong);
}

// The endpoint's thread: takes the answers that the second thread has kept; returns how many.
unsigned net_channel::take_kept() {
  if (kept_.empty()) [[likely]]
    return 0;
  std::vector<kept_answer> all = std::exchange(kept_, {});
  for (kept_answer& kept : all) {
    const char* wrong = take_kept_answer(kept);
    peer_link& l = link_to(kept.peer);
    if (wrong != nullptr && l.source != nullptr && !l.source->is_gone()) broken(*l.source, wrong);
  }
  return unsigned(all.size());
}

const char* net_channel::take_kept_answer(kept_answer& kept) {
  const access_functions& here = the_access_functions();
  peer_link& l = link_to(kept.peer);
  const std::size_t total = kept.about.bytes.count;
  if (kept.in_window) {
    l.kept_bytes -= kAnswerLead + total;
    if (!l.window.take(kAnswerLead + total)) return kNotBegun;
  }
  if (total <= access::kGatheredBytesMax) {
    kept.about.bytes.bytes = kept.bytes.data();
    return here.answered(kept.peer, kept.id, kept.about);
  }
  const char* wrong = nullptr;
  std::byte* const to = here.landing(kept.peer, kept.id, kept.about, wrong);
  if (to == nullptr) return wrong;
  std::memcpy(to + (total - kept.bytes.size()), kept.bytes.data(), kept.bytes.size());
  return here.answered(kept.peer, kept.id, kept.about);
}

}  // namespace ramjet::channel
