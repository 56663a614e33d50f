// SPDX-License-Identifier: Apache-2.0
// Which number below a limit has the longest Collatz sequence? The numbers are an agenda: rank 0
// hands them out a thousand at a time, and every rank asks for more as it is done.
//
//   ramjet run -n 4 agenda [limit]
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "ramjet/ramjet.hpp"

namespace {

constexpr std::uint64_t kKnownLimit = 1'000'000, kKnownStart = 837'799;
constexpr std::uint64_t kLimitMax = 100'000'000;  // its sequences fit into 64 bits

struct sequence {
  std::uint64_t start, steps;
};

// The longer one; of equals, that of the lower start.
sequence longer(sequence a, sequence b) {
  if (a.steps != b.steps) return a.steps > b.steps ? a : b;
  return a.start < b.start ? a : b;
}

std::uint64_t steps_from(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

bool read_command_line(int argc, char** argv, std::uint64_t& limit) {
  if (argc == 1) return true;
  const std::string_view word = argv[1];
  const auto [end, error] = std::from_chars(word.begin(), word.end(), limit);
  return argc == 2 && error == std::errc{} && end == word.end() && limit >= 2 && limit <= kLimitMax;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  std::uint64_t limit = kKnownLimit;
  if (!read_command_line(argc, argv, limit)) {
    if (ramjet::rank() == 0)
      std::fprintf(stderr, "usage: agenda [limit], from 2 to %llu\n",
                   static_cast<unsigned long long>(kLimitMax));
    ramjet::finalize();
    return 2;
  }

  sequence longest{1, 0};
  unsigned pieces = 0;
  ramjet::run_agenda(limit - 1, {.granularity = 1000}, [&](std::size_t first, std::size_t last) {
    for (std::uint64_t n = first + 1; n <= last; ++n) longest = longer(longest, {n, steps_from(n)});
    ++pieces;
  });
  std::printf("rank %d looked at %u pieces\n", ramjet::rank(), pieces);

  ramjet::all_reduce(longest, longer);
  const bool well = limit != kKnownLimit || longest.start == kKnownStart;
  if (ramjet::rank() == 0)
    std::printf("below %llu, %llu takes longest: %llu steps%s\n",
                static_cast<unsigned long long>(limit),
                static_cast<unsigned long long>(longest.start),
                static_cast<unsigned long long>(longest.steps), well ? "" : ", which is WRONG");
  ramjet::finalize();
  return well ? 0 : 1;
}
