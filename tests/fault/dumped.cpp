// SPDX-License-Identifier: Apache-2.0
// Writes to two places of its segment, one that it has allocated and one that it has not, and
// aborts. The texts are put together at run time: a core dump has them from the segment alone.
#include <string.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ramjet/ramjet.hpp"

namespace {

void write_text(void* to, const char* what) {
  char text[64];
  std::snprintf(text, sizeof text, "%s-%s", "in-the-segment", what);
  std::memcpy(to, text, std::strlen(text) + 1);
  ::explicit_bzero(text, sizeof text);  // a compiler may leave a memset out
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  write_text(ramjet::segment_allocate(100'000), "allocated");
  write_text(ramjet::segment_begin(ramjet::rank()) + ramjet::segment_bytes() - 64, "at-its-end");
  std::abort();
}
