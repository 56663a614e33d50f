// SPDX-License-Identifier: Apache-2.0
#include "mesh/endpoint_connections.hpp"

#include <dirent.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace ramjet::mesh {

namespace {

struct close_folder {
  void operator()(DIR* d) const noexcept { ::closedir(d); }
};

using name_of_end = int (*)(int, sockaddr*, socklen_t*);

tcp_end end_by(name_of_end name, int fd) {
  sockaddr_storage where{};
  socklen_t bytes = sizeof where;
  if (name(fd, reinterpret_cast<sockaddr*>(&where), &bytes) != 0) return {};
  return end_of(&where, bytes);
}

bool is_stream(int fd) {
  int type = 0;
  socklen_t bytes = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) == 0 && type == SOCK_STREAM;
}

// The pair that the connection belongs to; null: none, or it cannot be told.
const endpoint_pair* pair_of(const std::vector<endpoint_pair>& pairs, const tcp_end& here,
                             const tcp_end& there) {
  const endpoint_pair* by_host = nullptr;
  bool is_unique = true;
  for (const endpoint_pair& p : pairs) {
    if (p.there == there) return &p;
    if (p.here == here && p.there.host == there.host) {
      is_unique = by_host == nullptr;
      by_host = &p;
    }
  }
  return is_unique ? by_host : nullptr;
}

}  // namespace

tcp_end end_of(const void* address, std::size_t bytes) {
  tcp_end end;
  sockaddr_in v4;
  sockaddr_in6 v6;
  sa_family_t family = AF_UNSPEC;
  if (bytes >= sizeof family) std::memcpy(&family, address, sizeof family);
  if (family == AF_INET && bytes >= sizeof v4) {
    std::memcpy(&v4, address, sizeof v4);
    end.host[10] = end.host[11] = 0xff;
    std::memcpy(&end.host[12], &v4.sin_addr, sizeof v4.sin_addr);
    end.port = ntohs(v4.sin_port);
  } else if (family == AF_INET6 && bytes >= sizeof v6) {
    std::memcpy(&v6, address, sizeof v6);
    std::memcpy(end.host.data(), &v6.sin6_addr, end.host.size());
    end.port = ntohs(v6.sin6_port);
  }
  return end;
}

std::vector<open_connection> connections_between(const std::vector<endpoint_pair>& pairs) {
  std::vector<open_connection> found;
  const std::unique_ptr<DIR, close_folder> folder(::opendir("/proc/self/fd"));
  if (folder == nullptr) return found;
  while (const dirent* entry = ::readdir(folder.get())) {
    const int fd = std::atoi(entry->d_name);
    const tcp_end there = end_by(::getpeername, fd);
    if (there.port == 0 || !is_stream(fd)) continue;
    const tcp_end here = end_by(::getsockname, fd);
    if (const endpoint_pair* p = pair_of(pairs, here, there); p != nullptr)
      found.push_back({fd, p->from, p->to, here, there});
  }
  return found;
}

}  // namespace ramjet::mesh
