// expect: may_lose_its_value.*argument = 1.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <ramjet/threads.hpp>

int next(int x) { return x + 1; }

int call_next(std::size_t much) { return ramjet::spawn_call<next>(0, much).get(); }
