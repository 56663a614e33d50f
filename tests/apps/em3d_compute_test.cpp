// SPDX-License-Identifier: Apache-2.0
// The compute phase, plain and unrolled, and the serial computations made of it: a case by hand,
// and the same bits in every way.
#include "compute.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include <gtest/gtest.h>

#include "fields.hpp"
#include "serial.hpp"

namespace em3d {
namespace {

constexpr unsigned kSeed = 11;

// Random nodes in rooms of whole rows, with a guard behind.
struct random_nodes {
  static constexpr double kGuard = 12345.0;
  std::vector<double> from, to;
  near_nodes nodes;

  random_nodes(std::size_t count, std::size_t degree, std::mt19937_64& random) {
    std::uniform_real_distribution<double> real(-1, 1);
    from.resize(37);
    to.resize((count + kLanes - 1) / kLanes * kLanes);
    for (double& value : from) value = real(random);
    for (double& value : to) value = real(random);
    to.push_back(kGuard);
    nodes.count = count;
    nodes.degree = degree;
    nodes.values = to.data();
    nodes.from = from.data();
    for (std::size_t i = 0; i < count * degree; ++i)
      nodes.edges.push_back({&from[random() % from.size()], real(random)});
    lay_rows(nodes);
  }
};

TEST(Compute, ACaseByHand) {
  double from[] = {2, 3, 5}, to[] = {100, 200, 300, 0};
  near_nodes nodes{.count = 3, .degree = 2, .values = to, .from = from, .edges = {}, .rows = {}};
  nodes.edges = {{&from[0], 1},   {&from[1], 2}, {&from[1], -1},
                 {&from[1], 0.5}, {&from[2], 4}, {&from[0], 8}};
  update_plain(nodes);
  EXPECT_EQ(to[0], 100 - 2 - 6);
  EXPECT_EQ(to[1], 200 + 3 - 1.5);
  EXPECT_EQ(to[2], 300 - 20 - 16);
  lay_rows(nodes);
  update_unrolled(nodes);
  EXPECT_EQ(to[0], 100 - 2 * (2 + 6));
  EXPECT_EQ(to[1], 200 + 2 * (3 - 1.5));
  EXPECT_EQ(to[2], 300 - 2 * (20 + 16));
}

TEST(Compute, UnrolledLeavesTheSameBitsAsPlain) {
  std::printf("seed %u\n", kSeed);
  std::mt19937_64 random(kSeed);
  for (std::size_t count = 1; count <= 13; ++count)
    for (const std::size_t degree : {1, 2, 3, 20, 33}) {
      random_nodes a(count, degree, random);
      std::vector<double> expected = a.to;
      a.nodes.values = expected.data();
      update_plain(a.nodes);
      a.nodes.values = a.to.data();
      update_unrolled(a.nodes);
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(a.to[i], expected[i]) << count << degree;
      EXPECT_EQ(a.to.back(), random_nodes::kGuard);
    }
}

// The order of an edge's turn shows in the last bits.
TEST(Compute, TheOrderOfEdgesMatters) {
  std::mt19937_64 random(kSeed);
  random_nodes a(100, 20, random);
  std::vector<double> forward = a.to, backward = a.to;
  a.nodes.values = forward.data();
  update_plain(a.nodes);
  for (std::size_t i = 0; i < 100; ++i)
    std::reverse(a.nodes.edges.begin() + std::ptrdiff_t(20 * i),
                 a.nodes.edges.begin() + std::ptrdiff_t(20 * i + 20));
  a.nodes.values = backward.data();
  update_plain(a.nodes);
  EXPECT_NE(forward, backward);
}

TEST(Serial, TheLimitComputesThatRanksPartOfTheWhole) {
  graph g{.seed = 3, .ranks = 3, .nodes = 17, .degree = 6, .remote_percent = 0, .iterations = 9};
  const fields whole = solve(g);
  for (int rank = 0; rank < g.ranks; ++rank) {
    local_graph local(g, rank);
    for (int again = 0; again < 2; ++again) {
      local.reset();
      local.run(g.iterations);
      for (const kind k : {kind::e, kind::h})
        for (std::size_t i = 0; i < g.nodes; ++i)
          ASSERT_EQ(local.values(k)[i], whole.of(k)[std::size_t(rank) * g.nodes + i]);
    }
  }
}

// Values neither overflow nor fade, however long a run is: the step is 1 / iterations.
TEST(Serial, ValuesStayInBounds) {
  for (const unsigned iterations : {1u, 10u, 3000u}) {
    const graph g{.seed = 5,
                  .ranks = 2,
                  .nodes = 20,
                  .degree = 8,
                  .remote_percent = 50,
                  .iterations = iterations};
    const fields f = solve(g);
    for (const kind k : {kind::e, kind::h}) {
      double sum = 0;
      for (const double value : f.of(k)) {
        EXPECT_LT(std::abs(value), std::exp(2.0));
        sum += std::abs(value);
      }
      EXPECT_GT(sum, 0.1 * double(f.of(k).size()));
    }
  }
}

}  // namespace
}  // namespace em3d
