// expect: deleted|implicitly
// SPDX-License-Identifier: Apache-2.0
// A result comes once.
#include <ramjet/ramjet.hpp>

int add(int a, int b) { return a + b; }

void ask() {
  auto first = ramjet::call<add>(0, 1, 2);
  auto second = first;
}
