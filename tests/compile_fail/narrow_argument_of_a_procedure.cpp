// expect: may_lose_its_value.*argument = 2.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void add(int* to, int by) { *to += by; }

void add_there(ramjet::global_ptr<int> to, std::size_t much) { ramjet::run_atomic<add>(to, much); }
