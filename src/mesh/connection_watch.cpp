// SPDX-License-Identifier: Apache-2.0
#include "mesh/connection_watch.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "mesh/address.hpp"

namespace ramjet::mesh {

// Older systems give less than the whole structure; what is missing stays zero.
bool read_transmission(int fd, transmission& into) {
  tcp_info info{};
  socklen_t bytes = sizeof info;
  if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &bytes) != 0) return false;
  into.acknowledged_bytes = info.tcpi_bytes_acked;
  into.waits_for_answer = info.tcpi_unacked != 0 || info.tcpi_probes != 0;
  // Data that the peer's system had room for once and has none for now is sent again as questions
  // for room (probes), which it answers without acknowledging bytes.
  constexpr std::size_t kWithWindow = offsetof(tcp_info, tcpi_snd_wnd) + sizeof info.tcpi_snd_wnd;
  into.no_room_there = bytes >= kWithWindow && info.tcpi_snd_wnd == 0 && info.tcpi_probes == 0;
  return true;
}

void answer_clock::advance(const transmission& now, std::uint64_t elapsed_ns, bool peer_is_heard) {
  const bool answered = now.acknowledged_bytes != acknowledged_bytes_ || now.no_room_there;
  acknowledged_bytes_ = now.acknowledged_bytes;
  if (answered || !now.waits_for_answer || !peer_is_heard) {
    silent_ns_ = 0;
  } else {
    silent_ns_ += elapsed_ns;
  }
}

void connection_watch::add(int fd, std::uint32_t from, std::uint32_t to,
                           const std::atomic<std::uint32_t>* sends) {
  std::string ends = ends_of(fd);
  const std::lock_guard lock(mutex_);
  all_.push_back({fd, from, to, false, {}, {}, {}, std::move(ends), sends});
}

void connection_watch::note_broken(int fd, int error) {
  const std::lock_guard lock(mutex_);
  const auto w = std::ranges::find(all_, fd, &watched::fd);
  if (w == all_.end()) return;
  std::erase_if(broken_, [w](const broken_connection& b) { return b.to == w->to; });
  broken_.push_back({w->to, error, w->ends});
}

bool connection_watch::take_broken(unsigned rank, unsigned ports_per_rank,
                                   broken_connection& into) {
  const std::lock_guard lock(mutex_);
  const auto b = std::ranges::find_if(
      broken_, [&](const broken_connection& one) { return one.to / ports_per_rank == rank; });
  if (b == broken_.end()) return false;
  into = std::move(*b);
  broken_.erase(b);
  return true;
}

void connection_watch::remove(int fd) {
  const std::lock_guard lock(mutex_);
  std::erase_if(all_, [fd](const watched& w) { return w.fd == fd; });
}

void connection_watch::add_endpoints(const endpoint_pair& pair) {
  const std::lock_guard lock(mutex_);
  endpoints_.push_back(pair);
}

void connection_watch::remove_endpoints(std::uint32_t from) {
  const std::lock_guard lock(mutex_);
  std::erase_if(endpoints_, [from](const endpoint_pair& p) { return p.from == from; });
  std::erase_if(all_, [from](const watched& w) { return w.from == from && w.there.port != 0; });
}

// The library may have closed a connection, and its descriptor be another one's now.
void connection_watch::follow_endpoints() {
  if (endpoints_.empty()) return;
  const std::vector<open_connection> open = connections_between(endpoints_);
  std::erase_if(all_, [&open](const watched& w) {
    return w.there.port != 0 && std::ranges::none_of(open, [&w](const open_connection& c) {
             return c.fd == w.fd && c.here == w.here && c.there == w.there;
           });
  });
  for (const open_connection& c : open)
    if (std::ranges::none_of(all_, [&c](const watched& w) { return w.fd == c.fd; }))
      all_.push_back({c.fd, c.from, c.to, false, {}, c.here, c.there, {}, nullptr});
}

void connection_watch::check(
    std::uint64_t elapsed_ns, std::uint64_t limit_ns,
    const std::function<bool(std::uint32_t to)>& heard,
    const std::function<void(std::uint32_t from, std::uint32_t to, int fd)>& found) {
  const std::lock_guard lock(mutex_);
  follow_endpoints();
  for (watched& w : all_) {
    const std::uint32_t sends = w.sends != nullptr ? w.sends->load(std::memory_order_relaxed) : 0;
    if (w.found || (w.sends != nullptr && sends == w.acknowledged_sends)) continue;
    transmission now;
    if (!read_transmission(w.fd, now)) continue;
    w.clock.advance(now, elapsed_ns, now.waits_for_answer && heard(w.to));
    if (!now.waits_for_answer) w.acknowledged_sends = sends;
    if (w.clock.silent_ns() < limit_ns) continue;
    w.found = true;
    found(w.from, w.to, w.fd);
  }
}

}  // namespace ramjet::mesh
