// SPDX-License-Identifier: Apache-2.0
// The graph library, and the checks of the programs on graphs and of exchange: what is right
// passes, what is wrong is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "bfs/serial.hpp"
#include "components/checking.hpp"
#include "components/forest.hpp"
#include "exchange/exchanging.hpp"
#include "graph/input.hpp"
#include "graph/kronecker.hpp"
#include "graph/numbering.hpp"
#include "graph/speeds.hpp"
#include "graph/spread_graph.hpp"
#include "graph/spread_rows.hpp"
#include "graph/tree.hpp"
#include "graph/unpacked_file.hpp"
#include "pagerank/checking.hpp"
#include "pagerank/serial.hpp"
#include "sssp/serial.hpp"

namespace {

using graph::kNoVertex;
using graph::vertex;

std::ptrdiff_t open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

// A regular file, by its kind, whose first read fails.
TEST(UnpackedFile, IsClosedWhereItsFirstReadFails) {
  const std::ptrdiff_t before = open_files();
  EXPECT_THROW(graph::unpacked_file("/proc/self/mem"), measured::failure);
  EXPECT_EQ(open_files(), before);
}

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

TEST(Input, MissingMemoryIsToldOfAFileInItsOwnWords) {
  const auto lacks = [] { throw std::bad_alloc(); };
  graph::input in;
  EXPECT_THROW(graph::with_memory_for(in, lacks), std::bad_alloc);
  in.file = "some.mtx";
  try {
    graph::with_memory_for(in, lacks);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(std::string(e.what()),
              "not enough memory for the graph in some.mtx (--no-serial takes less at one rank)");
  }
}

TEST(Numbering, DealsVerticesToTheRanksByFallingDegree) {
  const std::vector<vertex> degrees{3, 0, 5, 3, 1};
  EXPECT_EQ(graph::numbers_by_degree(degrees, 1), (std::vector<vertex>{1, 4, 0, 2, 3}));
  EXPECT_EQ(graph::numbers_by_degree(degrees, 2), (std::vector<vertex>{3, 2, 0, 1, 4}));
  for (const std::size_t count : {1u, 3u, 64u, 1000u})
    for (const int ranks : {1, 2, 3, 8, 64}) {
      std::vector<vertex> some(count), by_number(count, graph::kNoVertex);
      for (vertex v = 0; v < count; ++v) some[v] = v * 7919 % 31;
      const std::vector<vertex> numbers = graph::numbers_by_degree(some, ranks);
      for (vertex v = 0; v < count; ++v) by_number.at(numbers[v]) = some[v];
      EXPECT_EQ(graph::in_old_order<vertex>(numbers, by_number), some);
      const graph::ownership owners(count, ranks);
      for (int rank = 0; rank < ranks; ++rank)
        EXPECT_TRUE(std::is_sorted(
            by_number.begin() + static_cast<std::ptrdiff_t>(owners.begin_of(rank)),
            by_number.begin() + static_cast<std::ptrdiff_t>(owners.begin_of(rank + 1)),
            std::greater<>()));
    }
}

TEST(Numbering, BothEndsOfAnEdgeGetNewNumbers) {
  std::vector<graph::edge> edges{{0, 1}, {2, 2}};
  graph::renumber(edges, std::vector<vertex>{2, 0, 1});
  EXPECT_EQ(edges[0].a, 2);
  EXPECT_EQ(edges[0].b, 0);
  EXPECT_EQ(edges[1].a, 1);
  EXPECT_EQ(edges[1].b, 1);
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

// With lengths from 1 to `most`.
std::string fault_of(const std::vector<vertex>& parents, std::uint64_t most = 1) {
  std::string fault;
  const graph::edge_weights weight(most, 3);
  const std::vector<std::uint32_t> distances = graph::distances_of(parents, 0, weight, fault);
  return fault.empty() ? graph::fault_at(ring(), 0, parents, distances, 0, weight) : fault;
}

TEST(Trees, ARightOneHasNoFault) {
  EXPECT_EQ(fault_of(kRight), "");
  EXPECT_EQ(fault_of({0, 0, 1, 2, 5, 0, kNoVertex}), "");  // 3 is as near by way of 2
  std::string fault;
  EXPECT_EQ(graph::distances_of(kRight, 0, graph::edge_weights(), fault),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 2, 1, graph::kNoDistance}));
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
            "the parents of vertex 2 do not lead to the root 0 within 2^32");
  EXPECT_EQ(fault_of({0, 0, 1, 3, 5, 0, kNoVertex}),
            "the parents of vertex 3 do not lead to the root 0 within 2^32");
  EXPECT_EQ(fault_of({0, 0, 1, 6, 5, 0, kNoVertex}),
            "the parents of vertex 6 do not lead to the root 0 within 2^32");
  EXPECT_EQ(fault_of({0, 0, 1, 9, 5, 0, kNoVertex}),
            "the parents of vertex 3 do not lead to the root 0 within 2^32");
}

