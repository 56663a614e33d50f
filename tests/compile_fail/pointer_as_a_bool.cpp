// expect: may_lose_its_value.*argument = 1.*given = .*char.*.*parameter = bool
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(bool) {}

void ask() { ramjet::request<on_ask>(0, "yes"); }
