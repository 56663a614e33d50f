// SPDX-License-Identifier: Apache-2.0
// A connection of a rank breaks under the library while all ranks live, as a middlebox's reset
// would break it. All ranks communicate until they are told of a death.
//
//
//   broken_connection RANK control|channel shutdown|reset
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

// In the order of descriptors: control connections come first, one for each rank elsewhere.
std::vector<int> connections() {
  std::vector<int> found;
  for (int fd = 3; fd < 256; ++fd) {
    sockaddr_storage peer;
    socklen_t bytes = sizeof peer;
    int type = 0;
    socklen_t type_bytes = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_bytes) == 0 && type == SOCK_STREAM &&
        ::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &bytes) == 0 &&
        (peer.ss_family == AF_INET || peer.ss_family == AF_INET6))
      found.push_back(fd);
  }
  return found;
}

// A TCP socket that is connected to nothing sends a reset.
void break_one(int fd, const std::string& how) {
  if (how == "shutdown") {
    ::shutdown(fd, SHUT_RDWR);
    return;
  }
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  ::connect(fd, &nobody, sizeof nobody);
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  if (argc != 4) return 2;
  const std::string kind = argv[2], how = argv[3];
  const int me = ramjet::rank();
  const auto far_ranks = std::size_t(std::atoi(std::getenv("FAR_RANKS")));
  ramjet::status s = ramjet::barrier();
  if (me == std::atoi(argv[1])) {
    std::thread([kind, how, far_ranks] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      const std::vector<int> all = connections();
      const std::size_t first = kind == "control" ? 0 : far_ranks;
      if (first < all.size()) break_one(all[first], how);
    }).detach();
  }
  while (s == ramjet::status::ok) {
    long x = 0;
    s = ramjet::broadcast(x, 0);
    if (s == ramjet::status::ok) s = ramjet::barrier();
  }
  std::printf("rank %d: %s, rank %d\n", me, ramjet::to_string(s), ramjet::last_failure().rank);
  std::fflush(stdout);
  ramjet::finalize();
}
