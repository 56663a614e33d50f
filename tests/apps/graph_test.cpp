// SPDX-License-Identifier: Apache-2.0
// The graph library, the checks of bfs and those of exchange: what is right passes, what is wrong
// is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bfs/checking.hpp"
#include "bfs/serial.hpp"
#include "exchange/exchanging.hpp"
#include "graph/kronecker.hpp"
#include "graph/spread_graph.hpp"

namespace {

using graph::kNoVertex;
using graph::vertex;

TEST(Ownership, BlocksCoverAllVerticesInTheirOrder) {
  for (const std::uint64_t vertices : {1ull, 2ull, 7ull, 64ull, 1000ull, 65537ull})
    for (const int ranks : {1, 2, 3, 8, 64}) {
      const graph::ownership owners(vertices, ranks);
      EXPECT_EQ(owners.begin_of(0), 0);
      EXPECT_EQ(owners.begin_of(ranks), vertices);
      for (vertex v = 0; v < vertices; ++v) {
        const int owner = owners.owner_of(v);
        ASSERT_TRUE(owners.begin_of(owner) <= v && v < owners.begin_of(owner + 1))
            << v << " of " << vertices << " over " << ranks;
      }
    }
}

TEST(Ownership, BlocksOfManyVerticesAreOfNearlyOneLength) {
  for (const std::uint64_t vertices : {graph::kVerticesMax, graph::kVerticesMax / 3 + 5})
    for (const int ranks : {2, 3, 1000}) {
      const graph::ownership owners(vertices, ranks);
      const double due = static_cast<double>(vertices) / ranks;
      for (int rank = 0; rank < ranks; ++rank) {
        const auto length = static_cast<double>(owners.begin_of(rank + 1) - owners.begin_of(rank));
        EXPECT_NEAR(length, due, due * 0.01) << rank << " of " << ranks;
      }
    }
}

TEST(Kronecker, PermutationsAreOneToOne) {
  for (std::uint64_t scale = 1; scale <= 12; ++scale) {
    const graph::permutation permuted({.scale = scale, .edge_factor = 1, .seed = 7});
    std::vector<bool> seen(std::size_t{1} << scale);
    for (vertex v = 0; v < seen.size(); ++v) {
      ASSERT_LT(permuted(v), seen.size());
      EXPECT_FALSE(seen[permuted(v)]);
      seen[permuted(v)] = true;
    }
  }
}

TEST(Kronecker, SharesHoldEachEdgeOnce) {
  const graph::kronecker k{.scale = 5, .edge_factor = 3, .seed = 2};
  const auto in_order = [](graph::edge a, graph::edge b) {
    return a.a != b.a ? a.a < b.a : a.b < b.b;
  };
  std::vector<graph::edge> whole = share_of(k, 0, 1).mine, parts;
  for (int rank = 0; rank < 4; ++rank)
    for (const graph::edge e : share_of(k, rank, 4).mine) parts.push_back(e);
  std::sort(whole.begin(), whole.end(), in_order);
  std::sort(parts.begin(), parts.end(), in_order);
  ASSERT_EQ(parts.size(), k.edges());
  EXPECT_TRUE(std::equal(parts.begin(), parts.end(), whole.begin(),
                         [](graph::edge a, graph::edge b) { return a.a == b.a && a.b == b.b; }));
}

// A ring of six vertices, and a seventh alone.
graph::rows ring() {
  graph::rows r;
  for (vertex v = 0; v < 6; ++v) {
    r.targets.insert(r.targets.end(), {(v + 1) % 6, (v + 5) % 6});
    r.begins.push_back(r.targets.size());
  }
  r.begins.push_back(r.targets.size());
  return r;
}
const std::vector<vertex> kRight{0, 0, 1, 4, 5, 0, kNoVertex};

std::string fault_of(const std::vector<vertex>& parents) {
  std::string fault;
  const std::vector<std::uint32_t> levels = bfs::levels_of(parents, 0, fault);
  return fault.empty() ? bfs::fault_at(ring(), 0, parents, levels, 0) : fault;
}

TEST(Trees, ARightOneHasNoFault) {
  EXPECT_EQ(fault_of(kRight), "");
  EXPECT_EQ(fault_of({0, 0, 1, 2, 5, 0, kNoVertex}), "");  // 3 is as near by way of 2
  std::string fault;
  EXPECT_EQ(bfs::levels_of(kRight, 0, fault),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 2, 1, bfs::kNoLevel}));
}

TEST(Trees, TheSerialSearchMakesARightOne) {
  const graph::rows whole = ring();
  bfs::serial_searcher serial(whole);
  EXPECT_EQ(serial.search(0), 6);
  EXPECT_EQ(fault_of(serial.parents()), "");
}

TEST(Trees, WhatIsNoTreeIsFound) {
  EXPECT_EQ(fault_of({1, 0, 1, 4, 5, 0, kNoVertex}), "the root 0 is not its own parent");
  EXPECT_EQ(fault_of({0, 0, 3, 2, 5, 0, kNoVertex}),
            "the parents of vertex 2 do not lead to the root 0");
  EXPECT_EQ(fault_of({0, 0, 1, 3, 5, 0, kNoVertex}),
            "the parents of vertex 3 do not lead to the root 0");
  EXPECT_EQ(fault_of({0, 0, 1, 6, 5, 0, kNoVertex}),
            "the parents of vertex 6 do not lead to the root 0");
  EXPECT_EQ(fault_of({0, 0, 1, 9, 5, 0, kNoVertex}),
            "the parents of vertex 3 do not lead to the root 0");
}

TEST(Trees, WrongEdgesAndLevelsAreFound) {
  EXPECT_EQ(fault_of({0, 0, 1, 0, 5, 0, kNoVertex}), "vertex 3 is no neighbour of its parent 0");
  EXPECT_EQ(fault_of({0, 0, 1, 2, 3, 0, kNoVertex}),
            "the neighbours 4 and 5 are at the levels 4 and 1");
  EXPECT_EQ(fault_of({0, 0, 1, kNoVertex, 5, 0, kNoVertex}),
            "of the neighbours 2 and 3 one is reached");
  EXPECT_EQ(fault_of({0, 0, 1, 4, 5, 0, 0}), "vertex 6 is no neighbour of its parent 0");
}

TEST(Exchange, OtherKeysHaveAnotherDigest) {
  const std::vector<exchange::key> keys{1, 5, 5, UINT64_MAX};
  const std::vector<exchange::digest> of_two = exchange::digests_of(keys, 2);
  EXPECT_EQ(of_two[0].count, 3);
  EXPECT_EQ(of_two[1].count, 1);
  const auto whole = [](const std::vector<exchange::key>& k) {
    return exchange::digests_of(k, 1)[0];
  };
  EXPECT_EQ(whole(keys), whole({5, UINT64_MAX, 1, 5}));
  EXPECT_NE(whole(keys), whole({1, 5, 5}));
  EXPECT_NE(whole(keys), whole({1, 4, 6, UINT64_MAX}));
  EXPECT_NE(whole(keys), whole({1, 5, 5, UINT64_MAX, 0}));
}

}  // namespace
