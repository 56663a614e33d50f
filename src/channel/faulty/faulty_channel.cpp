// SPDX-License-Identifier: Apache-2.0
#include "channel/faulty/faulty_channel.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "job/join.hpp"
#include "lane/shared_lane.hpp"

namespace ramjet::channel {

bool parse_fault_plan(const std::string& text, fault_plan& into) {
  const std::string prefix = "faulty:", drop = ":drop";
  if (text.rfind(prefix, 0) != 0) return false;
  std::string seed = text.substr(prefix.size());
  into.drop = seed.size() > drop.size() && seed.ends_with(drop);
  if (into.drop) seed.resize(seed.size() - drop.size());
  const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), into.seed);
  return error == std::errc{} && end == seed.data() + seed.size();
}

faulty_channel::faulty_channel(unsigned port, std::unique_ptr<channel> inner,
                               const fault_plan& plan)
    : port_(port), inner_(std::move(inner)), plan_(plan), random_(plan.seed * 1000003 + port) {
  std::mt19937_64 shared(plan.seed);  // every rank must choose the same victim
  victim_ = unsigned(shared() % job::self().ranks);
  drop_at_ = 2000 + shared() % 20000;
}

// The relay reads its lanes in every pump: nobody has to ring for it.
link faulty_channel::connect(unsigned peer) {
  for (const relayed& r : links_)
    if (r.peer == peer) return r.outer;
  const lane::lane_shape& g = lane::job_shape();
  const link inner = inner_->connect(peer);
  const detail::lane& out = lanes_.emplace_back(inner.out).get();
  const detail::lane& in = lanes_.emplace_back(inner.in).get();
  relayed r{peer, {out, in}, {}, {}};
  inner.in.credit->attended.store(1, std::memory_order_relaxed);
  r.out = lane_relay(r.outer.out, inner.out, g.ring_words, g.payload_bytes);
  r.in = lane_relay(inner.in, r.outer.in, g.ring_words, g.payload_bytes);
  links_.push_back(r);
  return r.outer;
}

void faulty_channel::report_no_loss(unsigned peer) {
  for (relayed& r : links_)
    if (r.peer == peer) r.loss_reported = true;
}

void faulty_channel::disconnect(unsigned peer) {
  report_no_loss(peer);
  inner_->disconnect(peer);
}

void faulty_channel::stop_sending(unsigned peer) {
  report_no_loss(peer);
  inner_->stop_sending(peer);
}

// Once all that the peer has answered before is here.
bool faulty_channel::closed_by_peer(unsigned peer) const {
  const auto has_answers = [peer](const relayed& r) { return r.peer == peer && !r.out.all_back(); };
  return inner_->closed_by_peer(peer) && std::ranges::none_of(links_, has_answers);
}

void faulty_channel::drop_if_due(relayed& r) {
  if (!plan_.drop || r.closed || pumps_ < drop_at_ || r.peer == port_) return;
  const unsigned endpoints = job::self().layout.endpoints;
  r.closed = r.peer / endpoints == victim_ || port_ / endpoints == victim_;
}

unsigned faulty_channel::pump() {
  ++pumps_;
  unsigned moved = inner_->pumps() ? inner_->pump() : 0;
  for (relayed& r : links_) {
    drop_if_due(r);
    if (r.closed) continue;
    if (r.stall != 0) {
      --r.stall;
      continue;
    }
    const std::uint64_t dice = random_();
    if (dice % 16 == 0) r.stall = unsigned(dice >> 8) % 64;
    const unsigned most = 1 + unsigned(dice >> 16) % 16;
    const unsigned before = moved;
    if (dice >> 32 & 3) moved += r.out.forward(most);
    r.used |= moved != before;
    if (r.used && inner_->pumps()) inner_->rung(r.peer, r.out.target(), true);
    if (dice >> 34 & 3) moved += r.in.backward(most);
    if (dice >> 36 & 3) moved += r.out.backward(most);
    if (dice >> 38 & 3) moved += r.in.forward(most);
    r.used |= moved != before;
  }
  return moved;
}

bool faulty_channel::drained() {
  for (const relayed& r : links_)
    if (!r.closed && !r.loss_reported && !(r.out.all_forward() && r.in.all_back())) return false;
  return inner_->drained();
}

int faulty_channel::take_lost() {
  for (relayed& r : links_) {
    if (!r.closed || r.loss_reported) continue;
    r.loss_reported = true;
    return int(r.peer);
  }
  return -1;
}

}  // namespace ramjet::channel
