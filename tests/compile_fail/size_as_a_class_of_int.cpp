// expect: may_lose_its_value.*argument = 1.*given = .*unsigned.*parameter = metres
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

struct metres {
  metres(int n) : count(n) {}
  int count;
};
void on_ask(metres) {}

void ask(std::size_t much) { ramjet::request<on_ask>(0, much); }
