// SPDX-License-Identifier: Apache-2.0
// Who is dead: losses of connections, news of deaths, and leaving.
//
// Of two living ranks between which a connection is lost, the lower one decides, so there is one
// verdict. All others are told before a thread of this process can see the death: it may leave the
// job at once. A rank that learns that it was given up ends.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/clock.hpp"
#include "base/exit_status.hpp"
#include "base/standard_output.hpp"
#include "job/join.hpp"
#include "mesh/service.hpp"

namespace ramjet::mesh {

namespace {

constexpr std::uint64_t kGoodByeNs = 1'000 * kMs;
constexpr unsigned kToldOfNode = 2;  // one of them may have stopped

void wait_until_sent(int fd, std::uint64_t deadline_ns) {
  while (base::now_ns() < deadline_ns && !all_sent(fd)) ::usleep(500);
}

}  // namespace

bool mesh_service::is_dead(unsigned rank) const {
  const auto state = job_.line(rank).state.load(std::memory_order_relaxed);
  return rank_state(state) == rank_state::failed;
}

// `by` -1: this rank has learned it from its node's board. A third rank may not know the cause.
void mesh_service::end_given_up(int by, const loss_cause& cause) {
  for (unsigned r = 0; r < controls_.size(); ++r) {
    const control& c = controls_[r];
    if (c.verdict_until_ns != 0)
      say("the control connection to rank %u, %s, %s", r, c.ends.c_str(),
          end_of_connection(c.loss.error).c_str());
  }
  const std::string who = by >= 0 ? "rank " + std::to_string(by) : "the job";
  say("%s has given this rank up: %s", who.c_str(), to_text(cause).c_str());
  base::end_process(base::kExitJobLost);
}

// --- Losses --------------------------------------------------------------------------------------

// A connection that ends may mean that the process at its other end has ended. Then the control
// connection ends as well, so the loss is judged a tick later.
void mesh_service::handle_loss(const loss& l) {
  losses_.push_back(l);
  losses_.back().since_ns = base::now_ns();
}

void mesh_service::judge_losses(std::uint64_t now) {
  for (const loss& l : std::exchange(losses_, {})) {
    read_control(l.rank);
    if (controls_[l.rank].left || controls_[l.rank].fd < 0 || is_dead(l.rank)) continue;
    if (l.cause.kind == loss_kind::broken && now - std::min(now, l.since_ns) < tick_ns_) {
      losses_.push_back(l);
      continue;
    }
    if (l.cause.kind == loss_kind::broken)
      say("the connection %s to rank %u %s, though rank %u lives", l.ends.c_str(), l.rank,
          end_of_connection(l.cause.error).c_str(), l.rank);
    if (unsigned(job_.rank) < l.rank) {
      give_up_rank(l.rank, l.cause);
    } else {
      send_news(l.rank, {news::broke, 0, 0, 0, l.cause});
    }
  }
}

// From a higher rank. Data that violates the protocol comes from this rank.
void mesh_service::take_complaint(unsigned from, const loss_cause& cause) {
  if (controls_[from].left || is_dead(from)) return;
  if (cause.kind == loss_kind::protocol) end_given_up(int(from), cause);
  give_up_rank(from, cause);
}

void mesh_service::give_up_rank(unsigned rank, const loss_cause& cause) {
  send_news(rank, {news::died, rank, 0, kStatusUnknown, cause});
  note_death(rank, cause);
}

// --- Deaths --------------------------------------------------------------------------------------

// A rank of this machine that the others consider dead is dead to all: one that is stopped, say.
void mesh_service::confirm_deaths(std::uint64_t now) {
  std::erase_if(reported_deaths_, [&](const reported_death& d) {
    if (now < d.confirm_at_ns) return false;
    if (has_left(d.rank)) return true;
    note_cause(d.rank, d.cause);
    const bool first = declare_dead(d.rank, 0, kStatusUnknown);
    if (first)
      say("rank %u was given up by ranks on other machines: %s", d.rank, to_text(d.cause).c_str());
    follow_death(d.rank, first);
    return true;
  });
}

// Some ranks of each node, which write it on their board. The agent tells all ranks later.
void mesh_service::report_nodes(unsigned rank, const control_message& m) {
  for (unsigned n = 0; n < job_.nodes; ++n) {
    if (n == job_.node) continue;
    unsigned told = 0;
    for (const unsigned r : joined_ranks(n))
      if (r != rank && told++ < kToldOfNode) send_news(r, m);
  }
}

// The agent tells all ranks what this machine has seen die, and how; others may know that it is
// gone, but not how.
void mesh_service::announce_deaths() {
  const std::uint32_t failures =
      job_.shared->failures.load(std::memory_order_acquire);  // pairs: job.failure
  if (failures == failures_seen_) return;
  failures_seen_ = failures;
  for (unsigned r = 0; r < job_.ranks; ++r) {
    if (death_announced_[r] || !is_dead(r)) continue;
    const rank_line& line = job_.line(r);
    death_announced_[r] = true;
    send_to_all({news::died, r, line.signal.load(std::memory_order_relaxed),
                 line.exit_status.load(std::memory_order_relaxed), cause_of(r)});
  }
}

// Where our launcher watches, it reports the death of a process itself.
void mesh_service::note_death(unsigned rank, const loss_cause& cause) {
  note_cause(rank, cause);
  if (!is_dead(rank)) report_nodes(rank, {news::died, rank, 0, kStatusUnknown, cause});
  const bool first = declare_dead(rank, 0, kStatusUnknown);
  if (first && !job_.launched) say("rank %u is lost: %s", rank, to_text(cause).c_str());
  follow_death(rank, first);
}

loss_cause mesh_service::cause_of(unsigned rank) const {
  return unpack(job_.line(rank).loss.load(std::memory_order_relaxed));
}

// Whoever of this node has learned that this rank was given up has written it on the board.
void mesh_service::end_if_given_up() {
  const auto own = unsigned(job_.rank);
  if (is_dead(own)) end_given_up(-1, cause_of(own));
}

// The first that is known counts.
void mesh_service::note_cause(unsigned rank, const loss_cause& cause) {
  std::uint64_t none = 0;
  job_.line(rank).loss.compare_exchange_strong(none, pack(cause), std::memory_order_relaxed);
}

// Whether this is news on this machine.
bool mesh_service::declare_dead(unsigned rank, int signal, int exit_status) {
  return report_failure(job_.shared, job_.layout.segments_offset, rank, signal, exit_status);
}

// --- Leaving -------------------------------------------------------------------------------------

// The thread has ended. What the channels have sent is there before the word that this rank has
// left, and so is the news of deaths: a rank that leaves after a death must not be waited for.
// Nobody may take the end of a connection for a death: it is closed when the others have the word.
void mesh_service::say_good_bye() {
  const std::uint64_t most = timeout_ns_ == 0 ? kGoodByeNs : std::min(kGoodByeNs, timeout_ns_ / 4);
  const std::uint64_t deadline = base::now_ns() + most;
  end_if_given_up();
  settle_verdicts(deadline);
  for (int fd : to_linger_) lingering_.push_back({fd, 0});
  for (const lingering_connection& l : lingering_) wait_until_sent(l.fd, deadline);
  if (is_agent(base::now_ns())) announce_deaths();
  for (unsigned r = 0; r < controls_.size(); ++r)
    if (is_dead(r)) send_news(r, {news::died, r, 0, kStatusUnknown, cause_of(r)});
  send_to_all({news::left, 0, 0, 0, {}});
  flush_until(deadline);
  for (const control& c : controls_)
    if (c.fd >= 0) ::shutdown(c.fd, SHUT_WR);
  for (unsigned r = 0; r < controls_.size(); ++r) {
    control& c = controls_[r];
    if (c.fd < 0) continue;
    if (!is_dead(r)) wait_until_sent(c.fd, deadline);
    ::close(std::exchange(c.fd, -1));
  }
  for (const lingering_connection& l : lingering_) ::close(l.fd);
}

// Whether the rank's process still takes connections.
bool mesh_service::listens(unsigned rank, std::uint64_t deadline_ns) const {
  const net_address& where = addresses_[rank].connections;
  const int fd = ::socket(where.where.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return true;
  int error = 0;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&where.where), where.bytes) != 0) {
    error = errno;
    pollfd connected{fd, POLLOUT, 0};
    socklen_t bytes = sizeof error;
    if (error == EINPROGRESS && ::poll(&connected, 1, base::milliseconds_until(deadline_ns)) == 1)
      ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
  }
  ::close(fd);
  return error != ECONNREFUSED;
}

// A rank that has lost its control connection to a lower one that lives was given up there.
void mesh_service::settle_verdicts(std::uint64_t deadline_ns) {
  for (unsigned r = 0; r < controls_.size(); ++r) {
    const control& c = controls_[r];
    if (c.verdict_until_ns == 0 || is_dead(r)) continue;
    if (listens(r, deadline_ns)) end_given_up(int(r), c.loss);
    note_death(r, c.loss);
  }
}

// Until every control connection has taken what waits, or has failed.
void mesh_service::flush_until(std::uint64_t deadline_ns) {
  const auto waits = [this](const control& c) {
    return c.fd >= 0 && !c.out.is_empty() && !is_dead(unsigned(&c - controls_.data()));
  };
  while (std::ranges::any_of(controls_, waits) && base::now_ns() < deadline_ns) {
    for (unsigned r = 0; r < controls_.size(); ++r) flush_control(r);
    ::usleep(500);
  }
}

}  // namespace ramjet::mesh
