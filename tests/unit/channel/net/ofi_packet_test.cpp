// SPDX-License-Identifier: Apache-2.0
// The window that bounds how many packets are on their way.
#include "channel/net/ofi_packet.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

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
  EXPECT_TRUE(w.acknowledge(1)) << "a word that was overtaken";
  EXPECT_TRUE(w.all_acknowledged());
  EXPECT_FALSE(w.acknowledge(3));
}

TEST(PacketWindow, TakesPacketsBeforeTheirTurn) {
  packet_window w(kMost);
  EXPECT_TRUE(w.may_come(0));
  EXPECT_TRUE(w.may_come(kMost - 1));
  EXPECT_FALSE(w.may_come(kMost)) << "more than the peer may send";
  w.come();
  EXPECT_EQ(w.turn(), 1u);
  EXPECT_FALSE(w.may_come(0)) << "it had its turn";
  EXPECT_FALSE(w.may_come(kMost)) << "the peer was not told of more room";
  w.take();
  EXPECT_FALSE(w.may_come(kMost));
  w.announced();
  EXPECT_TRUE(w.may_come(kMost));
}

TEST(PacketWindow, TellsBeforeThePeerHasToWait) {
  packet_window w(kMost);
  for (std::uint32_t i = 0; i < kMost; ++i) w.come();
  w.take();
  EXPECT_FALSE(w.should_announce());
  EXPECT_FALSE(w.all_announced());
  w.take();
  EXPECT_TRUE(w.should_announce());
  EXPECT_EQ(w.taken(), 2u);
  w.announced();
  EXPECT_FALSE(w.should_announce());
  EXPECT_TRUE(w.all_announced());
}

// Two ends and the packets between them, in any order of events: nothing is refused, no more than a
// window is under way, and whoever may not send has a peer that is going to tell.
TEST(PacketWindow, TwoEndsNeverDisagreeNorStop) {
  constexpr unsigned kSeed = 17;
  std::mt19937 random(kSeed);
  packet_window sender(kMost), receiver(kMost);
  std::deque<std::uint32_t> packets, words;
  std::deque<std::uint32_t>::iterator at;
  std::set<std::uint32_t> early;
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
        at = packets.begin() + std::ptrdiff_t(random() % packets.size());
        ASSERT_TRUE(receiver.may_come(*at)) << "seed " << kSeed << ", step " << step;
        ASSERT_TRUE(early.insert(*at).second);
        packets.erase(at);
        while (early.erase(receiver.turn()) != 0) {
          receiver.come();
          ++unread;
        }
        break;
      case 2:
        if (unread == 0) break;
        --unread;
        ++delivered;
        receiver.take();
        if (!receiver.should_announce()) break;
        words.push_back(receiver.taken());
        receiver.announced();
        break;
      default:
        if (words.empty()) break;
        at = words.begin() + std::ptrdiff_t(random() % words.size());
        ASSERT_TRUE(sender.acknowledge(*at)) << "seed " << kSeed << ", step " << step;
        words.erase(at);
    }
    ASSERT_LE(packets.size() + early.size() + unread, kMost);
    if (packets.empty() && early.empty() && unread == 0 && words.empty()) {
      ASSERT_TRUE(sender.may_send()) << "seed " << kSeed << ", step " << step;
    }
  }
  EXPECT_GT(delivered, 10'000u);
}

}  // namespace
}  // namespace ramjet::channel
