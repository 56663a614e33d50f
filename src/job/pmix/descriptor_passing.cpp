// SPDX-License-Identifier: Apache-2.0
#include "job/pmix/descriptor_passing.hpp"

#include <poll.h>
#include <sys/socket.h>
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
constexpr unsigned kLookMs = 100;  // between two looks whether a wait is hopeless
constexpr std::uint64_t kNsPerMs = 1'000'000;

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

// Until there is something to take from it. False if nothing has come in time, or never will.
bool wait_for_input(int socket, const passing_limits& limits) {
  const std::uint64_t end = base::now_ns() + limits.timeout_ms * kNsPerMs;
  pollfd waiting{socket, POLLIN, 0};
  for (;;) {
    const std::uint64_t now = base::now_ns();
    if (now >= end || (limits.is_hopeless && limits.is_hopeless())) return false;
    const unsigned left_ms = unsigned((end - now) / kNsPerMs) + 1;
    if (poll(&waiting, 1, int(std::min(left_ms, kLookMs))) > 0) return true;
  }
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

// What came: 1 with a descriptor, 0 if the other end closed, -1: neither.
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
      header->cmsg_len != CMSG_LEN(sizeof object))
    return -1;
  std::memcpy(&object, CMSG_DATA(header), sizeof object);
  return 1;
}

// The rank that requests the descriptor through this connection, and may have it; else -1.
int requester_of(int connection, const passing_token& token) {
  if (!is_our_user(connection)) return -1;
  if (!wait_for_input(connection, {kRequestMsMax, {}})) return -1;
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
                               const passing_limits& limits, std::string& message) {
  const std::uint64_t end = base::now_ns() + limits.timeout_ms * kNsPerMs;
  while (!ranks.empty()) {
    const std::uint64_t left = end - std::min(end, base::now_ns());
    if (!wait_for_input(listener_, {unsigned(left / kNsPerMs), limits.is_hopeless})) {
      message = "rank " + std::to_string(ranks.front()) +
                " did not come for the memory of this machine within " +
                std::to_string(limits.timeout_ms / 1000) + " s";
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

status request_descriptor(const descriptor_source& source, unsigned mine,
                          const passing_limits& limits, int& object, std::string& message) {
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
  if (send(connection.get(), &wanted, sizeof wanted, MSG_NOSIGNAL) != ssize_t(sizeof wanted)) {
    message = base::os_error(("cannot ask " + sender + " for the memory of this machine").c_str());
    return status::environment;
  }
  const bool late = !wait_for_input(connection.get(), limits);
  if (!late && receive_descriptor(connection.get(), object) == 1) return status::ok;
  message = sender + (late ? " did not give the memory of this machine within " +
                                 std::to_string(limits.timeout_ms / 1000) + " s"
                           : " ended before it gave the memory of this machine");
  return status::environment;
}

}  // namespace ramjet::job
