// expect: a handler is a plain function
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

int ask() {
  ramjet::call<[](int i) { return i; }>(0, 1).get();
  return 0;
}
