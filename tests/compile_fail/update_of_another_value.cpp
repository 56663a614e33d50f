// expect: no matching function for call to .*updates_with
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void add(double& value) { ++value; }

void update(const ramjet::hash_table<int, int>& table) { table.update<add>(1); }
