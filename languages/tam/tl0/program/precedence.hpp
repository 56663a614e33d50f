// SPDX-License-Identifier: Apache-2.0
// How close the infix operators bind. Each level is read from left to right; comparisons do not
// stand in a row.
#ifndef TL0_PROGRAM_PRECEDENCE_HPP
#define TL0_PROGRAM_PRECEDENCE_HPP

#include <string_view>

namespace tl0 {

inline constexpr int kComparison = 2;
inline constexpr int kPrefix = 9;   // not binds as a comparison does
inline constexpr int kPostfix = 10;

// -1: no infix operator.
constexpr int precedence_of_infix(std::string_view mark) {
  constexpr std::string_view kLevels[][6] = {
      {"or"},       {"and"},    {"==", "!=", "<", "<=", ">", ">="},
      {"|"},        {"^"},      {"&"},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  int level = 0;
  for (const auto& marks : kLevels) {
    for (std::string_view known : marks)
      if (!known.empty() && known == mark) return level;
    ++level;
  }
  return -1;
}

}  // namespace tl0

#endif
