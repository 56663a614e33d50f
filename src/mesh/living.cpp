// SPDX-License-Identifier: Apache-2.0
// Signs of life: heartbeats, and connections that are not answered.
#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "job/join.hpp"
#include "mesh/service.hpp"

namespace ramjet::mesh {

namespace {

constexpr unsigned kHeartbeatsMax = 64;  // in a row, so that connections are served in between

bool is_joined(const membership& job, unsigned rank) {
  const auto state = job.line(rank).state.load(std::memory_order_relaxed);
  return rank_state(state) == rank_state::joined;
}

}  // namespace

// --- Signs of life -------------------------------------------------------------------------------

// The lowest rank of a node that runs speaks for the node, by heartbeats. Where they do not arrive,
// a firewall drops them perhaps, each rank says by its control connections that it lives.
void mesh_service::send_signs_of_life(std::uint64_t now) {
  if (timeout_ns_ == 0) return;
  job_.line(unsigned(job_.rank)).ran_ns.store(now, std::memory_order_relaxed);
  if (now - spoken_ns_ < period_ns_) return;
  spoken_ns_ = now;
  if (speaks_for_node(now)) send_heartbeat(now);
  send_notices(now);
  for (unsigned r = 0; r < controls_.size(); ++r) {
    if (controls_[r].fd < 0) continue;
    const node_view& node = node_views_[job_.node_of[r]];
    if (!node.hears_us || !is_heard(node, now)) send_news(r, {news::alive, 0, 0, 0, {}});
  }
}

bool mesh_service::is_heard(const node_view& node, std::uint64_t now) const {
  return node.heard_ns != 0 && now - std::min(now, node.heard_ns) < 3 * period_ns_;
}

bool mesh_service::speaks_for_node(std::uint64_t now) const {
  for (unsigned r = 0; r < unsigned(job_.rank); ++r) {
    if (!job_.near(r) || !is_joined(job_, r)) continue;
    const std::uint64_t ran = job_.line(r).ran_ns.load(std::memory_order_relaxed);
    if (ran != 0 && now - std::min(now, ran) < 2 * period_ns_) return false;
  }
  return true;
}

void mesh_service::send_heartbeat(std::uint64_t now) {
  heartbeat beat;
  beat.from = unsigned(job_.rank);
  for (unsigned r = 0; r < job_.ranks; ++r) {
    if (!job_.near(r) || !is_joined(job_, r)) continue;
    const std::uint64_t ran = job_.line(r).ran_ns.load(std::memory_order_relaxed);
    if (ran != 0 && now - std::min(now, ran) < period_ns_ + 2 * tick_ns_) set_bit(beat.alive, r);
  }
  for (unsigned n = 0; n < node_views_.size(); ++n)
    if (is_heard(node_views_[n], now)) set_bit(beat.heard, n);
  std::vector<const net_address*> to;
  for (unsigned r = 0; r < job_.ranks; ++r)
    if (controls_[r].fd >= 0 && !controls_[r].left) to.push_back(&addresses_[r].heartbeats);
  heartbeats_.send(beat, to);
}

// Its control connection may not reach a rank that has been given up: that is why it was.
void mesh_service::send_notices(std::uint64_t now) {
  std::erase_if(notices_, [now](const notice& n) { return now >= n.until_ns; });
  for (const notice& n : notices_) {
    heartbeat beat;
    beat.what = heartbeat::kind::given_up;
    beat.from = unsigned(job_.rank);
    beat.rank = n.rank;
    heartbeats_.send(beat, {&addresses_[n.rank].heartbeats});
  }
}

void mesh_service::take_heartbeats() {
  heartbeat beat;
  for (unsigned i = 0; i < kHeartbeatsMax && heartbeats_.receive(beat); ++i) {
    if (job_.near(beat.from)) continue;
    if (beat.what == heartbeat::kind::alive) take_signs_of_life(beat, base::now_ns());
    if (beat.what == heartbeat::kind::given_up && beat.rank == unsigned(job_.rank))
      end_given_up(beat.from, {loss_kind::silent, 0});
  }
}

void mesh_service::take_signs_of_life(const heartbeat& beat, std::uint64_t now) {
  const unsigned its_node = job_.node_of[beat.from];
  node_views_[its_node] = {now, has_bit(beat.heard, job_.node)};
  for (unsigned r = 0; r < job_.ranks; ++r)
    if (job_.node_of[r] == its_node && has_bit(beat.alive, r)) controls_[r].heard_ns = now;
}

void mesh_service::check_silence(std::uint64_t now) {
  if (timeout_ns_ == 0) return;
  for (unsigned r = 0; r < controls_.size(); ++r) {
    const control& c = controls_[r];
    if (c.fd < 0 || c.left || now - std::min(now, c.heard_ns) < timeout_ns_) continue;
    notices_.push_back({r, now + timeout_ns_});
    if (!is_dead(r))
      say("rank %u has not given a sign of life for %.1f s and is given up "
          "(RAMJET_FAILURE_TIMEOUT)",
          r, double(timeout_ns_) * 1e-9);
    give_up_rank(r, {loss_kind::silent, 0});
    lose_control(r, {loss_kind::silent, 0});
  }
  if (!notices_.empty() && notices_.back().until_ns == now + timeout_ns_) send_notices(now);
}

// Where a rank's signs of life come and are acknowledged, the way between the machines is sound,
// and a connection of a channel that is not answered is broken by itself.
void mesh_service::check_connections(std::uint64_t now, std::uint64_t elapsed_ns) {
  if (timeout_ns_ == 0) return;
  const std::uint64_t recent_ns = 3 * period_ns_;
  for (control& c : controls_) {
    transmission t;
    if (c.fd >= 0 && read_transmission(c.fd, t)) c.answers.advance(t, elapsed_ns, true);
  }
  const unsigned each = job_.layout.endpoints;
  const auto heard = [&](std::uint32_t to) {
    const control& c = controls_[to / each];
    return c.fd >= 0 && now - c.heard_ns < recent_ns && c.answers.silent_ns() < recent_ns;
  };
  std::vector<loss> silent;
  channel_connections_.check(
      elapsed_ns, timeout_ns_, heard, [&](std::uint32_t from, std::uint32_t to, int fd) {
        say("the connection of port %u (rank %u) to port %u (rank %u), %s, has not been answered "
            "for %.1f s though rank %u lives, and is given up (RAMJET_FAILURE_TIMEOUT); is there a "
            "firewall between them?",
            from, from / each, to, to / each, ends_of(fd).c_str(), double(timeout_ns_) * 1e-9,
            to / each);
        silent.push_back({to / each, {loss_kind::unanswered, 0}, ends_of(fd)});
      });
  for (const loss& l : silent) handle_loss(l);
}

}  // namespace ramjet::mesh
