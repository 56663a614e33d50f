// SPDX-License-Identifier: Apache-2.0
// Who lives: control connections and heartbeats, and leaving.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/exit_status.hpp"
#include "job/join.hpp"
#include "mesh/service.hpp"
#include "mesh/waking.hpp"

namespace ramjet::mesh {

namespace {

constexpr std::uint64_t kGoodByeNs = 1'000 * kMs;
// The launcher on this machine knows more of the ranks here than others do: it goes first.
constexpr std::uint64_t kConfirmNs = 300 * kMs;
constexpr unsigned kHeartbeatsMax = 64;  // in a row, so that connections are served in between

// A rank that others consider dead stays dead.
void note_leaving(rank_line& line) {
  auto joined = std::uint32_t(rank_state::joined);
  line.state.compare_exchange_strong(joined, std::uint32_t(rank_state::finalized),
                                     std::memory_order_release,  // pairs: job.left
                                     std::memory_order_relaxed);
}

// "10.0.0.1:4711 to 10.0.0.2:4712"
std::string ends_of(int fd) {
  net_address here, there;
  here.bytes = there.bytes = sizeof here.where;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&here.where), &here.bytes) != 0 ||
      ::getpeername(fd, reinterpret_cast<sockaddr*>(&there.where), &there.bytes) != 0)
    return "whose addresses are not known";
  return to_text(here) + " to " + to_text(there);
}

void wait_until_sent(int fd, std::uint64_t deadline_ns) {
  while (base::now_ns() < deadline_ns && !all_sent(fd)) ::usleep(500);
}

bool is_joined(const membership& job, unsigned rank) {
  const auto state = job.line(rank).state.load(std::memory_order_relaxed);
  return rank_state(state) == rank_state::joined;
}

}  // namespace

// --- Control connections -------------------------------------------------------------------------

void mesh_service::adopt_control(unsigned rank, int fd) {
  control& c = controls_[rank];
  {
    const std::lock_guard lock(mutex_);
    c.fd = fd;
    c.heard_ns = base::now_ns();
    ++connected_;
  }
  changed_.notify_all();
  loop_.watch(fd, source::control, rank);
  read_control(rank);
}

void mesh_service::read_control(unsigned rank) {
  control& c = controls_[rank];
  while (c.fd >= 0) {
    auto* to = reinterpret_cast<std::byte*>(&c.in) + c.in_bytes;
    const ssize_t got = ::recv(c.fd, to, sizeof c.in - c.in_bytes, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return lose_control(rank, "its connection was closed");
    c.heard_ns = base::now_ns();
    c.in_bytes += std::size_t(got);
    if (c.in_bytes < sizeof c.in) continue;
    c.in_bytes = 0;
    take_news(rank, c.in);
  }
}

void mesh_service::take_news(unsigned from, const control_message& m) {
  switch (m.what) {
    case news::alive:
      return;
    case news::left:
      controls_[from].left = true;
      note_leaving(job_.line(from));
      return;
    case news::call: {
      const unsigned each = job_.layout.endpoints;
      const auto theirs = std::uint32_t(m.signal);
      if (m.rank / each != unsigned(job_.rank) || theirs / each != from || m.rank < theirs) break;
      return call_once({purpose::channel, m.rank, theirs});
    }
    case news::broke:
      if (unsigned(job_.rank) > from) break;
      if (!controls_[from].left) note_death(from, kConnectionBroke);
      return;
    case news::open:
    case news::closed: {
      const unsigned each = job_.layout.endpoints;
      if (m.rank / each != from) break;
      (m.what == news::open ? opened_ports_ : closed_ports_)[m.rank].store(
          true, std::memory_order_relaxed);
      for (unsigned e = 0; e < each; ++e) wake_port(unsigned(job_.rank) * each + e);
      return;
    }
    case news::died:
      if (m.rank >= job_.ranks) break;
      if (m.rank == unsigned(job_.rank)) end_given_up(from);
      if (job_.near(m.rank)) {
        reported_deaths_.push_back({m.rank, base::now_ns() + kConfirmNs});
      } else {
        follow_death(m.rank, declare_dead(m.rank, m.signal, m.exit_status));
      }
      return;
  }
  lose_control(from, "it sent what makes no sense");
}

void mesh_service::send_news(unsigned to, const control_message& m) {
  const control& c = controls_[to];
  if (c.fd < 0) return;
  // 16 bytes to a peer that reads: a full buffer means that it has not for very long, and then it
  // is given up for its own silence.
  static_cast<void>(::send(c.fd, &m, sizeof m, MSG_NOSIGNAL | MSG_DONTWAIT));
}

void mesh_service::send_to_all(const control_message& m) {
  for (unsigned r = 0; r < controls_.size(); ++r) send_news(r, m);
}

void mesh_service::lose_control(unsigned rank, const char* why) {
  control& c = controls_[rank];
  if (c.fd < 0) return;
  loop_.forget(c.fd);
  ::close(c.fd);
  {
    const std::lock_guard lock(mutex_);
    c.fd = -1;
  }
  if (!c.left) note_death(rank, why);
}

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
    if (!node.hears_us || !is_heard(node, now)) send_news(r, {news::alive, 0, 0, 0});
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
      end_given_up(beat.from);
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
    send_news(r, {news::died, r, 0, kStatusUnknown});
    notices_.push_back({r, now + timeout_ns_});
    const bool first = declare_dead(r, 0, kStatusUnknown);
    if (first)
      say("rank %u has not given a sign of life for %.1f s and is given up "
          "(RAMJET_FAILURE_TIMEOUT)",
          r, double(timeout_ns_) * 1e-9);
    lose_control(r, "it was silent");
    follow_death(r, first);
  }
  if (!notices_.empty() && notices_.back().until_ns == now + timeout_ns_) send_notices(now);
}

