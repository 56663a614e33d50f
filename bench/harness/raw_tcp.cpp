// SPDX-License-Identifier: Apache-2.0
#include "harness/raw_tcp.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "harness/check.hpp"
#include "harness/raw.hpp"

namespace bench {
namespace {

// The address of RAMJET_INTERFACE, as the job itself takes it; else the loopback's.
in_addr own_address() {
  in_addr address{htonl(INADDR_LOOPBACK)};
  const char* wanted = std::getenv("RAMJET_INTERFACE");
  if (wanted == nullptr || ::inet_pton(AF_INET, wanted, &address) == 1) return address;
  ifaddrs* all = nullptr;
  BENCH_CHECK(::getifaddrs(&all) == 0, "the network interfaces cannot be listed");
  for (const ifaddrs* i = all; i != nullptr; i = i->ifa_next)
    if (i->ifa_addr != nullptr && i->ifa_addr->sa_family == AF_INET &&
        std::strcmp(i->ifa_name, wanted) == 0)
      address = reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr;
  ::freeifaddrs(all);
  return address;
}

}  // namespace

raw_tcp::raw_tcp(std::atomic<std::uint64_t>& listening, int rank) : rank_(rank) {
  if (rank == 0) {
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{
        .sin_family = AF_INET, .sin_port = 0, .sin_addr = own_address(), .sin_zero = {}};
    socklen_t bytes = sizeof where;
    BENCH_CHECK(listener >= 0 &&
                    ::bind(listener, reinterpret_cast<sockaddr*>(&where), bytes) == 0 &&
                    ::listen(listener, 1) == 0 &&
                    ::getsockname(listener, reinterpret_cast<sockaddr*>(&where), &bytes) == 0,
                "cannot listen for the raw limit's connection");
    listening.store(std::uint64_t{where.sin_addr.s_addr} << 16 | where.sin_port,
                    std::memory_order_release);
    fd_ = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    ::close(listener);
  } else if (rank == 1) {
    spin_until([&] { return listening.load(std::memory_order_acquire) != 0; });
    const std::uint64_t at = listening.load(std::memory_order_acquire);
    const sockaddr_in where{.sin_family = AF_INET,
                            .sin_port = std::uint16_t(at),
                            .sin_addr = {std::uint32_t(at >> 16)},
                            .sin_zero = {}};
    fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    BENCH_CHECK(
        fd_ >= 0 && ::connect(fd_, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0,
        "the raw limit's connection was refused");
  }
  if (rank > 1) return;
  BENCH_CHECK(fd_ >= 0, "the raw limit has no connection");
  const int yes = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

raw_tcp::~raw_tcp() {
  if (fd_ >= 0) ::close(fd_);
}

std::size_t raw_tcp::send_some(const void* from, std::size_t bytes) {
  const ssize_t sent = ::send(fd_, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  BENCH_CHECK(sent > 0, "the raw limit's connection broke");
  return std::size_t(sent);
}

std::size_t raw_tcp::receive_some(void* into, std::size_t bytes) {
  const ssize_t got = ::recv(fd_, into, bytes, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  BENCH_CHECK(got > 0, "the raw limit's connection broke");
  return std::size_t(got);
}

void raw_tcp::send_all(const void* from, std::size_t bytes) {
  for (std::size_t sent = 0; sent < bytes;)
    sent += send_some(static_cast<const char*>(from) + sent, bytes - sent);
}

void raw_tcp::receive_all(void* into, std::size_t bytes) {
  for (std::size_t got = 0; got < bytes;)
    got += receive_some(static_cast<char*>(into) + got, bytes - got);
}

double raw_tcp::round_trip_ns(unsigned count, std::size_t bytes) {
  buffer_.resize(bytes);
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i) {
    if (rank_ == 0) send_all(buffer_.data(), bytes);
    receive_all(buffer_.data(), bytes);
    if (rank_ == 1) send_all(buffer_.data(), bytes);
  }
  return (now_ns() - begin_ns) / count;
}

void raw_tcp::messages(unsigned count) {
  constexpr std::size_t kMost = 64 * 1024;
  buffer_.resize(kMost);
  if (rank_ == 0) {
    for (std::uint64_t i = 0; i < count; ++i) send_all(&i, sizeof i);
    return;
  }
  for (std::size_t left = count * sizeof(std::uint64_t); left != 0;)
    left -= receive_some(buffer_.data(), std::min(left, kMost));
}

void raw_tcp::blocks(unsigned count, std::size_t bytes) {
  buffer_.resize(bytes);
  for (unsigned i = 0; i < count; ++i) {
    if (rank_ == 0) {
      send_all(buffer_.data(), bytes);
    } else {
      receive_all(buffer_.data(), bytes);
    }
  }
  char last = 0;
  if (rank_ == 0) {
    receive_all(&last, 1);
  } else {
    send_all(&last, 1);
  }
}

}  // namespace bench
