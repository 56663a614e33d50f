// SPDX-License-Identifier: Apache-2.0
#include "languages/support/suggestions.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace frontend {
namespace {

// Letters to insert, to leave out or to replace.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> words) {
  std::size_t least = word.size() > 4 ? 3 : 2;  // as many as that are another word
  std::string_view found;
  for (const std::string_view each : words) {
    const std::size_t d = distance(word, each);
    const bool all_differs = d == std::max(word.size(), each.size());
    if (d < least && !all_differs) {
      least = d;
      found = each;
    }
  }
  return found;
}

std::string_view nearest_option(std::string_view word, std::span<const std::string_view> options) {
  const std::size_t end_of_name = word.find('=');
  return nearest(end_of_name == word.npos ? word : word.substr(0, end_of_name + 1), options);
}

}  // namespace frontend
