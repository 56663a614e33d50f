// SPDX-License-Identifier: Apache-2.0
// TCP connections that a mesh has made, as streams: between two processes on this machine.
#include "channel/net/tcp_network.hpp"

#include <gtest/gtest.h>

#include "node/wake.hpp"
#include "two_processes.hpp"

namespace {

using namespace net_test;
using namespace ramjet::channel;

constexpr std::size_t kMuch = 20'000'000;  // more than a connection holds

// Each sends while the other does, and both ask for the stream: there is one.
TEST(TcpNetwork, CarriesBytesBothWaysInOrder) {
  const auto talk = [](half& h) {
    tcp_network n(h.rank());
    n.want(1 - h.rank());
    auto s = wait_for_stream(n, 1 - h.rank());
    h.meet();
    unsigned peer;
    EXPECT_EQ(n.take(peer), nullptr);
    if (h.rank() == 0) {
      EXPECT_TRUE(send_all(n, *s, kMuch));
      EXPECT_EQ(receive_all(n, *s, kMuch), kMuch);
    } else {
      EXPECT_EQ(receive_all(n, *s, kMuch), kMuch);
      EXPECT_TRUE(send_all(n, *s, kMuch));
    }
    h.meet();
  };
  in_two_processes("tcp", talk, talk);
}

TEST(TcpNetwork, AsksForAStreamFromEitherEnd) {
  for (unsigned who : {0u, 1u}) {
    SCOPED_TRACE(who);
    const auto talk = [who](half& h) {
      tcp_network n(h.rank());
      if (h.rank() == who) n.want(1 - who);
      auto s = wait_for_stream(n, 1 - h.rank());
      std::byte b{42};
      EXPECT_EQ(s->send({&b, 1}, {}), 1);
      std::ptrdiff_t got;
      while ((got = s->receive(&b, 1)) == 0) ::usleep(100);
      EXPECT_EQ(got, 1);
      h.meet();
    };
    in_two_processes("tcp", talk, talk);
  }
}

// A full connection takes nothing more, and goes on when the other end has read.
TEST(TcpNetwork, IsFullWhenNobodyReads) {
  in_two_processes(
      "tcp",
      [](half& h) {
        tcp_network n(0);
        n.want(1);
        auto s = wait_for_stream(n, 1);
        const std::vector<std::byte> block(1 << 16);
        std::size_t sent = 0;
        for (std::ptrdiff_t got = 1; got > 0; sent += std::size_t(got))
          got = s->send({block.data(), block.size()}, {});
        EXPECT_GT(sent, block.size());
        h.exchange(std::to_string(sent));
        std::byte b;
        while (s->receive(&b, 1) == 0) ::usleep(100);  // it has read everything
        EXPECT_GT(s->send({block.data(), block.size()}, {}), 0);
        h.meet();
      },
      [](half& h) {
        tcp_network n(1);
        auto s = wait_for_stream(n, 0);
        std::size_t left = std::stoull(h.exchange(""));
        std::vector<std::byte> some(1 << 16);
        while (left != 0) {
          const std::ptrdiff_t got = s->receive(some.data(), std::min(some.size(), left));
          ASSERT_GE(got, 0);
          left -= std::size_t(got);
        }
        EXPECT_EQ(s->send({some.data(), 1}, {}), 1);
        h.meet();
      });
}

// Whatever was sent before one end finished arrives, and then the end of the stream.
TEST(TcpNetwork, WhatWasSentBeforeTheEndArrives) {
  in_two_processes(
      "tcp",
      [](half& h) {
        tcp_network n(0);
        n.want(1);
        auto s = wait_for_stream(n, 1);
        EXPECT_TRUE(send_all(n, *s, 100'000));
        s->finish();
        s.reset();
        h.meet();
        h.meet();
      },
      [](half& h) {
        tcp_network n(1);
        auto s = wait_for_stream(n, 0);
        h.meet();
        EXPECT_EQ(receive_all(n, *s, 100'001), 100'000u);
        std::byte b;
        EXPECT_EQ(s->receive(&b, 1), stream::kBroken);
        h.meet();
      });
}

// What came before a break can still be received after a send has failed.
TEST(TcpNetwork, WhatCameBeforeABreakIsThere) {
  in_two_processes(
      "tcp",
      [](half& h) {
        tcp_network n(0);
        n.want(1);
        auto s = wait_for_stream(n, 1);
        EXPECT_TRUE(send_all(n, *s, 3));
        s->finish();
        s.reset();
        h.meet();
        h.meet();
      },
      [](half& h) {
        tcp_network n(1);
        auto s = wait_for_stream(n, 0);
        h.meet();
        const std::byte b{1};
        for (int i = 0; i < 10'000 && s->send({&b, 1}, {}) != stream::kBroken; ++i) ::usleep(100);
        EXPECT_EQ(receive_all(n, *s, 3), 3u);
        h.meet();
      });
}

// The port sleeps; what comes by a stream, or a stream itself, wakes it.
TEST(TcpNetwork, WakesAPortThatSleeps) {
  in_two_processes(
      "tcp",
      [](half& h) {
        tcp_network n(0);
        std::atomic<std::uint32_t>& asleep = ramjet::node::port(0).asleep;
        const auto sleep = [&](const char* what) {
          asleep.store(1);
          ASSERT_TRUE(n.wake_when_ready()) << what;
          h.meet();
          for (int i = 0; i < 300'000 && asleep.load() != 0; ++i) ::usleep(100);
          EXPECT_EQ(asleep.load(), 0u) << what;
        };
        sleep("a stream");
        EXPECT_FALSE(n.wake_when_ready()) << "one has come that was not taken";
        auto s = wait_for_stream(n, 1);
        sleep("bytes");
        EXPECT_EQ(receive_all(n, *s, 1), 1u);
        h.meet();
      },
      [](half& h) {
        h.meet();
        tcp_network n(1);
        n.want(0);
        auto s = wait_for_stream(n, 0);
        h.meet();
        EXPECT_TRUE(send_all(n, *s, 1));
        h.meet();
      });
}

}  // namespace
