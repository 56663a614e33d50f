// expect: arguments take over 1024 bytes
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

struct page {
  char bytes[4096];
};

void on_page(ramjet::request_token, page) {}

void send(const page& p) { ramjet::request<on_page>(0, p); }
