// expect: may_lose_its_value.*argument = 2.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <functional>

void scan(int& value, std::size_t init) { ramjet::exclusive_scan(value, init, std::plus<>{}); }
