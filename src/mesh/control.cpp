// SPDX-License-Identifier: Apache-2.0
// Control connections: what passes over them, and what happens when one ends.
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "base/clock.hpp"
#include "base/crc32c.hpp"
#include "job/join.hpp"
#include "mesh/service.hpp"
#include "mesh/waking.hpp"

namespace ramjet::mesh {

namespace {

constexpr std::uint64_t kVerdictNs = 5'000 * kMs;  // where RAMJET_FAILURE_TIMEOUT is 0

// A rank that others consider dead stays dead.
void note_leaving(rank_line& line) {
  auto joined = std::uint32_t(rank_state::joined);
  line.state.compare_exchange_strong(joined, std::uint32_t(rank_state::finalized),
                                     std::memory_order_release,  // pairs: job.left
                                     std::memory_order_relaxed);
}

}  // namespace

void mesh_service::adopt_control(unsigned rank, int fd, const std::string& peer) {
  control& c = controls_[rank];
  c.ends = own_end(fd) + " to " + peer;
  {
    const std::lock_guard lock(mutex_);
    c.fd = fd;
    if (!c.was_connected) ++connected_;
    c.was_connected = true;
  }
  changed_.notify_all();
  watch(fd, source::control, rank);
  read_control(rank);
}

void mesh_service::read_control(unsigned rank) {
  control& c = controls_[rank];
  while (c.fd >= 0) {
    auto* to = reinterpret_cast<std::byte*>(&c.in) + c.in_bytes;
    const ssize_t got = ::recv(c.fd, to, sizeof c.in - c.in_bytes, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0 && (errno == ENOMEM || errno == ENOBUFS)) {
      loop_.forget(c.fd);  // it stays readable
      c.reads_at_tick = true;
      return;
    }
    if (got <= 0) return lose_control(rank, {loss_kind::control, got < 0 ? errno : 0});
    note_heard(rank, base::now_ns());
    c.in_bytes += std::size_t(got);
    if (c.in_bytes < sizeof c.in) continue;
    c.in_bytes = 0;
    if (c.in.checksum != checksum_of(c.in)) {
      say("bytes of the control connection between rank %u and this rank were altered on the way "
          "(wrong checksum)",
          rank);
      return lose_control(rank, {loss_kind::altered, kUnknownError});
    }
    take_news(rank, c.in);
  }
}

// Of a connection that could not be read for want of memory.
void mesh_service::read_again(unsigned rank) {
  control& c = controls_[rank];
  if (!std::exchange(c.reads_at_tick, false)) return;
  watch(c.fd, source::control, rank, c.watches_room ? EPOLLIN | EPOLLOUT : EPOLLIN);
  read_control(rank);
}

std::uint32_t mesh_service::checksum_of(const control_message& m) {
  static_assert(offsetof(control_message, checksum) == 24 && sizeof m == 28, "without padding");
  return base::crc32c(0, &m, offsetof(control_message, checksum));
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
      return take_complaint(from, m.cause);
    case news::closed: {
      const unsigned each = job_.layout.endpoints;
      if (m.rank / each != from) break;
      closed_ports_[m.rank].store(true, std::memory_order_relaxed);
      for (unsigned e = 0; e < each; ++e) wake_port(unsigned(job_.rank) * each + e);
      return;
    }
    case news::died:
      if (m.rank >= job_.ranks) break;
      if (m.rank == unsigned(job_.rank)) end_given_up(int(from), m.cause);
      if (job_.near(m.rank)) {
        reported_deaths_.push_back({m.rank, base::now_ns() + kConfirmNs, m.cause});
      } else {
        note_cause(m.rank, m.cause);
        follow_death(m.rank, declare_dead(m.rank, m.signal, m.exit_status));
      }
      return;
  }
  lose_control(from, {loss_kind::protocol, 0});
}