TEST(Trees, WrongEdgesAndLevelsAreFound) {
  EXPECT_EQ(fault_of({0, 0, 1, 0, 5, 0, kNoVertex}), "vertex 3 is not a neighbour of its parent 0");
  EXPECT_EQ(fault_of({0, 0, 1, 2, 3, 0, kNoVertex}),
            "the neighbours 4 and 5, 1 apart, are 4 and 1 from the root");
  EXPECT_EQ(fault_of({0, 0, 1, kNoVertex, 5, 0, kNoVertex}),
            "of the neighbours 2 and 3 one is reached");
  EXPECT_EQ(fault_of({0, 0, 1, 4, 5, 0, 0}), "vertex 6 is not a neighbour of its parent 0");
}

TEST(Weights, AreTheSameFromBothEnds) {
  const graph::edge_weights one, few(3, 7), other(3, 8);
  std::vector<int> times(4);
  int different = 0;
  for (vertex v = 0; v < 100; ++v)
    for (vertex w = 0; w < 100; ++w) {
      EXPECT_EQ(one(v, w), 1u);
      ASSERT_TRUE(few(v, w) >= 1 && few(v, w) <= 3);
      EXPECT_EQ(few(v, w), few(w, v));
      ++times[few(v, w)];
      different += few(v, w) != other(v, w);
    }
  for (const int count : {times[1], times[2], times[3]}) EXPECT_NEAR(count, 3333, 300);
  EXPECT_GT(different, 5000);
}

TEST(Trees, LengthsCount) {
  const graph::rows whole = ring();
  for (const std::uint64_t most : {1, 2, 7, 1000}) {
    for (const sssp::distance delta : {1u, 5u, 100000u}) {
      const graph::edge_weights weight(most, 3);
      sssp::serial_searcher<> serial(sssp::weighted_rows<>(whole, 0, weight), weight.most(), delta);
      serial.search(0);
      EXPECT_EQ(fault_of(serial.parents(), most), "");
      std::string fault;
      EXPECT_EQ(graph::distances_of(serial.parents(), 0, weight, fault),
                serial.distances());
    }
  }
  // All the way round to a neighbour of the root, though each edge is 1 to 2 long.
  EXPECT_NE(fault_of({0, 0, 1, 2, 3, 4, kNoVertex}, 2), "");
}

TEST(Buckets, HoldWhatIsAddedBehindTheBucketInHand) {
  sssp::buckets<> b(10, 25);
  EXPECT_EQ(b.first_from(0), sssp::kNoBucket);
  b.add({1, 39});  // the bucket in hand is 3
  b.add({2, 39 + 25});
  EXPECT_EQ(b.first_from(3), 3);
  b.at(3).clear();
  EXPECT_EQ(b.first_from(3), 6);
  ASSERT_EQ(b.at(6).size(), 1);
  EXPECT_EQ(b.at(6)[0].at, 2);
}

// What speed_of() takes of a search.
struct timed_search {
  struct {
    std::uint64_t edges;
  } found;
  double seconds;
};

TEST(Speeds, RootsWithoutAnEdgeHaveNoRate) {
  const auto speed = [](const std::vector<timed_search>& all) {
    return graph::speed_of("way", all, [](const timed_search& s) { return s.seconds; });
  };
  EXPECT_DOUBLE_EQ(speed({{{100}, 2}, {{300}, 2}}).per_s, 75);
  EXPECT_DOUBLE_EQ(speed({{{100}, 2}, {{0}, 1}, {{300}, 2}, {{0}, 0.5}}).per_s, 75);
  EXPECT_DOUBLE_EQ(speed({{{100}, 2}, {{0}, 1}, {{0}, 0.5}}).seconds, 1);
  EXPECT_EQ(speed({{{0}, 1}}).per_s, 0);
}

