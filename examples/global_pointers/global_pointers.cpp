// SPDX-License-Identifier: Apache-2.0
// Heat along a rod that is spread over all ranks. Every rank computes its own piece by plain
// pointers; the ends of the pieces go to the neighbours as one-way stores. Then rank 0 looks at the
// whole rod through a spread pointer, and all ranks count steps in one place.
//
//   ramjet run -n 4 global_pointers
#include <cmath>
#include <cstdio>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kCells = 100;  // of each rank, and one beyond either end for the neighbours' values
constexpr int kSteps = 500;

using piece = double[kCells + 2];

// What one rank computes alone, for comparison.
std::vector<double> reference(int cells) {
  std::vector<double> now(std::size_t(cells) + 2), next(now.size());
  now[1] = next[1] = 1000;
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 2; i + 1 < now.size(); ++i)
      next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    now.swap(next);
  }
  return now;
}

// One step of my piece; the very first cell of the rod keeps its heat.
void advance(const double* now, double* next) {
  const int first = ramjet::rank() == 0 ? 2 : 1;
  if (ramjet::rank() == 0) next[1] = now[1];
  for (int i = first; i <= kCells; ++i)
    next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int me = ramjet::rank(), last = ramjet::size() - 1;

  // A piece for every rank, twice, at the same address everywhere; and a counter on rank 0.
  const auto ranks = std::size_t(ramjet::size());
  ramjet::spread_ptr<piece> now = ramjet::all_spread_malloc<piece>(ranks);
  ramjet::spread_ptr<piece> next = ramjet::all_spread_malloc<piece>(ranks);
  const ramjet::global_ptr<long> steps = ramjet::all_spread_malloc<long>(1);
  for (double& cell : *now.local()) cell = 0;  // local(): my own piece, as a plain pointer
  for (double& cell : *next.local()) cell = 0;
  if (me == 0) {
    (*now.local())[1] = 1000;
    ramjet::write(steps, 0);
  }
  ramjet::all_store_sync();

  for (int step = 0; step < kSteps; ++step) {
    double* mine = *now.local();
    if (me > 0) ramjet::store(now[me - 1] + (kCells + 1), mine[1]);
    if (me < last) ramjet::store(now[me + 1], mine[kCells]);
    ramjet::all_store_sync();  // what the neighbours stored is here
    advance(mine, *next.local());
    std::swap(now, next);
    ramjet::add(steps, 1);
  }
  ramjet::sync_all();
  ramjet::barrier();

  bool well = ramjet::read(steps) == kSteps * ramjet::size();
  if (me == 0) {
    const std::vector<double> expected = reference(kCells * ramjet::size());
    double heat = 0;
    for (int r = 0; r <= last; ++r) {
      piece copy;
      ramjet::bulk_read(copy, now[r], sizeof copy);
      for (int i = 1; i <= kCells; ++i) {
        heat += copy[i];
        well &= std::abs(copy[i] - expected[std::size_t(r) * kCells + std::size_t(i)]) < 1e-9;
      }
    }
    std::printf("%d ranks, %d cells, %ld steps: heat %.3f, %s\n", ramjet::size(),
                kCells * ramjet::size(), long(*steps), heat, well ? "as computed alone" : "WRONG");
  }

  ramjet::all_spread_free(ramjet::spread_ptr<void>(steps));
  ramjet::all_spread_free(next);
  ramjet::all_spread_free(now);
  ramjet::finalize();
  return well ? 0 : 1;
}
