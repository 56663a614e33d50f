// SPDX-License-Identifier: Apache-2.0
// Who lives: the control connections of a mesh_service.
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

namespace ramjet::mesh {

namespace {

constexpr std::uint64_t kMs = 1'000'000;
constexpr std::uint64_t kGoodByeNs = 1'000 * kMs;
constexpr std::uint64_t kSpeakNs = 500 * kMs;  // a sign of life so often, or more often
// The launcher on this machine knows more of the ranks here than others do: it goes first.
constexpr std::uint64_t kDoubtNs = 300 * kMs;

// A rank that others hold for dead stays dead.
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

}  // namespace

void mesh_service::adopt_control(unsigned rank, int fd) {
  control& c = controls_[rank];
  {
    const std::lock_guard lock(mutex_);
    c.fd = fd;
    c.heard_ns = base::now_ns();
    ++connected_;
  }
  changed_.notify_all();
  watch(fd, source::control, rank, EPOLLIN);
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
      note_leaving(self().line(from));
      return;
    case news::call: {
      const unsigned each = self().layout.endpoints;
      const auto theirs = std::uint32_t(m.signal);
      if (m.rank / each != unsigned(self().rank) || theirs / each != from || m.rank < theirs) break;
      return call_once({purpose::channel, m.rank, theirs});
    }
    case news::died:
      if (m.rank >= self().ranks) break;
      if (m.rank == unsigned(self().rank)) {
        say("rank %u has given this rank up: it did not answer in time "
            "(RAMJET_FAILURE_TIMEOUT), or sent what makes no sense",
            from);
        std::_Exit(base::kExitJobLost);
      }
      if (self().near(m.rank)) {
        doubts_.push_back({m.rank, base::now_ns() + kDoubtNs});
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

void mesh_service::tell_all(const control_message& m) {
  for (unsigned r = 0; r < controls_.size(); ++r) send_news(r, m);
}

void mesh_service::lose_control(unsigned rank, const char* why) {
  control& c = controls_[rank];
  if (c.fd < 0) return;
  ::close(c.fd);
  {
    const std::lock_guard lock(mutex_);
    c.fd = -1;
  }
  if (!c.left) mourn(rank, why);
}

void mesh_service::look_at_the_living(std::uint64_t now) {
  if (timeout_ns_ == 0) return;
  if (now - spoken_ns_ >= std::min(kSpeakNs, timeout_ns_ / 4)) {
    spoken_ns_ = now;
    tell_all({news::alive, 0, 0, 0});
  }
  for (unsigned r = 0; r < controls_.size(); ++r) {
    const control& c = controls_[r];
    if (c.fd < 0 || c.left || now - c.heard_ns < timeout_ns_) continue;
    send_news(r, {news::died, r, 0, kStatusUnknown});
    const bool first = declare_dead(r, 0, kStatusUnknown);
    if (first)
      say("rank %u has not given a sign of life for %.1f s and is given up "
          "(RAMJET_FAILURE_TIMEOUT)",
          r, double(timeout_ns_) * 1e-9);
    lose_control(r, "it was silent");
    follow_death(r, first);
  }
}

// Whose signs of life come and are acknowledged: then the way between the machines is sound, and a
// connection of a channel that is not answered is broken by itself.
void mesh_service::check_connections(std::uint64_t now, std::uint64_t elapsed_ns) {
  if (timeout_ns_ == 0) return;
  const std::uint64_t recent_ns = 2 * std::min(kSpeakNs, timeout_ns_ / 4);
  for (control& c : controls_) {
    transmission t;
    if (c.fd >= 0 && read_transmission(c.fd, t)) c.answers.advance(t, elapsed_ns, true);
  }
  const unsigned each = self().layout.endpoints;
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
  for (const loss& l : silent) take_loss(l);
}

// A rank of this machine that the others hold for dead is dead to all: one that is stopped, say.
void mesh_service::end_doubts(std::uint64_t now) {
  std::erase_if(doubts_, [&](const doubt& d) {
    if (now < d.until_ns) return false;
    if (has_left(d.rank)) return true;
    const bool first = declare_dead(d.rank, 0, kStatusUnknown);
    if (first)
      say("rank %u was given up by ranks on other machines (RAMJET_FAILURE_TIMEOUT)", d.rank);
    follow_death(d.rank, first);
    return true;
  });
}

// What this machine has seen die, and how; others may know that it is gone, but not of what.
void mesh_service::tell_of_deaths() {
  const membership& m = self();
  const std::uint32_t failures =
      m.shared->failures.load(std::memory_order_acquire);  // pairs: job.failure
  if (failures == failures_seen_) return;
  failures_seen_ = failures;
  for (unsigned r = 0; r < m.ranks; ++r) {
    const rank_line& line = m.line(r);
    if (death_told_[r] ||
        rank_state(line.state.load(std::memory_order_relaxed)) != rank_state::failed)
      continue;
    death_told_[r] = true;
    tell_all({news::died, r, line.signal.load(std::memory_order_relaxed),
              line.exit_status.load(std::memory_order_relaxed)});
  }
}

// Where our launcher watches it tells of the death itself.
void mesh_service::mourn(unsigned rank, const char* why) {
  const bool first = declare_dead(rank, 0, kStatusUnknown);
  if (first && !self().launched) say("rank %u is lost: %s", rank, why);
  follow_death(rank, first);
}

// Whether this is news on this machine.
bool mesh_service::declare_dead(unsigned rank, int signal, int exit_status) {
  const membership& m = self();
  return report_failure(m.shared, m.layout.segments_offset, rank, signal, exit_status);
}

void mesh_service::give_up(unsigned rank, const char* why) {
  if (std::string_view(why) != kConnectionBroke) say("gives rank %u up: %s", rank, why);
  const std::lock_guard lock(mutex_);
  lost_.push_back({rank, why});
  eventfd_write(orders_fd_, 1);
}

// The rank may have left in order: its word is read before its death is told.
void mesh_service::take_loss(const loss& l) {
  read_control(l.rank);
  if (!controls_[l.rank].left) mourn(l.rank, l.why);
}

// What the channels have sent is there before the word that this rank has left, and nobody may take
// the end of a connection for a death: it is closed when the others have the word.
void mesh_service::say_good_bye() {
  const std::uint64_t most = timeout_ns_ == 0 ? kGoodByeNs : std::min(kGoodByeNs, timeout_ns_ / 4);
  const std::uint64_t deadline = base::now_ns() + most;
  for (int fd : to_linger_) lingering_.push_back({fd, 0});
  for (const stray& s : lingering_) wait_until_sent(s.fd, deadline);
  tell_all({news::left, 0, 0, 0});
  for (const control& c : controls_)
    if (c.fd >= 0) ::shutdown(c.fd, SHUT_WR);
  for (control& c : controls_) {
    if (c.fd < 0) continue;
    wait_until_sent(c.fd, deadline);
    ::close(std::exchange(c.fd, -1));
  }
  for (const stray& s : lingering_) ::close(s.fd);
}

}  // namespace ramjet::mesh