TEST(Components, ABlockIsJoinedByItsOwnEdges) {
  const graph::rows whole = ring();
  components::forest all(7);
  EXPECT_EQ(components::join_block(whole, 0, all), 0);
  for (vertex v = 0; v < 7; ++v) EXPECT_EQ(all.root_of(v), v < 6 ? 0 : 6);
  // The block of 2 to 6, whose rows are numbered from 0: 6 has no edge, 1 and 0 are others'.
  graph::rows part;
  for (vertex v = 2; v < 7; ++v) {
    part.targets.insert(part.targets.end(), whole[v].begin(), whole[v].end());
    part.begins.push_back(part.targets.size());
  }
  graph::sort_each(part, 2);
  components::forest some(5);
  EXPECT_EQ(components::join_block(part, 2, some), 0);
  for (vertex row = 0; row < 5; ++row) EXPECT_EQ(some.root_of(row), row < 4 ? 0 : 4);
  EXPECT_TRUE(some.find_outside(part, 0).empty());  // 6 has no edge
  const std::span<const vertex> others = some.find_outside(part, 4);
  EXPECT_EQ(std::vector<vertex>(others.begin(), others.end()), (std::vector<vertex>{0, 1, 2, 3}));
  EXPECT_EQ(some.still_outside(4).size(), 4);
  EXPECT_TRUE(some.still_outside(0).empty());
}

TEST(Components, WrongLabelsAreFound) {
  const auto fault = [](const std::vector<vertex>& labels) {
    return components::fault_at(ring(), 0, labels);
  };
  EXPECT_EQ(fault({0, 0, 0, 0, 0, 0, 6}), "");
  EXPECT_EQ(fault({0, 0, 0, 3, 3, 0, 6}), "the neighbours 2 and 3 have the labels 0 and 3");
  EXPECT_EQ(fault({1, 1, 1, 1, 1, 1, 6}), "vertex 0 has the label 1, which is not a label");
  EXPECT_EQ(fault({0, 0, 0, 0, 0, 0, 5}), "vertex 6 has the label 5, which is not a label");
  const components::summary right = components::summary_of(std::vector<vertex>{0, 0, 2}, {});
  EXPECT_EQ(right.components, 2);
  EXPECT_EQ(right.largest, 2);
  EXPECT_NE(right, components::summary_of(std::vector<vertex>{0, 1, 0}, {}));
}

TEST(PageRank, AVertexAloneHasLess) {
  pagerank::serial_ranker serial(ring());
  serial.rank(100);
  const std::vector<double>& scores = serial.scores();
  for (vertex v = 1; v < 6; ++v) EXPECT_NEAR(scores[v], scores[0], 1e-12);
  EXPECT_NEAR(6 * scores[0] + scores[6], 1, 1e-12);
  // What it keeps: its share of what all give to all.
  EXPECT_NEAR(scores[6], (0.15 + 0.85 * scores[6]) / 7, 1e-12);
}

TEST(PageRank, WrongScoresAreFound) {
  const std::vector<double> due{0.25, 0.5, 0.25};
  EXPECT_EQ(pagerank::fault_of(due, due), "");
  EXPECT_EQ(pagerank::fault_of(due, {}), "");
  EXPECT_EQ(pagerank::fault_of(std::vector<double>{0.5, 0.25, 0.25}, due),
            "vertex 0 has the score 0.5, not 0.25");
  EXPECT_EQ(pagerank::fault_of(std::vector<double>{0.5, 0.25}, {}),
            "the scores come to 0.75, not 1");
}

// A plain sum of so many equal scores is off by 4.5e-9.
TEST(PageRank, MoreVerticesMayRoundMore) {
  EXPECT_GT(pagerank::rounding_of(300'000'000), 5e-9);
  EXPECT_LT(pagerank::rounding_of(UINT32_MAX), 1e-6);
  EXPECT_LT(pagerank::rounding_of(1000), 1.1e-9);
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
