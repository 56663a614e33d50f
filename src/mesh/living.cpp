// SPDX-License-Identifier: Apache-2.0
// Signs of life: nodes watch nodes, and the ranks of a node watch each other (ADR 35).
//
// The agent of a node, its lowest rank that runs, exchanges heartbeats with the agents of the other
// nodes. Whoever of a node hears another node notes it on the board for all ranks. The agent judges
// the silence of the other nodes, and of the ranks of its own.
#include <algorithm>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "job/join.hpp"
#include "mesh/service.hpp"

namespace ramjet::mesh {

namespace {

constexpr unsigned kHeartbeatsMax = 64;  // in a row, so that connections are served in between
// A machine that answers shows that it is up. Whether a process there is stopped or starved, it
// does not show: a node is given up after this many times the limit.
constexpr unsigned kLimitsOfUnseen = 3;

// "rank 3", "ranks 2, 3"
std::string list_of(const std::vector<unsigned>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return text;
}

}  // namespace

bool mesh_service::is_joined(unsigned rank) const {
  const auto state = job_.line(rank).state.load(std::memory_order_relaxed);
  return rank_state(state) == rank_state::joined;
}

// The board's line for the node as a whole.
rank_line& mesh_service::line_of_node(unsigned node) const {
  return job_.line(ranks_of_[node].front());
}

std::vector<unsigned> mesh_service::joined_ranks(unsigned node) const {
  std::vector<unsigned> found;
  for (const unsigned r : ranks_of_[node])
    if (is_joined(r)) found.push_back(r);
  return found;
}

// --- Sending -------------------------------------------------------------------------------------

bool mesh_service::is_agent(std::uint64_t now) const {
  for (const unsigned r : ranks_of_[job_.node]) {
    if (r >= unsigned(job_.rank)) break;
    if (!is_joined(r)) continue;
    const std::uint64_t ran = job_.line(r).ran_ns.load(std::memory_order_relaxed);
    if (ran != 0 && now - std::min(now, ran) < 2 * period_ns_) return false;
  }
  return true;
}

void mesh_service::send_signs_of_life(std::uint64_t now) {
  if (timeout_ns_ == 0 || now - spoken_ns_ < period_ns_) return;
  spoken_ns_ = now;
  send_notices(now);
  if (!is_agent(now)) return;
  for (unsigned n = 0; n < job_.nodes; ++n)
    if (n != job_.node) send_sign_of_life(n, now);
}

// One datagram to the lowest rank of the node, which is its agent while it runs. While the node is
// silent, or does not get our datagrams, one of its ranks by turns gets a datagram and a message on
// its control connection: the lowest rank may have stopped, or a firewall may drop datagrams.
void mesh_service::send_sign_of_life(unsigned node, std::uint64_t now) {
  const std::vector<unsigned> ranks = joined_ranks(node);
  if (ranks.empty()) return;
  node_view& v = node_views_[node];
  heartbeat beat;
  beat.from = unsigned(job_.rank);
  beat.machine = machine_;
  beat.thread = thread_number_;
  beat.hears_you = v.datagram_ns != 0 && now - std::min(now, v.datagram_ns) < 3 * period_ns_;
  beat.to = ranks.front();
  heartbeats_.send(beat, addresses_[beat.to].heartbeats);
  if (v.silence.silent_ns() < 3 * period_ns_ && v.hears_us) return;
  v.probed = ranks[v.turn++ % ranks.size()];
  if (v.probed != beat.to) {
    beat.to = v.probed;
    heartbeats_.send(beat, addresses_[v.probed].heartbeats);
  }
  send_news(v.probed, {news::alive, 0, 0, 0, {}});
}

// Its control connection may not reach a rank that has been given up: that may be the reason.
void mesh_service::send_notices(std::uint64_t now) {
  std::erase_if(notices_, [now](const notice& n) { return now >= n.until_ns; });
  for (const notice& n : notices_) {
    heartbeat beat;
    beat.what = heartbeat::kind::given_up;
    beat.from = unsigned(job_.rank);
    beat.to = n.rank;
    beat.why = loss_kind::silent;
    heartbeats_.send(beat, addresses_[n.rank].heartbeats);
  }
}

// --- Receiving -----------------------------------------------------------------------------------

void mesh_service::take_heartbeats() {
  heartbeat beat;
  for (unsigned i = 0; i < kHeartbeatsMax && heartbeats_.receive(beat); ++i) {
    if (job_.near(beat.from)) continue;
    if (beat.what == heartbeat::kind::given_up) end_given_up(int(beat.from), {beat.why, 0});
    if (beat.what == heartbeat::kind::alive) take_sign_of_life(beat, base::now_ns());
  }
}

void mesh_service::take_sign_of_life(const heartbeat& beat, std::uint64_t now) {
  const unsigned node = job_.node_of[beat.from];
  node_view& v = node_views_[node];
  v.hears_us = beat.hears_you != 0;
  v.datagram_ns = now;
  const bool is_shown = machine_ != 0 && beat.machine == machine_;
  line_of_node(node).mesh_thread.store(is_shown ? beat.thread : 0, std::memory_order_relaxed);
  note_heard(beat.from, now);
}

// Whatever comes from a rank elsewhere is a sign of life of its node.
void mesh_service::note_heard(unsigned rank, std::uint64_t now) {
  line_of_node(job_.node_of[rank]).ran_ns.store(now, std::memory_order_relaxed);
}

bool mesh_service::was_heard(unsigned node, std::uint64_t now) const {
  const std::uint64_t heard = line_of_node(node).ran_ns.load(std::memory_order_relaxed);
  return heard != 0 && now - std::min(now, heard) < 3 * period_ns_;
}

// --- Silence -------------------------------------------------------------------------------------

// `elapsed_ns` without the time in which this thread did not run: that is no silence of the others.
void mesh_service::watch_silence(std::uint64_t now, std::uint64_t elapsed_ns) {
  end_if_given_up();
  if (timeout_ns_ == 0) return;
  for (near_view& v : near_views_) {
    const std::uint64_t ran = job_.line(v.rank).ran_ns.load(std::memory_order_relaxed);
    v.silence.advance(ran, ran != 0 && is_joined(v.rank) ? elapsed_ns : 0);
  }
  for (unsigned n = 0; n < job_.nodes; ++n) {
    const std::uint64_t heard = line_of_node(n).ran_ns.load(std::memory_order_relaxed);
    if (n != job_.node) node_views_[n].silence.advance(heard, elapsed_ns);
  }
  if (!is_agent(now)) return;
  for (near_view& v : near_views_) judge_neighbour(v);
  for (unsigned n = 0; n < job_.nodes; ++n)
    if (n != job_.node) judge_node(n, now);
}

// Looks at the silent thread once in a period, in the second half of the limit and at its end.
void mesh_service::look(silence_clock& silence, starvation_watch& watch, std::uint32_t thread,
                        std::uint64_t limit_ns) {
  if (silence.silent_ns() < timeout_ns_ / 2) return;
  if (silence.unseen_ns() >= period_ns_ || silence.silent_ns() >= limit_ns)
    silence.look(watch.is_starved(thread));
}

void mesh_service::judge_neighbour(near_view& v) {
  if (!is_joined(v.rank)) return;
  const std::uint32_t thread = job_.line(v.rank).mesh_thread.load(std::memory_order_relaxed);
  look(v.silence, v.starvation, thread, timeout_ns_);
  if (v.silence.silent_ns() < timeout_ns_) return;
  say("rank %u has not run for %.1f s and is given up (RAMJET_FAILURE_TIMEOUT)", v.rank,
      double(timeout_ns_) * 1e-9);
  give_up_rank(v.rank, {loss_kind::stopped, 0});
}

// Where a link between two nodes fails, both fall silent: the lower node is the first to judge.
void mesh_service::judge_node(unsigned node, std::uint64_t now) {
  node_view& v = node_views_[node];
  const std::uint64_t limit = timeout_ns_ + (node < job_.node ? period_ns_ : 0);
  if (v.silence.silent_ns() < timeout_ns_ / 2) return;
  const std::vector<unsigned> ranks = joined_ranks(node);
  if (ranks.empty()) return;
  take_heartbeats();
  for (const unsigned r : ranks) read_control(r);
  const rank_line& line = line_of_node(node);
  v.silence.advance(line.ran_ns.load(std::memory_order_relaxed), 0);
  const std::uint32_t thread = line.mesh_thread.load(std::memory_order_relaxed);
  look(v.silence, v.starvation, thread, limit);
  const bool may_be_starved = thread == 0 && answers(v.probed);
  if (v.silence.silent_ns() < (may_be_starved ? kLimitsOfUnseen : 1) * limit) return;
  say("%s: no sign of life for %.1f s; given up (RAMJET_FAILURE_TIMEOUT)",
      list_of(ranks).c_str(), double(v.silence.silent_ns()) * 1e-9);
  for (const unsigned r : ranks) {
    notices_.push_back({r, now + timeout_ns_});
    give_up_rank(r, {loss_kind::silent, 0});
  }
  send_notices(now);
}

// Whether the system at the other end has acknowledged all that was sent to it.
bool mesh_service::answers(unsigned rank) const {
  const control& c = controls_[rank];
  transmission t;
  return c.fd >= 0 && c.out.is_empty() && read_transmission(c.fd, t) && !t.waits_for_answer;
}

// --- Connections that are not answered -----------------------------------------------------------

// Whether signs of life of the rank's node come, and its control connection is answered. Asked
// about a rank while a connection to it waits for an answer.
bool mesh_service::is_way_sound(unsigned rank, std::uint64_t now, std::uint64_t elapsed_ns) {
  control& c = controls_[rank];
  transmission t;
  if (c.fd < 0 || !was_heard(job_.node_of[rank], now) || !read_transmission(c.fd, t)) return false;
  const std::uint64_t since = now - std::exchange(c.asked_ns, now);
  if (since > 3 * period_ns_) c.answers = {};
  if (since != 0) c.answers.advance(t, elapsed_ns, true);
  return c.answers.silent_ns() < 3 * period_ns_;
}

// Where the way between the machines is sound, a connection of a channel that is not answered is
// broken by itself.
void mesh_service::check_connections(std::uint64_t now) {
  if (timeout_ns_ == 0 || now - checked_ns_ < period_ns_) return;
  const std::uint64_t elapsed_ns = std::min(now - std::exchange(checked_ns_, now), 2 * period_ns_);
  const unsigned each = job_.layout.endpoints;
  const auto heard = [&](std::uint32_t to) { return is_way_sound(to / each, now, elapsed_ns); };
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
