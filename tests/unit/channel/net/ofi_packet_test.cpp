// SPDX-License-Identifier: Apache-2.0
// The window that bounds how many packets are on their way.
#include "channel/net/ofi_packet.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace ramjet::channel {
namespace {

constexpr std::uint32_t kMost = 4;

TEST(PacketWindow, ClosesWhenSoManyAreOnTheirWay) {
  packet_window w(kMost);
  for (std::uint32_t i = 0; i < kMost; ++i) {
    ASSERT_TRUE(w.may_send());
    EXPECT_EQ(w.next(), i);
    w.send();
  }
  EXPECT_FALSE(w.may_send());
  EXPECT_TRUE(w.acknowledge(1));
  EXPECT_TRUE(w.may_send());
  EXPECT_FALSE(w.all_acknowledged());
  EXPECT_TRUE(w.acknowledge(kMost));
  EXPECT_TRUE(w.all_acknowledged());
}

TEST(PacketWindow, RefusesWhatCannotBeTrue) {
  packet_window w(kMost);
  EXPECT_FALSE(w.acknowledge(1)) << "nothing was sent";
  w.send();
  w.send();
  EXPECT_TRUE(w.acknowledge(2));
  EXPECT_FALSE(w.acknowledge(1)) << "it goes backwards";
  EXPECT_FALSE(w.arrive(1)) << "one is missing";
  EXPECT_TRUE(w.arrive(0));
  EXPECT_FALSE(w.arrive(0)) << "it came before";
}

TEST(PacketWindow, RefusesMoreThanThePeerMaySend) {
  packet_window w(kMost);
  for (std::uint32_t i = 0; i < kMost; ++i) ASSERT_TRUE(w.arrive(i));
  EXPECT_FALSE(w.arrive(kMost));
  w.take();
  EXPECT_FALSE(w.arrive(kMost)) << "the peer does not know that one was taken";
  w.told();
  EXPECT_TRUE(w.arrive(kMost));
}

TEST(PacketWindow, TellsBeforeThePeerHasToWait) {
  packet_window w(kMost);
  for (std::uint32_t i = 0; i < kMost; ++i) ASSERT_TRUE(w.arrive(i));
  w.take();
  EXPECT_FALSE(w.should_tell());
  EXPECT_FALSE(w.all_told());
  w.take();
  EXPECT_TRUE(w.should_tell());
  EXPECT_EQ(w.taken(), 2u);
  w.told();
  EXPECT_FALSE(w.should_tell());
  EXPECT_TRUE(w.all_told());
}

// Two ends and the packets between them, in any order of events: nothing is refused, no more than a
// window is under way, and whoever may not send has a peer that is going to tell.
TEST(PacketWindow, TwoEndsNeverDisagreeNorStop) {
  constexpr unsigned kSeed = 17;
  std::mt19937 random(kSeed);
  packet_window sender(kMost), receiver(kMost);
  std::deque<std::uint32_t> packets, words;
  std::size_t unread = 0, delivered = 0;
  for (int step = 0; step < 100'000; ++step) {
    switch (random() % 4) {
      case 0:
        if (!sender.may_send()) break;
        packets.push_back(sender.next());
        sender.send();
        break;
      case 1:
        if (packets.empty()) break;
        ASSERT_TRUE(receiver.arrive(packets.front())) << "seed " << kSeed << ", step " << step;
        packets.pop_front();
        ++unread;
        break;
      case 2:
        if (unread == 0) break;
        --unread;
        ++delivered;
        receiver.take();
        if (!receiver.should_tell()) break;
        words.push_back(receiver.taken());
        receiver.told();
        break;
      default:
        if (words.empty()) break;
        ASSERT_TRUE(sender.acknowledge(words.front())) << "seed " << kSeed << ", step " << step;
        words.pop_front();
    }
    ASSERT_LE(packets.size() + unread, kMost);
    if (packets.empty() && unread == 0 && words.empty()) {
      ASSERT_TRUE(sender.may_send()) << "seed " << kSeed << ", step " << step;
    }
  }
  EXPECT_GT(delivered, 10'000u);
}

}  // namespace
}  // namespace ramjet::channel
