// SPDX-License-Identifier: Apache-2.0
// Degrees in a random graph that is spread over all ranks: a tiny message for each end of an edge,
// aggregated. The handler that takes whole blocks can look ahead in them.
//
//   ramjet run -n 4 degrees
#include <algorithm>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

using vertex = std::uint32_t;
constexpr vertex kVertices = 1 << 20;
constexpr unsigned kEdges = 500'000;  // of each rank

std::vector<std::uint32_t> degree;  // of the vertices of this rank: v = index * size() + rank()

int owner_of(vertex v) { return int(v % unsigned(ramjet::size())); }
std::uint32_t& degree_of(vertex v) { return degree[v / unsigned(ramjet::size())]; }

// One at a time: a handler like any other.
void on_end(vertex v) { ++degree_of(v); }

// A block at a time: the degrees are on their way from memory before they are needed.
void on_ends(std::span<const vertex> all) {
  constexpr std::size_t kAhead = 16;
  for (std::size_t i = 0; i < all.size(); ++i) {
    __builtin_prefetch(&degree_of(all[std::min(i + kAhead, all.size() - 1)]), 1);
    ++degree_of(all[i]);
  }
}

}  // namespace

// While their receiver is behind, these messages gather at the sender, and leave together.
template <>
inline constexpr bool ramjet::aggregated<&on_end> = true;

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  degree.assign(kVertices / unsigned(ramjet::size()) + 1, 0);
  ramjet::barrier();

  std::mt19937 random(unsigned(ramjet::rank()) + 1);
  for (unsigned i = 0; i < kEdges; ++i) {
    const vertex from = random() % kVertices, to = random() % kVertices;
    ramjet::request<&on_end>(owner_of(from), from);
    ramjet::request<&on_ends>(owner_of(to), to);
  }
  ramjet::quiesce();  // all that gathered has left, and is handled

  std::uint64_t ends = 0;
  std::uint32_t most = 0;
  for (const std::uint32_t d : degree) {
    ends += d;
    most = std::max(most, d);
  }
  ramjet::all_reduce(ends, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  ramjet::all_reduce(most, [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  const bool right = ends == 2ull * kEdges * unsigned(ramjet::size());
  if (ramjet::rank() == 0)
    std::printf("%llu ends of edges, the highest degree is %u\n",
                static_cast<unsigned long long>(ends), most);
  ramjet::finalize();
  return right ? 0 : 1;
}
