// expect: may_lose_its_value.*argument = 2.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void give(ramjet::work_queue<int> queue, std::size_t much) { queue.push(0, much); }
