// expect: may_lose_its_value.*argument = 2.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void write_there(ramjet::global_ptr<int> to, std::size_t much) { ramjet::write(to, much); }
