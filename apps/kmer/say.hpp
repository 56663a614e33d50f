// SPDX-License-Identifier: Apache-2.0
// One line on stderr that says what went wrong.
#pragma once

#include <cstdio>
#include <string_view>

#include "tools/cli/printable.hpp"

namespace kmer {

inline void say(std::string_view what) {
  std::fprintf(stderr, "kmer: %s\n", console::printable(what).c_str());
}

}  // namespace kmer
