// expect: may_lose_its_value.*argument = 1.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_row(int, ramjet::deposit) {}

void send(ramjet::global_ptr<int> to, std::size_t much) {
  ramjet::request_long<on_row>(0, to, "row", 3, much);
}
