// SPDX-License-Identifier: Apache-2.0
// Texts that a user reads: numbers with units, lists of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ramjet::report {

// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

// For %llu.
constexpr unsigned long long wide(std::uint64_t n) { return n; }

// "850 us", "12 ms", "5.2 s", "7 min 3 s".
std::string duration_text(std::uint64_t nanoseconds);

// "rank 0", "ranks 0-3 and 7", "ranks 0, 2, 4 and 9 others"; `ranks` ascending and not empty.
std::string ranks_text(const std::vector<unsigned>& ranks);

}  // namespace ramjet::report
