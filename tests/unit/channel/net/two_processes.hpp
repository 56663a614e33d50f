// SPDX-License-Identifier: Apache-2.0
// Two ranks on two nodes, each a process of its own, with a real mesh between them over the
// loopback: the test is rank 0, its child rank 1.
#pragma once

#include <gtest/gtest.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "channel/net/networks.hpp"
#include "fake_network.hpp"
#include "mesh/mesh.hpp"

namespace net_test {

// One of the two, joined to the other.
class half {
 public:
  half(unsigned rank, int fd, const std::string& network) : rank_(rank), fd_(fd) {
    ramjet::job::membership& m = ramjet::job::self_for_tests();
    m.rank = int(rank);
    m.node = rank;
    m.launched = true;
    m.settings.networks = {network};
    m.settings.failure_timeout_ms = 60'000;
    std::string card, mine, theirs, message;
    if (ramjet::mesh::open_mesh(card, message) != ramjet::status::ok) fail(message);
    if (ramjet::channel::open_networks(mine, message) != ramjet::status::ok) fail(message);
    std::vector<std::string> cards(2), network_cards(2);
    cards[rank] = card;
    network_cards[rank] = mine;
    cards[1 - rank] = exchange(card);
    network_cards[1 - rank] = exchange(mine);
    if (ramjet::mesh::connect_mesh(cards, {}, 1, [] { return -1; }, message) != ramjet::status::ok)
      fail(message);
    if (ramjet::channel::choose_networks(network_cards, message) != ramjet::status::ok)
      fail(message);
  }
  ~half() {
    meet();
    ramjet::channel::close_networks();
    ramjet::mesh::close_mesh();
  }
  half(const half&) = delete;
  half& operator=(const half&) = delete;

  // Both have come here.
  void meet() { exchange("here"); }
  // The other one has come to where both meet.
  bool other_waits() const {
    pollfd p{fd_, POLLIN, 0};
    return ::poll(&p, 1, 0) != 0;
  }
  // Gives the other a text, and gets its.
  std::string exchange(const std::string& mine) {
    const auto count = std::uint32_t(mine.size());
    std::uint32_t coming = 0;
    if (::send(fd_, &count, sizeof count, MSG_NOSIGNAL) != sizeof count ||
        ::send(fd_, mine.data(), count, MSG_NOSIGNAL) != ssize_t(count) ||
        ::recv(fd_, &coming, sizeof coming, MSG_WAITALL) != sizeof coming)
      fail("the other process has gone");
    std::string theirs(coming, ' ');
    if (::recv(fd_, theirs.data(), coming, MSG_WAITALL) != ssize_t(coming))
      fail("the other process has gone");
    return theirs;
  }
  unsigned rank() const { return rank_; }

 private:
  [[noreturn]] static void fail(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::_Exit(1);
  }
  unsigned rank_;
  int fd_;
};

// Runs one function in each rank; rank 1's fails if an expectation of it does.
inline void in_two_processes(const std::string& network, const std::function<void(half&)>& first,
                             const std::function<void(half&)>& second) {
  static fake_job job;
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::close(ends[0]);
    {
      half mine(1, ends[1], network);
      second(mine);
    }
    std::fflush(nullptr);
    std::_Exit(testing::Test::HasFailure() ? 1 : 0);
  }
  ::close(ends[1]);
  {
    half mine(0, ends[0], network);
    first(mine);
  }
  ::close(ends[0]);
  int how = 0;
  ASSERT_EQ(::waitpid(child, &how, 0), child);
  EXPECT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0) << "rank 1 failed";
}

// The stream to the other rank's port, once it has come.
inline std::unique_ptr<ramjet::channel::stream> wait_for_stream(ramjet::channel::network& n,
                                                                unsigned expected) {
  for (;;) {
    n.progress();
    unsigned peer = ~0u;
    if (auto s = n.take(peer)) {
      EXPECT_EQ(peer, expected);
      return s;
    }
    ::usleep(100);
  }
}

inline std::byte byte_at(std::size_t i) { return std::byte(i * 7 + i / 251); }

// Sends `count` bytes; false if the stream broke.
inline bool send_all(ramjet::channel::network& n, ramjet::channel::stream& to, std::size_t count) {
  std::vector<std::byte> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = byte_at(i);
  for (std::size_t done = 0; done < count;) {
    const std::size_t split = (count - done) / 3;
    const std::ptrdiff_t sent =
        to.send({all.data() + done, split}, {all.data() + done + split, count - done - split});
    if (sent < 0) return false;
    if (sent == 0) {
      n.progress();
      ::usleep(50);
    }
    done += std::size_t(sent);
  }
  return true;
}

// Receives until the stream breaks or `count` bytes are there; how many came as they were sent.
inline std::size_t receive_all(ramjet::channel::network& n, ramjet::channel::stream& from,
                               std::size_t count) {
  std::vector<std::byte> some(20'000);
  std::size_t done = 0;
  while (done < count) {
    n.progress();
    const std::ptrdiff_t got = from.receive(some.data(), std::min(some.size(), count - done));
    if (got < 0) break;
    if (got == 0) ::usleep(50);
    for (std::ptrdiff_t i = 0; i < got; ++i)
      if (some[std::size_t(i)] != byte_at(done + std::size_t(i))) return done + std::size_t(i);
    done += std::size_t(got);
  }
  return done;
}

}  // namespace net_test
