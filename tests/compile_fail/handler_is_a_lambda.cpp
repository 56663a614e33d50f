// expect: a handler is a plain function
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void send() {
  ramjet::request<[](int) {}>(0, 1);
}
