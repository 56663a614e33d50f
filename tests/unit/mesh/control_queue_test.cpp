// SPDX-License-Identifier: Apache-2.0
#include "mesh/control_queue.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace ramjet::mesh {
namespace {

// A message is no power of two long: a full socket buffer cuts one in the middle.
struct message {
  std::uint32_t number;
  char rest[23];
};

struct control_queue_test : testing::Test {
  control_queue_test() {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    const int few = 4096;
    ::setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &few, sizeof few);
  }
  ~control_queue_test() override {
    for (int fd : pair)
      if (fd >= 0) ::close(fd);
  }
  void append(std::uint32_t number) {
    message m{};
    m.number = number;
    std::memset(m.rest, int(number % 251), sizeof m.rest);
    queue.append(&m, sizeof m);
  }
  // All that the peer has received so far.
  void receive(std::vector<std::byte>& into) {
    std::byte some[1000];
    ssize_t got;
    while ((got = ::recv(pair[1], some, sizeof some, MSG_DONTWAIT)) > 0)
      into.insert(into.end(), some, some + got);
  }

  int pair[2] = {-1, -1};
  control_queue queue;
};

TEST_F(control_queue_test, what_a_full_socket_does_not_take_follows_in_order) {
  constexpr std::uint32_t kMessages = 20'000;
  std::vector<std::byte> all;
  unsigned waited = 0;
  for (std::uint32_t i = 0; i < kMessages; ++i) {
    append(i);
    while (queue.flush(pair[0]) == control_queue::result::waits) {
      ++waited;
      receive(all);
    }
  }
  receive(all);
  EXPECT_GT(waited, 10u);
  EXPECT_TRUE(queue.is_empty());
  ASSERT_EQ(all.size(), kMessages * sizeof(message));
  for (std::uint32_t i = 0; i < kMessages; ++i) {
    message m;
    std::memcpy(&m, all.data() + i * sizeof m, sizeof m);
    ASSERT_EQ(m.number, i);
    ASSERT_EQ(m.rest[22], char(i % 251));
  }
}

TEST_F(control_queue_test, a_peer_that_has_closed_is_a_failure_with_its_errno) {
  ::close(pair[1]);
  pair[1] = -1;
  append(1);
  EXPECT_EQ(queue.flush(pair[0]), control_queue::result::failed);
  EXPECT_EQ(errno, EPIPE);
}

TEST_F(control_queue_test, an_empty_queue_sends_nothing) {
  EXPECT_EQ(queue.flush(pair[0]), control_queue::result::sent);
}

}  // namespace
}  // namespace ramjet::mesh
