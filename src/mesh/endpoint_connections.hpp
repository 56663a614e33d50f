// SPDX-License-Identifier: Apache-2.0
// TCP connections that a library has opened by itself (libfabric's provider), which gives no
// descriptors: they are looked for among those of the process, by the addresses of the endpoints
// that they join.
//
// Threads: any; nothing is kept.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <vector>

namespace ramjet::mesh {

// One end of a connection; port 0: of none.
struct tcp_end {
  std::array<std::uint8_t, 16> host{};  // an IPv4 address as IPv6 writes it, ::ffff:10.0.0.2
  std::uint16_t port = 0;
  bool operator==(const tcp_end&) const = default;
};
// Of port 0 if the bytes are not an internet address.
tcp_end end_of(const void* address, std::size_t bytes);

// Both are ports of the job.
struct endpoint_pair {
  std::uint32_t from, to;
  tcp_end here, there;
};

struct open_connection {
  int fd;
  std::uint32_t from, to;
  tcp_end here, there;
};
// The end that connects uses the other endpoint's address, which identifies the pair. The end that
// accepts sees the other's host only: if several of the pairs lead there, it cannot tell them
// apart, and leaves the connection out; the connecting end has it.
std::vector<open_connection> connections_between(const std::vector<endpoint_pair>& pairs);

}  // namespace ramjet::mesh
