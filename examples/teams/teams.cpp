// SPDX-License-Identifier: Apache-2.0
// Ranks in a grid: a team for each row and for each column, collectives of both, and a barrier with
// work between its halves.
//
//   ramjet run -n 6 teams
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

// As wide as it gets with no gaps, and no wider than high: 6 ranks are 3 rows of 2.
int width_of_grid(int ranks) {
  int width = 1;
  for (int w = 2; w * w <= ranks; ++w)
    if (ranks % w == 0) width = w;
  return width;
}

long add(long a, long b) { return a + b; }

unsigned letters = 0;
void on_letter() { ++letters; }

void must(ramjet::status s) {
  if (s != ramjet::status::ok) std::exit(2);
}

// The sum of the squares of all ranks, by rows and then by columns.
bool sums_agree(const ramjet::team& row, const ramjet::team& column) {
  const long mine = long(ramjet::rank()) * ramjet::rank();
  long sum = mine, at_once = mine;
  must(ramjet::all_reduce(sum, add, row));
  must(ramjet::all_reduce(sum, add, column));
  must(ramjet::all_reduce(at_once, add));
  return sum == at_once;
}

// Where each rank's items start in a list of all of them: rank r has r + 1.
bool places_fit() {
  const long count = ramjet::rank() + 1;
  long start = count;
  must(ramjet::exclusive_scan(start, 0, add));
  std::vector<long> mine(std::size_t(count), ramjet::rank());
  std::vector<std::size_t> counts;
  for (int r = 0; r < ramjet::size(); ++r) counts.push_back(std::size_t(r) + 1);
  std::vector<long> all(std::size_t(ramjet::size()) * std::size_t(ramjet::size() + 1) / 2);
  must(ramjet::all_gather(std::span(mine), std::span(all), counts));
  return all[std::size_t(start)] == ramjet::rank() &&
         all[std::size_t(start + count - 1)] == ramjet::rank();
}

// Turns the grid's columns into rows: what each member of a row has for each other, all at once.
bool transposed(const ramjet::team& row) {
  std::vector<int> given, taken(std::size_t(row.size()));
  for (int r = 0; r < row.size(); ++r) given.push_back(row.rank() * 100 + r);
  must(ramjet::all_to_all(std::span(given), std::span(taken), row));
  for (int r = 0; r < row.size(); ++r)
    if (taken[std::size_t(r)] != r * 100 + row.rank()) return false;
  return true;
}

// Messages are served while the others are on their way to the barrier.
bool worked_meanwhile(const ramjet::team& column) {
  must(ramjet::barrier_notify(column));
  must(ramjet::request<on_letter>((ramjet::rank() + 1) % ramjet::size()));
  must(ramjet::wait_until([] { return letters == 1; }));
  must(ramjet::barrier_wait(column));
  return letters == 1;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int width = width_of_grid(ramjet::size());
  const ramjet::team row = ramjet::team::world().split(ramjet::rank() / width);
  const ramjet::team column = ramjet::team::world().split(ramjet::rank() % width);
  bool right = sums_agree(row, column);
  right = places_fit() && right;
  right = transposed(row) && right;
  right = worked_meanwhile(column) && right;
  must(ramjet::all_reduce(right, [](bool a, bool b) { return a && b; }));
  if (ramjet::rank() == 0)
    std::printf("%d rows of %d ranks: %s\n", column.size(), row.size(), right ? "right" : "WRONG");
  ramjet::finalize();
  return right ? 0 : 1;
}
