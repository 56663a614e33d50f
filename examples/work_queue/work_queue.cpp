// SPDX-License-Identifier: Apache-2.0
// How many ways are there to put n queens on a board? A search tree whose branches are very unlike
// each other: who runs out of work takes from those that have some, and all ranks learn when the
// last branch is done.
//
//   ramjet run -n 4 work_queue [queens]
#include <charconv>
#include <cstdio>
#include <string_view>
#include <system_error>

#include "ramjet/ramjet.hpp"

namespace {

constexpr unsigned kQueensMax = 15;
constexpr unsigned kShared = 4;  // rows whose boards are work for anybody
constexpr std::uint64_t kSolutions[kQueensMax + 1] = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184};

unsigned queens = 12;

// The rows above `row` have their queens; a bit says that a column, or the place where a diagonal
// meets this row, is attacked.
struct board {
  std::uint32_t row, columns, falling, rising;
};

// Calls use(next) for every board with one queen more.
template <class Use>
void place_a_queen(const board& b, Use&& use) {
  for (std::uint32_t place = 1; place < 1u << queens; place <<= 1)
    if (((b.columns | b.falling | b.rising) & place) == 0)
      use(board{b.row + 1, b.columns | place, (b.falling | place) << 1, (b.rising | place) >> 1});
}

std::uint64_t count_alone(const board& b) {
  if (b.row == queens) return 1;
  std::uint64_t ways = 0;
  place_a_queen(b, [&](const board& next) { ways += count_alone(next); });
  return ways;
}

bool read_command_line(int argc, char** argv) {
  if (argc == 1) return true;
  const std::string_view word = argv[1];
  const auto [end, error] = std::from_chars(word.begin(), word.end(), queens);
  return argc == 2 && error == std::errc{} && end == word.end() && queens >= 1 &&
         queens <= kQueensMax;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  if (!read_command_line(argc, argv)) {
    if (ramjet::rank() == 0)
      std::fprintf(stderr, "usage: work_queue [queens], from 1 to %u\n", kQueensMax);
    ramjet::finalize();
    return 2;
  }
  auto queue = ramjet::work_queue<board>::all_make(256);
  if (ramjet::rank() == 0) queue.push(0, board{0, 0, 0, 0});

  std::uint64_t ways = 0;
  unsigned boards = 0;
  std::optional<board> work;
  while (queue.next(work) == ramjet::status::ok && work) {  // without a board: all is done
    ++boards;
    if (work->row >= kShared || work->row == queens) {
      ways += count_alone(*work);
      continue;
    }
    place_a_queen(*work, [&](const board& next) {
      // A full queue is no reason to wait: the work can be done here.
      if (queue.try_push(ramjet::rank(), next) == ramjet::status::retry) ways += count_alone(next);
    });
  }
  std::printf("rank %d worked on %u boards\n", ramjet::rank(), boards);
  queue.all_free();

  ramjet::all_reduce(ways, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  const bool well = ways == kSolutions[queens];
  if (ramjet::rank() == 0)
    std::printf("%u queens: %llu ways%s\n", queens, static_cast<unsigned long long>(ways),
                well ? "" : ", which is WRONG");
  ramjet::finalize();
  return well ? 0 : 1;
}
