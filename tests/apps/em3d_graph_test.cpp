// SPDX-License-Identifier: Apache-2.0
// The synthetic graph: the same for the same description, and distributed as it promises.
#include "graph.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace em3d {
namespace {

// Of every node of a kind, in the order of ranks.
std::vector<dependence> all_edges(const graph& g, kind of) {
  std::vector<dependence> all, edges(g.degree);
  for (int rank = 0; rank < g.ranks; ++rank)
    for (std::size_t i = 0; i < g.nodes; ++i) {
      draw_edges(g, of, {rank, std::uint32_t(i)}, edges);
      all.insert(all.end(), edges.begin(), edges.end());
    }
  return all;
}

int owner(const graph& g, std::size_t edge) { return int(edge / (g.nodes * g.degree)); }

bool same(const std::vector<dependence>& a, const std::vector<dependence>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].on != b[i].on || a[i].weight != b[i].weight) return false;
  return a.size() == b.size();
}

constexpr graph kGraph{
    .seed = 7, .ranks = 5, .nodes = 200, .degree = 20, .remote_percent = 30, .iterations = 10};

TEST(Graph, DependsOnItsDescriptionAlone) {
  EXPECT_TRUE(same(all_edges(kGraph, kind::e), all_edges(kGraph, kind::e)));
  EXPECT_FALSE(same(all_edges(kGraph, kind::e), all_edges(kGraph, kind::h)));
  graph seeded = kGraph;
  seeded.seed = 8;
  EXPECT_FALSE(same(all_edges(kGraph, kind::e), all_edges(seeded, kind::e)));
  EXPECT_NE(initial_value(kGraph, kind::e, {1, 3}), initial_value(seeded, kind::e, {1, 3}));
  EXPECT_NE(initial_value(kGraph, kind::e, {1, 3}), initial_value(kGraph, kind::h, {1, 3}));
  EXPECT_NE(initial_value(kGraph, kind::e, {1, 3}), initial_value(kGraph, kind::e, {3, 1}));
}

TEST(Graph, EveryEdgeIsInBounds) {
  const double most = 1.0 / double(kGraph.degree * kGraph.iterations);
  double sum = 0;
  for (const kind of : {kind::e, kind::h})
    for (const dependence& d : all_edges(kGraph, of)) {
      ASSERT_GE(d.on.rank, 0);
      ASSERT_LT(d.on.rank, kGraph.ranks);
      ASSERT_LT(d.on.index, kGraph.nodes);
      ASSERT_LE(std::abs(d.weight), most);
      sum += std::abs(d.weight);
    }
  EXPECT_NEAR(sum / double(2 * 5 * 200 * 20), most / 2, most / 50);  // uniform, of both signs
}

// 20000 edges: the bounds are five standard deviations and more away.
TEST(Graph, RemoteEdgesAreAsManyAsAskedForAndUniformOverTheOtherRanks) {
  for (const unsigned percent : {0u, 1u, 30u, 100u}) {
    graph g = kGraph;
    g.remote_percent = percent;
    const auto edges = all_edges(g, kind::h);
    std::vector<std::vector<int>> count(5, std::vector<int>(5));
    int remote = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      ++count[std::size_t(owner(g, i))][std::size_t(edges[i].on.rank)];
      remote += edges[i].on.rank != owner(g, i);
    }
    if (percent % 100 == 0)
      EXPECT_EQ(remote, percent * 200);
    else
      EXPECT_NEAR(remote, percent * 200, 350);
    for (std::size_t from = 0; from < 5; ++from)
      for (std::size_t to = 0; to < 5; ++to) {
        if (from == to) continue;
        EXPECT_NEAR(count[from][to], percent * 10, 160) << from << ' ' << to;
      }
  }
}

TEST(Graph, NodesAreDrawnUniformly) {
  std::vector<int> drawn(kGraph.nodes);
  for (const dependence& d : all_edges(kGraph, kind::e)) ++drawn[d.on.index];
  for (const int times : drawn) EXPECT_NEAR(times, 100, 55);
}

TEST(Graph, OneRankHasNoRemoteEdges) {
  graph g = kGraph;
  g.ranks = 1;
  g.remote_percent = 100;
  for (const dependence& d : all_edges(g, kind::e)) EXPECT_EQ(d.on.rank, 0);
}

}  // namespace
}  // namespace em3d
