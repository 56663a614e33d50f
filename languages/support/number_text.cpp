// SPDX-License-Identifier: Apache-2.0
#include "languages/support/number_text.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace frontend {

std::string number_text(double number) {
  std::array<char, 40> text{};
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, number);
    if (std::strtod(text.data(), nullptr) == number) break;
  }
  return text.data();
}

}  // namespace frontend