// --- Deaths --------------------------------------------------------------------------------------

void mesh_service::end_given_up(unsigned by) {
  say("rank %u has given this rank up: it did not answer in time (RAMJET_FAILURE_TIMEOUT), or sent "
      "what makes no sense",
      by);
  std::_Exit(base::kExitJobLost);
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
        silent.push_back({to / each, kConnectionBroke});
      });
  for (const loss& l : silent) handle_loss(l);
}

// A rank of this machine that the others consider dead is dead to all: one that is stopped, say.
void mesh_service::confirm_deaths(std::uint64_t now) {
  std::erase_if(reported_deaths_, [&](const reported_death& d) {
    if (now < d.confirm_at_ns) return false;
    if (has_left(d.rank)) return true;
    const bool first = declare_dead(d.rank, 0, kStatusUnknown);
    if (first)
      say("rank %u was given up by ranks on other machines (RAMJET_FAILURE_TIMEOUT)", d.rank);
    follow_death(d.rank, first);
    return true;
  });
}

// What this machine has seen die, and how; others may know that it is gone, but not of what.
void mesh_service::announce_deaths() {
  const std::uint32_t failures =
      job_.shared->failures.load(std::memory_order_acquire);  // pairs: job.failure
  if (failures == failures_seen_) return;
  failures_seen_ = failures;
  for (unsigned r = 0; r < job_.ranks; ++r) {
    const rank_line& line = job_.line(r);
    if (death_announced_[r] ||
        rank_state(line.state.load(std::memory_order_relaxed)) != rank_state::failed)
      continue;
    death_announced_[r] = true;
    send_to_all({news::died, r, line.signal.load(std::memory_order_relaxed),
                 line.exit_status.load(std::memory_order_relaxed)});
  }
}

// Where our launcher watches, it reports the death itself.
void mesh_service::note_death(unsigned rank, const char* why) {
  const bool first = declare_dead(rank, 0, kStatusUnknown);
  if (first && !job_.launched) say("rank %u is lost: %s", rank, why);
  follow_death(rank, first);
}

// Whether this is news on this machine.
bool mesh_service::declare_dead(unsigned rank, int signal, int exit_status) {
  return report_failure(job_.shared, job_.layout.segments_offset, rank, signal, exit_status);
}

// The rank may have left in order: its word is read before it is taken for dead. Both ends may see
// that a connection broke, and one of the two ranks is to go on: the lower one gives the other up.
void mesh_service::handle_loss(const loss& l) {
  read_control(l.rank);
  if (controls_[l.rank].left) return;
  const bool is_heard = controls_[l.rank].fd >= 0;
  const bool is_the_lower = unsigned(job_.rank) < l.rank;
  if (is_heard && !is_the_lower && std::string_view(l.why) == kConnectionBroke) {
    send_news(l.rank, {news::broke, 0, 0, 0});
  } else {
    note_death(l.rank, l.why);
  }
}

// --- Leaving -------------------------------------------------------------------------------------

// What the channels have sent is there before the word that this rank has left, and nobody may take
// the end of a connection for a death: it is closed when the others have the word.
void mesh_service::say_good_bye() {
  const std::uint64_t most = timeout_ns_ == 0 ? kGoodByeNs : std::min(kGoodByeNs, timeout_ns_ / 4);
  const std::uint64_t deadline = base::now_ns() + most;
  for (int fd : to_linger_) lingering_.push_back({fd, 0});
  for (const lingering_connection& l : lingering_) wait_until_sent(l.fd, deadline);
  send_to_all({news::left, 0, 0, 0});
  for (const control& c : controls_)
    if (c.fd >= 0) ::shutdown(c.fd, SHUT_WR);
  for (control& c : controls_) {
    if (c.fd < 0) continue;
    wait_until_sent(c.fd, deadline);
    ::close(std::exchange(c.fd, -1));
  }
  for (const lingering_connection& l : lingering_) ::close(l.fd);
}

}  // namespace ramjet::mesh
