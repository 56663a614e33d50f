// SPDX-License-Identifier: Apache-2.0
// Which network joins two ranks.
#include "channel/net/choice.hpp"

#include <gtest/gtest.h>

namespace ramjet::channel {
namespace {

using card = std::vector<network_offer>;

const network_offer kTcp{"tcp", "", {}};
const network_offer kOfi{"ofi", "2.1.1", {"0a", "0b"}};
const network_offer kOtherOfi{"ofi", "5.1.4", {"0c", "0d"}};

TEST(Cards, ComeBackAsTheyWere) {
  for (const card& c : {card{kTcp}, card{kOfi}, card{kOfi, kTcp}, card{kTcp, kOfi}}) {
    card back;
    ASSERT_TRUE(from_text(to_text(c), back));
    ASSERT_EQ(back.size(), c.size());
    for (std::size_t i = 0; i < c.size(); ++i) {
      EXPECT_EQ(back[i].name, c[i].name);
      EXPECT_EQ(back[i].fit, c[i].fit);
      EXPECT_EQ(back[i].addresses, c[i].addresses);
    }
  }
}

TEST(Cards, ThatMakeNoSenseAreRefused) {
  card into;
  for (const char* text : {"", "tcp", "udp::", "tcp::  ofi::", "tcp:::", " tcp::"})
    EXPECT_FALSE(from_text(text, into)) << text;
}

TEST(Choice, IsTheFirstOfTheLowerRankThatBothHave) {
  EXPECT_EQ(choose_network({kOfi, kTcp}, {kTcp, kOfi}), 0);
  EXPECT_EQ(choose_network({kTcp, kOfi}, {kOfi, kTcp}), 0);
  EXPECT_EQ(choose_network({kOfi, kTcp}, {kTcp}), 1);
  EXPECT_EQ(choose_network({kTcp}, {kOfi, kTcp}), 0);
}

TEST(Choice, LeavesOutWhatDoesNotFit) {
  EXPECT_EQ(choose_network({kOfi, kTcp}, {kOtherOfi, kTcp}), 1);
  EXPECT_EQ(choose_network({kOfi}, {kOtherOfi}), -1);
  EXPECT_EQ(choose_network({kOfi}, {kTcp}), -1);
}

}  // namespace
}  // namespace ramjet::channel
