// SPDX-License-Identifier: Apache-2.0
#include "channel/net/tcp_network.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <utility>

#include "channel/net/checked_blocks.hpp"
#include "base/system.hpp"
#include "channel/net/frame.hpp"
#include "mesh/mesh.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

class tcp_stream final : public stream {
 public:
  tcp_stream(tcp_network& home, int fd, unsigned peer) : home_(home), fd_(fd) {
    mesh::watch_connection(fd_, home_.port_, peer, &sends_);
    epoll_event e{};
    e.events = EPOLLIN;
    e.data.ptr = this;
    if (::epoll_ctl(home_.set_, EPOLL_CTL_ADD, fd_, &e) != 0) base::end_for_want_of_watch(errno);
    ++home_.open_;
  }
  ~tcp_stream() override {
    leave_home();
    if (fd_ >= 0) ::close(fd_);
  }

  std::ptrdiff_t send(const piece& first, const piece& second) override {
    sends_.store(sends_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    std::size_t taken = 0;
    while (taken != first.count + second.count) {
      if (out_.empty()) out_.fill(without(first, taken), without(second, taken, first.count));
      const piece rest = out_.rest();
      const ssize_t sent = ::send(fd_, rest.bytes, rest.count, kFlags);
      if (sent < 0 && result_of_error() == kBroken) {
        ready_ = true;  // what came before the break is there to be read
        return taken != 0 ? std::ptrdiff_t(taken) : kBroken;
      }
      if (sent > 0) out_.note_sent(std::size_t(sent));
      set_full(!out_.empty());
      if (full_) break;
      taken += out_.payload();
    }
    return std::ptrdiff_t(taken);
  }
  bool is_full() const override { return full_; }
  std::ptrdiff_t receive(std::byte* into, std::size_t most) override {
    std::size_t total = in_.take(into, most);
    while (total != most && !in_.is_altered() && (ready_ || !home_.can_tell())) {
      std::size_t room;
      std::byte* const at = in_.room(room);
      const ssize_t got = ::recv(fd_, at, room, MSG_DONTWAIT);
      const bool is_all = got < 0 || std::size_t(got) != room;
      if (is_all && home_.can_tell()) ready_ = false;
      if (got > 0) in_.note_received(std::size_t(got));
      if (got > 0) total += in_.take(into + total, most - total);
      if (got == 0) mesh::note_broken(fd_, 0);
      if (got == 0 || (got < 0 && result_of_error() == kBroken)) {
        ready_ = true;
        set_holding(false);
        return total != 0 ? std::ptrdiff_t(total) : kBroken;
      }
      if (is_all) break;
    }
    set_holding(total == most);
    return total == 0 && in_.is_altered() ? kAltered : std::ptrdiff_t(total);
  }
  void finish() override {
    leave_home();
    mesh::linger(std::exchange(fd_, -1));
  }

 private:
  friend class tcp_network;

  static constexpr int kFlags = MSG_NOSIGNAL | MSG_DONTWAIT;

  // A piece without the bytes of a stream that are taken; `before` it stand others.
  static piece without(const piece& p, std::size_t taken, std::size_t before = 0) {
    const std::size_t n = std::min(p.count, taken - std::min(taken, before));
    return {p.bytes + n, p.count - n};
  }
  // A system without memory for now has some later.
  std::ptrdiff_t result_of_error() {
    const int error = errno;
    if (error == EAGAIN || error == EINTR || error == ENOMEM || error == ENOBUFS) return 0;
    mesh::note_broken(fd_, error);
    return kBroken;
  }
  // While it is full, and after that until the port looks for what is ready or is about to sleep,
  // the set is ready as soon as there is room.
  void set_full(bool full) {
    full_ = full;
    if (!full || room_watched_) return;
    room_watched_ = true;
    home_.room_watched_.push_back(this);
    set_events(EPOLLIN | EPOLLOUT);
  }
  void stop_watching_room() {
    room_watched_ = false;
    set_events(EPOLLIN);
  }
  void set_events(std::uint32_t events) {
    epoll_event e{};
    e.events = events;
    e.data.ptr = this;
    if (::epoll_ctl(home_.set_, EPOLL_CTL_MOD, fd_, &e) != 0) base::end_for_want_of_watch(errno);
  }
  void set_holding(bool holds) {
    home_.holding_ += unsigned(holds) - unsigned(holding_);
    holding_ = holds;
  }
  void leave_home() {
    if (fd_ < 0) return;
    set_holding(false);
    std::erase(home_.room_watched_, this);
    mesh::forget_connection(fd_);
    ::epoll_ctl(home_.set_, EPOLL_CTL_DEL, fd_, nullptr);
    --home_.open_;
  }

  tcp_network& home_;
  int fd_;
  block_writer out_;
  block_reader in_;
  // This thread writes it, the mesh's reads it to see whether something was sent; no order.
  std::atomic<std::uint32_t> sends_{0};
  bool ready_ = true;  // may have something to receive
  bool holding_ = false;  // may hold bytes that have come and were not taken
  bool full_ = false;
  bool room_watched_ = false;  // stands in home_.room_watched_
};

tcp_network::tcp_network(unsigned port) : port_(port), set_(::epoll_create1(EPOLL_CLOEXEC)) {
  RAMJET_CHECK(set_ >= 0, "no descriptor is free for the network; raise the limit (ulimit -n)");
  mesh::watch_set(port_, set_);
}

std::vector<std::uint32_t> tcp_network::refuse_streams(unsigned port) {
  block_writer bye;
  bye.fill({reinterpret_cast<const std::byte*>(&kBye), sizeof kBye}, {});
  const piece block = bye.rest();
  return mesh::refuse_connections(port, {reinterpret_cast<const char*>(block.bytes), block.count});
}

tcp_network::~tcp_network() {
  refuse_streams(port_);
  mesh::forget_set(set_);
  ::close(set_);
}

void tcp_network::want(unsigned peer) { mesh::request_connection(port_, peer); }

std::unique_ptr<stream> tcp_network::take(unsigned& peer) {
  if (mesh::connections_for(port_) == taken_) return nullptr;
  mesh::channel_connection c;
  if (!mesh::take_connection(port_, c)) return nullptr;
  ++taken_;
  peer = c.peer;
  return std::make_unique<tcp_stream>(*this, c.fd, c.peer);
}

void tcp_network::progress() {
  if (!can_tell()) return;
  stop_watching_room();
  epoll_event events[64];
  const int count = ::epoll_wait(set_, events, 64, 0);
  for (int i = 0; i < count; ++i)
    if ((events[i].events & ~EPOLLOUT) != 0)
      static_cast<tcp_stream*>(events[i].data.ptr)->ready_ = true;
}

// Of streams that are full no more.
void tcp_network::stop_watching_room() {
  std::erase_if(room_watched_, [](tcp_stream* s) {
    if (s->full_) return false;
    s->stop_watching_room();
    return true;
  });
}

// A stream that has come and is not taken is in no set yet: the port has to pump once more.
bool tcp_network::wake_when_ready() {
  if (holding_ != 0) return false;
  stop_watching_room();
  mesh::wake_on_ready(port_, set_);
  // store-load: am.sleep (owner)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return mesh::connections_for(port_) == taken_;
}

}  // namespace ramjet::channel
