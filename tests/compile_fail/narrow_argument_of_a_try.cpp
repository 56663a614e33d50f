// expect: may_lose_its_value.*argument = 1.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_block(int, ramjet::payload) {}

void send(std::size_t much) {
  static_cast<void>(ramjet::try_request_medium<on_block>(0, "block", 5, much));
}
