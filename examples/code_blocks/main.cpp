// SPDX-License-Identifier: Apache-2.0
// In how many ways can n queens stand on a board so that none attacks another? Each queen that
// stands is an activation of a code block: it makes one for each place in the next row, and adds
// what they send back. Those of the first rows are made on all ranks in turn.
//
//   ramjet run -n 4 code_blocks [n]
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "ramjet/tam.hpp"

namespace {

namespace tam = ramjet::tam;

constexpr unsigned kQueens = 9, kQueensMax = 14;
constexpr unsigned kWays[kQueensMax + 1] = {1,  1,   0,   0,    2,     10,    4,     40,
                                            92, 352, 724, 2680, 14200, 73712, 365596};
constexpr int kRowsOnAllRanks = 2;

// Columns and diagonals that are attacked in the next row, a bit each, and the board's width.
struct board {
  std::uint16_t columns = 0, down = 0, up = 0, width = 0;

  std::uint16_t all() const { return static_cast<std::uint16_t>((1u << width) - 1); }
  unsigned free() const { return all() & ~(columns | down | up); }
  board with(unsigned place) const {
    return {static_cast<std::uint16_t>(columns | place),
            static_cast<std::uint16_t>((down | place) << 1),
            static_cast<std::uint16_t>((up | place) >> 1), width};
  }
};

struct queens {
  tam::name parent;
  board at;
  tam::word ways = 0;

  // Inlets
  void arguments(tam::name to, board from) { parent = to, at = from; }
  void add(tam::word more) { ways += more; }

  // Threads
  bool start() const { return at.columns != at.all() && at.free() != 0; }
  void next_row(tam::quantum& q) {
    unsigned free = at.free();
    q.expect<&queens::add>(this, static_cast<std::uint32_t>(std::popcount(free)));
    const bool spread = std::popcount(at.columns) < kRowsOnAllRanks;
    for (; free != 0; free &= free - 1) {
      const board next = at.with(free & -free);
      if (spread)
        q.spawn<queens>(tam_next_rank(), q.name<&queens::add>(this), next);
      else
        q.call<&queens::arguments>(q.name<&queens::add>(this), next);
    }
  }
  tam::word leaf() const { return at.columns == at.all() ? 1 : 0; }
  tam::word end() const { return ways; }

  static constexpr const char* site = TAM_HERE;
  using graph = tam::graph<tam::inlet<&queens::arguments>::posts<&queens::start>,
                           tam::counted_inlet<&queens::add>::posts<&queens::end>,
                           tam::thread<&queens::start>::switches<&queens::next_row, &queens::leaf>,
                           tam::thread<&queens::next_row>::expects<&queens::add>,
                           tam::thread<&queens::leaf>::returns<&queens::parent>,
                           tam::thread<&queens::end>::returns<&queens::parent>>;
};

unsigned width = kQueens;
bool well = true;

bool read_command_line(int argc, char** argv) {
  if (argc == 1) return true;
  const std::string_view text = argv[1];
  const auto [end, error] = std::from_chars(text.begin(), text.end(), width);
  return argc == 2 && error == std::errc{} && end == text.end() && width >= 1 &&
         width <= kQueensMax;
}

void start(int, char**) {
  const board empty{.width = static_cast<std::uint16_t>(width)};
  tam::quantum{}.call<&queens::arguments>(tam_root(1), empty);
}

void finish() {
  const tam::word ways = tam_result(0);
  well = ways == kWays[width];
  std::printf("%u queens stand in %llu ways%s\n", width, static_cast<unsigned long long>(ways),
              well ? "" : ", which is WRONG");
}

}  // namespace

int main(int argc, char** argv) {
  if (!read_command_line(argc, argv)) {
    std::fprintf(stderr, "usage: code_blocks [n], from 1 to %u\n", kQueensMax);
    return 2;
  }
  const int failed = tam::program<queens>(argc, argv, start, finish);
  return failed != 0 || !well ? 1 : 0;
}
