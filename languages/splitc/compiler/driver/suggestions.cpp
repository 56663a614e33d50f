// SPDX-License-Identifier: Apache-2.0
#include "languages/support/suggestions.hpp"

#include <vector>

#include "languages/splitc/compiler/driver/option_table.hpp"

namespace splitcc::driver {

std::string unknown_option(std::string_view word) {
  std::vector<std::string_view> names;
  for (const known_option& known : known_options())
    if (known.name.size() > 2) names.push_back(known.name);
  const std::string_view meant = frontend::nearest(word, names);
  std::string text = "unknown option '" + std::string(word) + "'";
  if (!meant.empty()) text += "; did you mean '" + std::string(meant) + "'?";
  return text;
}

}  // namespace splitcc::driver
