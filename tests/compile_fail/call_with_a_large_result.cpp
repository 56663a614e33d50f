// expect: results are at most 64 bytes
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

struct page {
  char bytes[4096];
};

page read_page(int) { return {}; }

page ask() { return ramjet::call<read_page>(0, 1).get(); }
