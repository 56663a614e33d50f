// SPDX-License-Identifier: Apache-2.0
// For how long a connection is not answered, from what the system says of it.
#include "mesh/connection_watch.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using namespace ramjet::mesh;

constexpr transmission kUnanswered{.acknowledged_bytes = 100, .waits_for_answer = true};

answer_clock silent_for(std::uint64_t ns) {
  answer_clock c;
  c.advance(kUnanswered, 1, true);  // its first bytes were acknowledged
  c.advance(kUnanswered, ns, true);
  return c;
}

TEST(AnswerClock, CountsWhileNothingIsAcknowledged) {
  answer_clock c = silent_for(70);
  c.advance(kUnanswered, 30, true);
  EXPECT_EQ(c.silent_ns(), 100u);
}

TEST(AnswerClock, BeginsAnewWithEveryAcknowledgement) {
  answer_clock c = silent_for(70);
  c.advance({.acknowledged_bytes = 101, .waits_for_answer = true}, 30, true);
  EXPECT_EQ(c.silent_ns(), 0u);
}

TEST(AnswerClock, NothingToAnswerIsNoSilence) {
  answer_clock c = silent_for(70);
  c.advance({.acknowledged_bytes = 100}, 30, true);
  EXPECT_EQ(c.silent_ns(), 0u);
}

// The peer reads nothing, and its system says that it has no room.
TEST(AnswerClock, NoRoomIsAnAnswer) {
  answer_clock c = silent_for(70);
  c.advance({.acknowledged_bytes = 100, .waits_for_answer = true, .no_room_there = true}, 30, true);
  EXPECT_EQ(c.silent_ns(), 0u);
}

// The whole way was out: TCP has as long again to send once more.
TEST(AnswerClock, BeginsAnewWhereThePeerWasNotHeard) {
  answer_clock c = silent_for(70);
  c.advance(kUnanswered, 1000, false);
  EXPECT_EQ(c.silent_ns(), 0u);
  c.advance(kUnanswered, 5, true);
  EXPECT_EQ(c.silent_ns(), 5u);
}

// Two ends of a TCP connection on the loopback.
class Connection : public testing::Test {
 protected:
  void SetUp() override {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof at;
    ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    ASSERT_EQ(::listen(listener, 1), 0);
    ASSERT_EQ(::getsockname(listener, reinterpret_cast<sockaddr*>(&at), &bytes), 0);
    here = ::socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_EQ(::connect(here, reinterpret_cast<sockaddr*>(&at), sizeof at), 0);
    there = ::accept(listener, nullptr, nullptr);
    ASSERT_GE(there, 0);
    ::close(listener);
  }
  void TearDown() override {
    ::close(here);
    if (there >= 0) ::close(there);
  }
  // Whether it is found, if each check comes a second after the last and the limit is a minute.
  bool is_found(unsigned checks) {
    unsigned found = 0;
    for (unsigned i = 0; i < checks; ++i)
      watch.check(
          1'000'000'000, 60'000'000'000, [](std::uint32_t) { return true; },
          [&](std::uint32_t, std::uint32_t, int fd) { found += fd == here; });
    EXPECT_LE(found, 1u);
    return found != 0;
  }

  connection_watch watch;
  int here = -1, there = -1;
};

// The other end reads nothing until its system has no room left: that is not silence.
TEST_F(Connection, APeerThatDoesNotReadIsNotFound) {
  watch.add(here, 0, 1);
  const std::vector<char> block(1 << 16);
  while (::send(here, block.data(), block.size(), MSG_DONTWAIT) > 0) {
  }
  transmission t;
  for (int i = 0; i < 10'000; ++i) {  // until all that fits has been acknowledged
    ASSERT_TRUE(read_transmission(here, t));
    if (!t.waits_for_answer) break;
    ::usleep(1000);
  }
  ASSERT_FALSE(t.waits_for_answer);
  EXPECT_FALSE(is_found(200));
}

TEST_F(Connection, WhatIsAnsweredIsNotFound) {
  watch.add(here, 0, 1);
  for (int i = 0; i < 200; ++i) {
    char c = 1;
    ASSERT_EQ(::send(here, &c, 1, 0), 1);
    ASSERT_EQ(::recv(there, &c, 1, 0), 1);
    ASSERT_FALSE(is_found(1)) << i;
  }
}

