// expect: may_lose_its_value.*argument = 1.*given = double.*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(int) {}

void ask() { ramjet::request<on_ask>(0, 1.5); }
