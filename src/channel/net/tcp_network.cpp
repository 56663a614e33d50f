// SPDX-License-Identifier: Apache-2.0
#include "channel/net/tcp_network.hpp"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "channel/net/frame.hpp"
#include "mesh/mesh.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

class tcp_stream final : public stream {
 public:
  tcp_stream(tcp_network& home, int fd, unsigned peer) : home_(home), fd_(fd) {
    mesh::watch_connection(fd_, home_.port_, peer);
    epoll_event e{};
    e.events = EPOLLIN;
    e.data.ptr = this;
    ::epoll_ctl(home_.set_, EPOLL_CTL_ADD, fd_, &e);
    ++home_.open_;
  }
  ~tcp_stream() override {
    leave_home();
    if (fd_ >= 0) ::close(fd_);
  }

  std::ptrdiff_t send(const piece& first, const piece& second) override {
    if (second.count == 0) return result_of(::send(fd_, first.bytes, first.count, kFlags));
    iovec parts[2] = {{const_cast<std::byte*>(first.bytes), first.count},
                      {const_cast<std::byte*>(second.bytes), second.count}};
    msghdr message{};
    message.msg_iov = first.count != 0 ? parts : parts + 1;
    message.msg_iovlen = (first.count != 0) + (second.count != 0);
    return result_of(::sendmsg(fd_, &message, kFlags));
  }
  bool is_full() const override { return full_; }
  std::ptrdiff_t receive(std::byte* into, std::size_t most) override {
    if (!ready_ && home_.can_tell()) return 0;
    const ssize_t got = ::recv(fd_, into, most, MSG_DONTWAIT);
    if (std::size_t(got) != most && home_.can_tell()) ready_ = false;
    if (got > 0) return got;
    if (got < 0) return result_of_error();
    mesh::note_broken(fd_, 0);
    return kBroken;
  }
  void finish() override {
    leave_home();
    mesh::linger(std::exchange(fd_, -1));
  }

 private:
  friend class tcp_network;

  static constexpr int kFlags = MSG_NOSIGNAL | MSG_DONTWAIT;

  std::ptrdiff_t result_of(ssize_t sent) {
    const std::ptrdiff_t result = sent >= 0 ? sent : result_of_error();
    if (result == kBroken) ready_ = true;  // what came before the break is there to be read
    set_full(result == 0);
    return result;
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
    ::epoll_ctl(home_.set_, EPOLL_CTL_MOD, fd_, &e);
  }
  void leave_home() {
    if (fd_ < 0) return;
    std::erase(home_.room_watched_, this);
    mesh::forget_connection(fd_);
    ::epoll_ctl(home_.set_, EPOLL_CTL_DEL, fd_, nullptr);
    --home_.open_;
  }

  tcp_network& home_;
  int fd_;
  bool ready_ = true;  // may have something to receive
  bool full_ = false;
  bool room_watched_ = false;  // stands in home_.room_watched_
};

tcp_network::tcp_network(unsigned port) : port_(port), set_(::epoll_create1(EPOLL_CLOEXEC)) {
  RAMJET_CHECK(set_ >= 0, "no descriptor is free for the network; raise the limit (ulimit -n)");
  mesh::watch_set(port_, set_);
}

std::vector<std::uint32_t> tcp_network::refuse_streams(unsigned port) {
  return mesh::refuse_connections(port, {reinterpret_cast<const char*>(&kBye), sizeof kBye});
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
  stop_watching_room();
  mesh::wake_on_ready(port_, set_);
  // store-load: am.sleep (owner)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return mesh::connections_for(port_) == taken_;
}

}  // namespace ramjet::channel
