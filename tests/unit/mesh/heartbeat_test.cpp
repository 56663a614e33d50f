// SPDX-License-Identifier: Apache-2.0
#include "mesh/heartbeat.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace ramjet::mesh {
namespace {

constexpr unsigned kRanks = 4, kReceiver = 3;
constexpr int kPatienceMs = 20'000;

// Two ends on the loopback.
struct heartbeat_test : testing::Test {
  heartbeat_test() {
    EXPECT_GE(::sodium_init(), 0);
    for (auto* where : {&here, &there}) {
      auto* in = reinterpret_cast<sockaddr_in*>(&where->where);
      in->sin_family = AF_INET;
      in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      where->bytes = sizeof *in;
    }
    key.fill(7);
    EXPECT_TRUE(a.open(here) && b.open(there));
    a.set_job(key, kRanks, 0);
    b.set_job(key, kRanks, kReceiver);
  }
  static heartbeat from(unsigned rank) {
    heartbeat beat;
    beat.from = rank;
    beat.to = kReceiver;
    return beat;
  }
  // Waits until something has arrived at b.
  void await() {
    pollfd p{b.descriptor(), POLLIN, 0};
    ASSERT_EQ(::poll(&p, 1, kPatienceMs), 1);
  }

  job::job_key key;
  net_address here, there;
  heartbeat_socket a, b;
  heartbeat got;
};

TEST_F(heartbeat_test, arrives_as_it_was_sent) {
  heartbeat beat = from(2);
  beat.machine = 0x1234'5678'9abc'def0;
  beat.thread = 77;
  beat.hears_you = 1;
  a.send(beat, there);
  await();
  ASSERT_TRUE(b.receive(got));
  EXPECT_EQ(got.from, 2u);
  EXPECT_EQ(got.to, kReceiver);
  EXPECT_EQ(got.machine, beat.machine);
  EXPECT_EQ(got.thread, 77u);
  EXPECT_EQ(got.hears_you, 1u);
  EXPECT_FALSE(b.receive(got));
}

TEST_F(heartbeat_test, of_another_key_or_rank_or_length_or_for_another_rank_is_dropped) {
  job::job_key other = key;
  other[0] ^= 1;
  a.set_job(other, kRanks, 0);
  a.send(from(1), there);
  a.set_job(key, kRanks, 0);
  a.send(from(kRanks), there);  // there is no such rank
  heartbeat for_another = from(1);
  for_another.to = kReceiver - 1;
  a.send(for_another, there);
  char noise[1000] = {};
  for (std::size_t bytes : {0u, 1u, 31u, 1000u})
    ::sendto(a.descriptor(), noise, bytes, 0, reinterpret_cast<sockaddr*>(&there.where),
             there.bytes);
  a.send(from(1), there);  // the loopback keeps the order
  for (;;) {
    await();
    if (b.receive(got)) break;
  }
  EXPECT_EQ(got.from, 1u);
  EXPECT_EQ(got.number, 4u);
}

TEST_F(heartbeat_test, a_recording_is_dropped) {
  // The datagram as it passes: taken by a third party, which sends it twice.
  net_address tap = here;
  heartbeat_socket third;
  reinterpret_cast<sockaddr_in*>(&tap.where)->sin_port = 0;
  ASSERT_TRUE(third.open(tap));
  a.send(from(1), tap);
  pollfd p{third.descriptor(), POLLIN, 0};
  ASSERT_EQ(::poll(&p, 1, kPatienceMs), 1);
  char datagram[2000];
  const ssize_t bytes = ::recv(third.descriptor(), datagram, sizeof datagram, 0);
  ASSERT_GT(bytes, 0);
  const auto replay = [&] {
    ::sendto(third.descriptor(), datagram, std::size_t(bytes), 0,
             reinterpret_cast<sockaddr*>(&there.where), there.bytes);
    await();
    return b.receive(got);
  };
  EXPECT_TRUE(replay());
  EXPECT_FALSE(replay());
  datagram[40] ^= 1;  // or changed
  EXPECT_FALSE(replay());
}

TEST_F(heartbeat_test, nobody_there_is_no_error) {
  net_address gone = here;
  {
    heartbeat_socket brief;
    reinterpret_cast<sockaddr_in*>(&gone.where)->sin_port = 0;
    ASSERT_TRUE(brief.open(gone));
  }
  for (int i = 0; i < 3; ++i) {
    a.send(from(1), gone);
    a.send(from(1), there);
  }
  await();
  EXPECT_TRUE(b.receive(got));
}

}  // namespace
}  // namespace ramjet::mesh
