// expect: ask for parts of a larger one
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

struct large {
  char bytes[100];
};

void find(const ramjet::hash_table<int, large>& table) { static_cast<void>(table.find(1)); }
