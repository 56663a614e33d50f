// expect: may_lose_its_value.*argument = 1.*given = double.*parameter = float
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(float) {}

void ask(double exact) { ramjet::request<on_ask>(0, exact); }
