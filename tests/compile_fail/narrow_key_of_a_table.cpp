// expect: may_lose_its_value.*argument = 1.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void forget(ramjet::hash_table<int, int> table, std::size_t much) { table.erase(much); }
