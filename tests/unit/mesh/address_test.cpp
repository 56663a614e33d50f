// SPDX-License-Identifier: Apache-2.0
// Which of a machine's addresses a rank listens on, and how it is written on a card.
#include "mesh/address.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>

namespace {

using namespace ramjet::mesh;
using ramjet::status;

std::string chosen(const std::string& wanted, bool this_machine_only) {
  net_address a;
  std::string message;
  if (choose_address(wanted, this_machine_only, a, message) != status::ok) return message;
  return to_text(a);
}

TEST(Address, OfAJobOnThisMachineIsTheLoopback) {
  EXPECT_EQ(chosen("", true).substr(0, 4), "127.");
}

TEST(Address, MayBeNamedByItsInterface) { EXPECT_EQ(chosen("lo", false), "127.0.0.1 0"); }

TEST(Address, MayBeGiven) {
  EXPECT_EQ(chosen("10.1.2.3", true), "10.1.2.3 0");
  EXPECT_EQ(chosen("::1", false), "::1 0");
}

TEST(Address, AnUnknownInterfaceIsToldWithThoseThatThereAre) {
  const std::string message = chosen("nosuch7", false);
  EXPECT_NE(message.find("RAMJET_INTERFACE is \"nosuch7\""), std::string::npos) << message;
  EXPECT_NE(message.find(" lo"), std::string::npos) << message;
}

TEST(Address, IsReadAsItWasWritten) {
  for (const char* text : {"10.0.0.2 40123", "127.0.0.1 1", "::1 65535", "2001:db8::7 80"}) {
    net_address a;
    ASSERT_TRUE(from_text(text, a)) << text;
    EXPECT_EQ(to_text(a), text);
  }
}

TEST(Address, WhatIsNoneIsNotRead) {
  for (const char* text :
       {"", " ", "10.0.0.2", "10.0.0.2 ", "10.0.0.2 x", "10.0.0 .2 80", "host 80", "10.0.0.300 80",
        "10.0.0.2 80 80", ":: :: 1", "10.0.0.2 -1", "10.0.0.2 70000"}) {
    net_address a;
    EXPECT_FALSE(from_text(text, a)) << text;
  }
}

}  // namespace
