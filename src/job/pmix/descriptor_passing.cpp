// SPDX-License-Identifier: Apache-2.0
#include "job/pmix/descriptor_passing.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/clock.hpp"
#include "base/system.hpp"

namespace ramjet::job {

namespace {

constexpr unsigned kRequestMsMax = 2000;  // between connecting and asking: one follows the other

// What a requester sends, in one packet; what comes back is one byte and the descriptor.
struct request {
  passing_token token;
  std::uint32_t rank;
};

class socket_owner {
 public:
  explicit socket_owner(int fd) : fd_(fd) {}
  socket_owner(const socket_owner&) = delete;
  socket_owner& operator=(const socket_owner&) = delete;
  ~socket_owner() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

bool is_our_user(int socket) {
  ucred peer{};
  socklen_t bytes = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

// An abstract address: a zero byte, then the name.
socklen_t fill_address(sockaddr_un& address, const std::string& name) {
  address = {};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  return socklen_t(offsetof(sockaddr_un, sun_path) + 1 + length);
}

void limit_waiting(int socket, unsigned timeout_ms) {
  timeval limit{};
  limit.tv_sec = timeout_ms / 1000;
  limit.tv_usec = suseconds_t(timeout_ms % 1000) * 1000;
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

bool send_descriptor(int socket, int object) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof object)] = {};
  msghdr packet{};
  packet.msg_iov = &data;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&packet);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof object);
  std::memcpy(CMSG_DATA(header), &object, sizeof object);
  return sendmsg(socket, &packet, MSG_NOSIGNAL) == 1;
}

// What came: 1 with a descriptor, 0 if the other end closed, -1 with errno.
int receive_descriptor(int socket, int& object) {
  char byte;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof object)] = {};
  msghdr packet{};
  packet.msg_iov = &data;
  packet.msg_iovlen = 1;
  packet.msg_control = control;
  packet.msg_controllen = sizeof control;
  ssize_t got;
  while ((got = recvmsg(socket, &packet, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
  if (got <= 0) return int(got);
  const cmsghdr* header = CMSG_FIRSTHDR(&packet);
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS ||
      header->cmsg_len != CMSG_LEN(sizeof object)) {
    errno = EPROTO;
    return -1;
  }
  std::memcpy(&object, CMSG_DATA(header), sizeof object);
  return 1;
}

// The rank that requests the descriptor through this connection, and may have it; else -1.
int requester_of(int connection, const passing_token& token) {
  if (!is_our_user(connection)) return -1;
  limit_waiting(connection, kRequestMsMax);
  request wanted;
  if (recv(connection, &wanted, sizeof wanted, MSG_TRUNC) != ssize_t(sizeof wanted)) return -1;
  return wanted.token == token ? int(wanted.rank) : -1;
}

}  // namespace

descriptor_sender::~descriptor_sender() {
  if (listener_ >= 0) close(listener_);
}

bool descriptor_sender::open(std::string& name, std::string& message) {
  listener_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socklen_t bytes = sizeof address.sun_family;  // no name: the kernel gives one that is free
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  const bool listens =
      listener_ >= 0 && bind(listener_, plain, bytes) == 0 && listen(listener_, SOMAXCONN) == 0;
  bytes = sizeof address;
  if (!listens || getsockname(listener_, plain, &bytes) != 0) {
    message = base::os_error("cannot open a socket for the ranks of this machine");
    return false;
  }
  name.assign(address.sun_path + 1, bytes - offsetof(sockaddr_un, sun_path) - 1);
  return true;
}

status descriptor_sender::send(int object, std::vector<unsigned> ranks, const passing_token& token,
                               unsigned timeout_ms, std::string& message) {
  const std::uint64_t end = base::now_ns() + std::uint64_t{timeout_ms} * 1'000'000;
  while (!ranks.empty()) {
    const std::uint64_t now = base::now_ns();
    pollfd waiting{listener_, POLLIN, 0};
    const int ready = now >= end ? 0 : poll(&waiting, 1, int((end - now) / 1'000'000) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      message = "rank " + std::to_string(ranks.front()) +
                " did not come for the memory of this machine within " +
                std::to_string(timeout_ms / 1000) + " s";
      return status::environment;
    }
    const socket_owner connection(accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.get() < 0) continue;
    const auto found =
        std::find(ranks.begin(), ranks.end(), unsigned(requester_of(connection.get(), token)));
    if (found != ranks.end() && send_descriptor(connection.get(), object)) ranks.erase(found);
  }
  return status::ok;
}

status request_descriptor(const descriptor_source& source, unsigned mine, unsigned timeout_ms,
                          int& object, std::string& message) {
  const std::string sender = "rank " + std::to_string(source.from);
  const socket_owner connection(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address;
  const socklen_t bytes = fill_address(address, source.name);
  if (connection.get() < 0 ||
      connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), bytes) != 0) {
    message = base::os_error(("cannot reach " + sender + " on this machine").c_str());
    return status::environment;
  }
  if (!is_our_user(connection.get())) {
    message = "what answers for " + sender + " belongs to another user";
    return status::environment;
  }
  request wanted{source.token, mine};
  limit_waiting(connection.get(), timeout_ms);
  if (send(connection.get(), &wanted, sizeof wanted, MSG_NOSIGNAL) != ssize_t(sizeof wanted)) {
    message = base::os_error(("cannot ask " + sender + " for the memory of this machine").c_str());
    return status::environment;
  }
  const int got = receive_descriptor(connection.get(), object);
  if (got == 1) return status::ok;
  const bool late = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  message = sender + (late ? " did not give the memory of this machine within " +
                                 std::to_string(timeout_ms / 1000) + " s"
                           : " ended before it gave the memory of this machine");
  return status::environment;
}

}  // namespace ramjet::job