void mesh_service::send_news(unsigned to, const control_message& m) {
  control& c = controls_[to];
  if (c.fd < 0) return;
  const bool waits_already = !c.out.is_empty();
  control_message sent = m;
  sent.checksum = checksum_of(m);
  c.out.append(&sent, sizeof sent);
  if (!waits_already) flush_control(to);
}

// A failed send only notes the loss: callers go through all connections, and what has come is read
// before the peer is judged.
void mesh_service::flush_control(unsigned rank) {
  control& c = controls_[rank];
  if (c.fd < 0 || c.out.is_empty()) return;
  switch (c.out.flush(c.fd)) {
    case control_queue::result::sent:
      if (c.watches_room) watch(c.fd, source::control, rank);
      c.watches_room = false;
      return;
    case control_queue::result::waits:
      if (!c.watches_room) watch(c.fd, source::control, rank, EPOLLIN | EPOLLOUT);
      c.watches_room = true;
      return;
    case control_queue::result::retries:
      return;  // with the next tick
    case control_queue::result::failed:
      unsendable_.push_back({rank, errno});
      c.out.clear();
      return;
  }
}

void mesh_service::send_to_all(const control_message& m) {
  for (unsigned r = 0; r < controls_.size(); ++r) send_news(r, m);
}

void mesh_service::settle_unsendable() {
  for (const unsendable& u : std::exchange(unsendable_, {})) {
    read_control(u.rank);
    if (controls_[u.rank].reads_at_tick) {  // what has come is not read yet
      unsendable_.push_back(u);
      continue;
    }
    lose_control(u.rank, {loss_kind::control, u.error});
  }
}

// The process at the other end may have died, or only the connection broke. A lower rank gives the
// other up in either case. A higher rank asks the lower one, at its listener, for the verdict.
void mesh_service::lose_control(unsigned rank, const loss_cause& cause) {
  control& c = controls_[rank];
  if (c.fd < 0) return;
  loop_.forget(c.fd);
  ::close(c.fd);
  {
    const std::lock_guard lock(mutex_);
    c.fd = -1;
  }
  c.in_bytes = 0;
  c.out.clear();
  c.watches_room = c.reads_at_tick = false;
  if (c.left || is_dead(rank)) return;
  c.loss = cause;
  if (unsigned(job_.rank) < rank) return note_death(rank, cause);
  if (c.verdict_until_ns != 0) return;
  c.verdict_until_ns = base::now_ns() + (timeout_ns_ != 0 ? timeout_ns_ : kVerdictNs);
  call({purpose::control, unsigned(job_.rank), rank});
}

// The verdict has not come in time. If the lower rank lives, the others have been told that this
// rank is dead, and end it.
void mesh_service::check_verdicts(std::uint64_t now) {
  for (unsigned r = 0; r < unsigned(job_.rank); ++r) {
    const control& c = controls_[r];
    if (c.verdict_until_ns == 0 || now < c.verdict_until_ns || is_dead(r)) continue;
    note_death(r, c.loss);
  }
}

// A rank whose control connection was lost calls again: it lives, and is told that it was given up.
void mesh_service::answer_lost_rank(std::list<pending>::iterator g, unsigned rank) {
  control& c = controls_[rank];
  lose_control(rank, {loss_kind::control, kUnknownError});
  if (!c.left) {
    say("the control connection to rank %u, %s, %s; rank %u lives, and is given up", rank,
        c.ends.c_str(), end_of_connection(c.loss.error).c_str(), rank);
    control_message verdict{news::died, rank, 0, kStatusUnknown, c.loss};
    verdict.checksum = checksum_of(verdict);
    send_last_words(g->fd, {reinterpret_cast<const char*>(&verdict), sizeof verdict});
  }
  loop_.forget(g->fd);
  ::shutdown(g->fd, SHUT_WR);
  lingering_.push_back({g->fd, base::now_ns() + kLingerNs});
  greetings_.erase(g);
}

}  // namespace ramjet::mesh
