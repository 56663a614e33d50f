// expect: may_lose_its_value.*argument = 2.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(ramjet::request_token, short, int) {}

void ask(std::size_t much) { ramjet::request<on_ask>(0, 1, much); }