// The system is asked while something was sent, until it is acknowledged.
TEST_F(Connection, AnIdleOneIsNotAskedAbout) {
  std::atomic<std::uint32_t> sends{0};
  watch.add(here, 0, 1, &sends);
  ::close(std::exchange(there, -1));  // what is sent from here on is never acknowledged
  char c = 1;
  ASSERT_EQ(::send(here, &c, 1, 0), 1);
  unsigned asked = 0;
  const auto check = [&] {
    watch.check(
        1, 0, [&](std::uint32_t) { return true; },
        [&](std::uint32_t, std::uint32_t, int) { ++asked; });
  };
  check();
  EXPECT_EQ(asked, 0u);
  ++sends;
  check();
  EXPECT_EQ(asked, 1u);
}

TEST_F(Connection, WhatIsRemovedIsNotChecked) {
  watch.add(here, 0, 1);
  watch.remove(here);
  unsigned looked = 0;
  watch.check(
      1, 1, [&](std::uint32_t) { return ++looked != 0; }, [](std::uint32_t, std::uint32_t, int) {});
  EXPECT_EQ(looked, 0u);
}

// The address at one end of the socket.
tcp_end end_at(int fd, int (*name)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage where{};
  socklen_t bytes = sizeof where;
  EXPECT_EQ(name(fd, reinterpret_cast<sockaddr*>(&where), &bytes), 0);
  return end_of(&where, bytes);
}

// For a library's connections: (descriptor, to) of all that are checked.
std::vector<std::pair<int, std::uint32_t>> checked(connection_watch& watch) {
  std::vector<std::pair<int, std::uint32_t>> all;
  watch.check(
      0, 0, [](std::uint32_t) { return true; },
      [&](std::uint32_t, std::uint32_t to, int fd) { all.emplace_back(fd, to); });
  return all;
}

TEST_F(Connection, OneBetweenEndpointsIsFoundByTheAddressItLeadsTo) {
  const tcp_end to = end_at(here, ::getpeername), own = {to.host, 1};
  watch.add_endpoints({0, 7, own, {to.host, std::uint16_t(to.port + 1)}});
  watch.add_endpoints({0, 5, own, to});
  const std::vector<std::pair<int, std::uint32_t>> expected = {{here, 5}};
  EXPECT_EQ(checked(watch), expected);
  EXPECT_TRUE(checked(watch).empty()) << "it is told twice";
}

TEST_F(Connection, OneThatCameIsFoundByTheHostItCameFrom) {
  const tcp_end own = end_at(there, ::getsockname), from = end_at(there, ::getpeername);
  const tcp_end its_endpoint = {from.host, 1};
  watch.add_endpoints({0, 5, own, its_endpoint});
  const std::vector<std::pair<int, std::uint32_t>> expected = {{there, 5}};
  EXPECT_EQ(checked(watch), expected);
}

TEST_F(Connection, OneThatCameFromAHostOfSeveralIsLeftToTheOtherEnd) {
  const tcp_end own = end_at(there, ::getsockname), from = end_at(there, ::getpeername);
  watch.add_endpoints({0, 5, own, {from.host, 1}});
  watch.add_endpoints({0, 6, own, {from.host, 2}});
  EXPECT_TRUE(checked(watch).empty());
}

TEST_F(Connection, OneBetweenEndpointsIsForgottenWithThem) {
  const tcp_end to = end_at(here, ::getpeername);
  watch.add_endpoints({0, 5, {to.host, 1}, to});
  watch.remove_endpoints(0);
  EXPECT_TRUE(checked(watch).empty());
}

TEST(EndOfAddress, IsTheSameHowTheAddressIsWritten) {
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(40'000);
  v4.sin_addr.s_addr = htonl(0x0a4d0001);
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(40'000);
  ASSERT_EQ(::inet_pton(AF_INET6, "::ffff:10.77.0.1", &v6.sin6_addr), 1);
  EXPECT_EQ(end_of(&v4, sizeof v4), end_of(&v6, sizeof v6));
  EXPECT_EQ(end_of(&v4, sizeof v4).port, 40'000);
  EXPECT_EQ(end_of(&v4, 2).port, 0);
  EXPECT_EQ(end_of("no address", 10).port, 0);
}

TEST(Transmission, IsReadOfTcpOnly) {
  int pair[2];
  ASSERT_EQ(::pipe(pair), 0);
  transmission t;
  EXPECT_FALSE(read_transmission(pair[0], t));
  ::close(pair[0]);
  ::close(pair[1]);
}

}  // namespace
