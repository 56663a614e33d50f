// SPDX-License-Identifier: Apache-2.0
#include "report/text.hpp"

#include <cstdarg>
#include <cstdio>

namespace ramjet::report {

std::string text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string result(length > 0 ? std::size_t(length) : 0, '\0');
  std::vsnprintf(result.data(), result.size() + 1, format, again);
  va_end(again);
  return result;
}

std::string duration_text(std::uint64_t nanoseconds) {
  const double seconds = double(nanoseconds) * 1e-9;
  if (seconds < 1e-3) return text("%.0f us", seconds * 1e6);
  if (seconds < 1) return text("%.0f ms", seconds * 1e3);
  if (seconds < 120) return text("%.1f s", seconds);
  const auto whole = static_cast<unsigned long long>(seconds);
  return text("%llu min %llu s", whole / 60, whole % 60);
}

std::string ranks_text(const std::vector<unsigned>& ranks) {
  constexpr std::size_t kRunsShown = 6;
  std::vector<std::string> runs;
  std::size_t at = 0;
  while (at < ranks.size() && runs.size() < kRunsShown) {
    std::size_t end = at + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (end - at == 2) --end;  // two neighbours are not a run
    runs.push_back(std::to_string(ranks[at]));
    if (end - at > 1) runs.back() += "-" + std::to_string(ranks[end - 1]);
    at = end;
  }
  if (at < ranks.size()) runs.push_back(text("%zu others", ranks.size() - at));
  std::string out = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) out += i + 1 == runs.size() ? " and " : ", ";
    out += runs[i];
  }
  return out;
}

}  // namespace ramjet::report
