// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tools {

int print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return 0;
  std::fprintf(stderr, "ramjet: cannot write standard output: %s\n", std::strerror(errno));
  return 1;
}

}  // namespace tools
