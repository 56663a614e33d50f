// SPDX-License-Identifier: Apache-2.0
// Distances in a graph that is spread over all ranks: each vertex that is reached sends on from
// inside its handler, by chain, and quiesce tells when the wave has died down.
//
//   ramjet run -n 4 chain_walk [vertices]
#include <charconv>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

using vertex = std::uint32_t;
constexpr std::uint32_t kFar = ~std::uint32_t{0};

constexpr vertex kVerticesMax = 1'000'000'000;
vertex vertices = 20'000;
std::vector<std::uint32_t> distance;  // of the vertices of this rank: v = index * size() + rank()

int owner_of(vertex v) { return int(v % unsigned(ramjet::size())); }

// A vertex has a neighbour beside it, and two far away.
vertex neighbour(vertex v, unsigned i) {
  constexpr std::uint64_t kFactor[] = {0, 2654435761, 40503};
  return i == 0 ? (v + 1) % vertices : vertex((v * kFactor[i] + i) % vertices);
}

// A handler may not wait, so it may not request. chain never waits: with no room it queues.
void on_reach(vertex v, std::uint32_t steps) {
  std::uint32_t& known = distance[v / unsigned(ramjet::size())];
  if (steps >= known) return;
  known = steps;
  for (unsigned i = 0; i < 3; ++i) {
    const vertex next = neighbour(v, i);
    ramjet::chain<on_reach>(owner_of(next), next, steps + 1);
  }
}

struct summary {
  std::uint64_t reached, sum;
  std::uint32_t farthest;
};

bool read_command_line(int argc, char** argv) {
  if (argc == 1) return true;
  const std::string_view word = argv[1];
  const auto [end, error] = std::from_chars(word.begin(), word.end(), vertices);
  return argc == 2 && error == std::errc{} && end == word.end() && vertices >= 1 &&
         vertices <= kVerticesMax;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  if (!read_command_line(argc, argv)) {
    if (ramjet::rank() == 0)
      std::fprintf(stderr, "usage: chain_walk [vertices], from 1 to %u\n", kVerticesMax);
    ramjet::finalize();
    return 2;
  }
  distance.assign(vertices / unsigned(ramjet::size()) + 1, kFar);
  ramjet::barrier();  // nobody is reached before its table is there

  if (owner_of(0) == ramjet::rank()) ramjet::chain<on_reach>(0, vertex{0}, 0u);
  ramjet::quiesce();  // no message is under way anywhere, and no handler runs

  summary all{0, 0, 0};
  for (std::uint32_t d : distance)
    if (d != kFar) all = {all.reached + 1, all.sum + d, d > all.farthest ? d : all.farthest};
  ramjet::all_reduce(all, [](const summary& a, const summary& b) {
    return summary{a.reached + b.reached, a.sum + b.sum,
                   a.farthest > b.farthest ? a.farthest : b.farthest};
  });
  if (ramjet::rank() == 0)
    std::printf("%llu vertices reached, %.2f steps away on average, %u at most\n",
                static_cast<unsigned long long>(all.reached), double(all.sum) / double(all.reached),
                all.farthest);
  ramjet::finalize();
  return all.reached == vertices ? 0 : 1;
}
