// expect: may_lose_its_value.*argument = 1.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_items(std::span<const int>) {}

void send(std::size_t much) { ramjet::chain<on_items>(0, much); }
