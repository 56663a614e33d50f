// SPDX-License-Identifier: Apache-2.0
// Rows over the ranks and what the measuring programs have in common, called directly, by every
// rank of a job.
#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <ramjet/ramjet.hpp>

#include "graph/flat.hpp"
#include "graph/kronecker.hpp"
#include "graph/matrix.hpp"
#include "graph/spread_graph.hpp"
#include "graph/spread_rows.hpp"
#include "job.hpp"
#include "keysort/sorting.hpp"
#include "measured/agreeing.hpp"
#include "measured/batches.hpp"
#include "measured/measuring.hpp"
#include "sssp/bucket_walk.hpp"
#include "triangles/counting.hpp"

namespace {

using graph::entry;
using graph::vertex;

std::vector<vertex> row_of(const graph::rows& r, std::size_t k) {
  return {r[k].begin(), r[k].end()};
}

// --- Flat graphs ---------------------------------------------------------------------------------

TEST(Flat, SharesHoldEachEdgeOnce) {
  const graph::flat f{.vertices = 37, .edges = 200, .seed = 5};
  std::vector<std::pair<vertex, vertex>> parts, whole;
  for (int rank = 0; rank < 3; ++rank)
    for (const graph::edge e : share_of(f, rank, 3).mine) parts.emplace_back(e.a, e.b);
  for (std::uint64_t k = 0; k < f.edges; ++k) {
    const graph::edge e = f.edge_at(k);
    ASSERT_TRUE(e.a < f.vertices && e.b < f.vertices);
    whole.emplace_back(e.a, e.b);
  }
  std::sort(parts.begin(), parts.end());
  std::sort(whole.begin(), whole.end());
  EXPECT_EQ(parts, whole);
}

TEST(Flat, PermutationsOfAnyNumberAreOneToOne) {
  for (const vertex count : {1u, 2u, 3u, 7u, 64u, 65u, 1000u}) {
    const graph::any_permutation permuted(count, 9);
    std::vector<bool> seen(count);
    for (vertex v = 0; v < count; ++v) {
      ASSERT_LT(permuted(v), count);
      EXPECT_FALSE(seen[permuted(v)]) << v << " of " << count;
      seen[permuted(v)] = true;
    }
  }
}

// --- Rows ----------------------------------------------------------------------------------------

// Row k of all gets column k * k + r from each rank r, as often as k tells.
constexpr vertex kRows = 50;

template <class How>
void check_rows_from(How&& how) {
  const graph::ownership owners(kRows, ramjet::size());
  const auto me = static_cast<vertex>(ramjet::rank());
  graph::rows mine = graph::rows_from(owners, how, [&](auto&& put) {
    for (vertex row = kRows; row-- > 0;)
      for (vertex times = row % 4; times > 0; --times) put(entry{row, row * row + me});
  });
  graph::sort_each(mine);
  const auto first = static_cast<vertex>(owners.begin_of(ramjet::rank()));
  ASSERT_EQ(mine.count(), owners.begin_of(ramjet::rank() + 1) - first);
  for (std::size_t k = 0; k < mine.count(); ++k) {
    const vertex row = first + static_cast<vertex>(k);
    std::vector<vertex> due;
    for (vertex rank = 0; rank < static_cast<vertex>(ramjet::size()); ++rank)
      due.insert(due.end(), row % 4, row * row + rank);
    EXPECT_EQ(row_of(mine, k), due) << row;
  }
}

TEST(Rows, EntriesReachTheOwnersOfTheirRows) {
  check_rows_from(graph::message_each());
  check_rows_from(graph::by_hand(4096));
  check_rows_from(graph::by_hand(sizeof(entry)));  // a message for each
}

TEST(Rows, EachIsSortedFromAVertexOn) {
  graph::rows r{{0, 4, 4, 5}, {3, 9, 0, 5, 7}};
  graph::sort_each(r, 5);
  EXPECT_EQ(row_of(r, 0), (std::vector<vertex>{5, 9, 0, 3}));
  EXPECT_EQ(row_of(r, 1), std::vector<vertex>());
  EXPECT_EQ(row_of(r, 2), std::vector<vertex>{7});
  graph::sort_each(r);
  EXPECT_EQ(row_of(r, 0), (std::vector<vertex>{0, 3, 5, 9}));
}

TEST(Rows, ChosenEntriesStayOnce) {
  const graph::rows r{{0, 4, 4, 6}, {1, 1, 2, 3, 1, 1}};
  const graph::rows odd = graph::chosen(r, [](std::size_t, vertex w) { return w % 2 == 1; });
  ASSERT_EQ(odd.count(), 3);
  EXPECT_EQ(row_of(odd, 0), (std::vector<vertex>{1, 3}));
  EXPECT_EQ(row_of(odd, 1), std::vector<vertex>());
  EXPECT_EQ(row_of(odd, 2), std::vector<vertex>{1});  // equal to the last one of another row
}

TEST(Rows, AGraphHasEachEdgeAtBothEndsAndMineFirst) {
  // A path with a loop and a parallel edge.
  const std::vector<graph::edge> edges{{0, 1}, {1, 2}, {2, 3}, {3, 3}, {4, 3}, {0, 1}, {4, 0}};
  graph::edge_share share{.vertices = 5, .edges = edges.size(), .mine = {}};
  if (ramjet::rank() == ramjet::size() - 1) share.mine = edges;
  const graph::spread_graph g = graph::distribute(share);
  const std::vector<std::vector<vertex>> due{{1, 1, 4}, {0, 0, 2}, {1, 3}, {2, 3, 3, 4}, {0, 3}};
  for (std::size_t k = 0; k < g.mine.count(); ++k) {
    std::vector<vertex> row = due[g.first + k];
    std::rotate(row.begin(), std::lower_bound(row.begin(), row.end(), g.first), row.end());
    EXPECT_EQ(row_of(g.mine, k), row) << g.first + k;
  }
  const graph::rows whole = graph::whole_at_root(g);
  ASSERT_EQ(whole.count(), ramjet::rank() == measured::kRoot ? 5 : 0);
  for (std::size_t k = 0; k < whole.count(); ++k) EXPECT_EQ(row_of(whole, k), due[k]) << k;
}

TEST(Rows, AMatrixIsInTheOrderOfRowsAndColumns) {
  const graph::flat f{.vertices = 20, .edges = 90, .seed = 4};
  const graph::spread_matrix m = graph::matrix_of(f.vertices, [&](auto&& put) {
    for (const graph::edge e : share_of(f, ramjet::rank(), ramjet::size()).mine)
      put(entry{e.a, e.b});
  });
  std::vector<std::pair<vertex, vertex>> due, found;
  for (std::uint64_t k = 0; k < f.edges; ++k)
    if (const graph::edge e = f.edge_at(k); m.owners.owner_of(e.a) == ramjet::rank())
      due.emplace_back(e.a, e.b);
  std::sort(due.begin(), due.end());
  graph::for_entries(m.mine, m.first, [&](entry e) { found.emplace_back(e.row, e.column); });
  EXPECT_EQ(found, due);
  const graph::rows whole = graph::whole_at_root(m, f.vertices);
  EXPECT_EQ(whole.targets.size(), ramjet::rank() == measured::kRoot ? f.edges : 0);
}

// --- Parts of programs ---------------------------------------------------------------------------

// A star around vertex 0.
TEST(BucketWalk, InnerEdgesComeFirstAndOuterOnesOnce) {
  const graph::rows star{{0, 4, 5, 6, 7, 8}, {1, 2, 3, 4, 0, 0, 0, 0}};
  const graph::edge_weights weight(30, 1);
  const sssp::weighted_rows<> rows(star, 0, weight);
  std::vector<sssp::distance> shortest(5, sssp::kFar);
  sssp::buckets<> buckets(10, weight.most());
  sssp::bucket_walk<> walk(rows, 0, shortest);
  std::vector<sssp::distance> inner, outer;
  shortest[0] = 3;
  buckets.add({0, 9});  // a longer way that was known before
  buckets.add({0, 3});
  EXPECT_TRUE(walk.is_behind(buckets.at(0)));
  walk.inner(buckets.at(0), buckets.end_of(0), [&](vertex, vertex from, sssp::distance length) {
    EXPECT_EQ(from, 0);
    inner.push_back(length);
  });
  EXPECT_FALSE(walk.is_behind(buckets.at(0)));
  walk.outer(buckets.at(0),
             [&](vertex, vertex, sssp::distance length) { outer.push_back(length); });
  std::vector<sssp::distance> due;
  for (vertex v = 1; v < 5; ++v) due.push_back(3 + weight(0, v));
  std::sort(due.begin(), due.end());
  const auto end = std::lower_bound(due.begin(), due.end(), 10);
  EXPECT_EQ(inner, std::vector(due.begin(), end));
  EXPECT_EQ(outer, std::vector(end, due.end()));
  EXPECT_TRUE(buckets.at(0).empty());
}

// All vertices are neighbours: more rows go to each rank than fit into one message.
TEST(Triangles, RowsInManyMessagesAreAllCounted) {
  constexpr vertex kVertices = 180;
  graph::edge_share share{
      .vertices = kVertices, .edges = kVertices * (kVertices - 1) / 2, .mine = {}};
  if (ramjet::rank() == 0)
    for (vertex a = 0; a < kVertices; ++a)
      for (vertex b = 0; b < a; ++b) share.mine.push_back({a, b});
  const triangles::ordered_graph g(graph::distribute(share));
  triangles::counter counter(g);
  for (const triangles::way w : triangles::kWays)
    EXPECT_EQ(counter.count(w), kVertices * (kVertices - 1) * (kVertices - 2) / 6) << name_of(w);
  triangles::counter in_pieces(g, 50);
  EXPECT_EQ(in_pieces.count(triangles::way::rows),
            kVertices * (kVertices - 1) * (kVertices - 2) / 6);
}

// Most keys are in the first bucket, but no rank has many more of them than another.
TEST(Keysort, KeysThatCrowdAreDivided) {
  constexpr std::uint64_t kKeys = 20'000;
  const auto me = static_cast<std::uint64_t>(ramjet::rank());
  measured::random_words words({7, me});
  std::vector<keysort::key> keys(kKeys);
  for (keysort::key& k : keys) k = words.next() >> words.next_below(61);
  keys[0] = me == 0 ? UINT64_MAX : 0;
  keysort::sorter sorter(keys);
  for (const keysort::way w : keysort::kWays) {
    sorter.sort(w);
    const std::span<const keysort::key> mine = sorter.sorted();
    EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
    EXPECT_NEAR(static_cast<double>(mine.size()), kKeys, kKeys * 0.05) << name_of(w);
    std::vector<keysort::key> lasts(static_cast<std::size_t>(ramjet::size()));
    measured::require(ramjet::all_gather(mine.back(), lasts.data()));
    const keysort::key before = me > 0 ? lasts[me - 1] : 0;
    EXPECT_LE(before, mine.front());
    EXPECT_EQ(measured::sum_over_ranks(mine.size()),
              kKeys * static_cast<std::uint64_t>(ramjet::size()));
  }
}

TEST(Keysort, EqualKeysGoToOneRank) {
  const std::vector<keysort::key> same(100, 12345);
  keysort::sorter sorter(same);
  for (const keysort::way w : keysort::kWays) {
    sorter.sort(w);
    const std::size_t found = sorter.sorted().size();
    EXPECT_TRUE(found == 0 || found == same.size() * static_cast<std::size_t>(ramjet::size()));
    EXPECT_EQ(measured::sum_over_ranks(found),
              same.size() * static_cast<std::uint64_t>(ramjet::size()));
  }
}

// --- What measuring programs have in common ------------------------------------------------------

std::vector<int> received;
void on_numbers(ramjet::payload all) {
  for (const int number : all.as<const int>()) received.push_back(number);
}

TEST(Batches, ItemsComeInTheirOrderAndNoneStays) {
  received.clear();
  measured::batches<int> batches(4 * sizeof(int));
  measured::require(ramjet::barrier());
  const int to = (ramjet::rank() + 1) % ramjet::size();
  for (int k = 0; k < 11; ++k) batches.add<&on_numbers>(to, k);
  batches.flush<&on_numbers>();
  batches.flush<&on_numbers>();  // nothing is left
  measured::require(ramjet::quiesce());
  std::vector<int> due(11);
  std::iota(due.begin(), due.end(), 0);
  EXPECT_EQ(received, due);
}

TEST(Agreed, AllRanksFailAsTheLowestOneDid) {
  const int last = ramjet::size() - 1;
  measured::agreed([] {});
  try {
    measured::agreed([last] {
      if (ramjet::rank() >= last) throw measured::failure("no room in " + std::to_string(last));
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const measured::failure& e) {
    EXPECT_EQ(std::string(e.what()), "no room in " + std::to_string(last));
  }
}

TEST(Measuring, TheMedianOfWhatCountsIsTaken) {
  EXPECT_EQ(measured::median({3, 1, 2}), 2);
  EXPECT_EQ(measured::median({4, 1, 2, 3}), 2.5);
  double next = 100;  // the first turn does not count
  const std::vector<double> medians = measured::medians_in_turn(
      3, {[&] { return next = next == 100 ? 1 : next + 1; }, [] { return 7.0; }});
  EXPECT_EQ(medians, (std::vector<double>{3, 7}));
  EXPECT_EQ(measured::sum_over_ranks(2), static_cast<std::uint64_t>(2 * ramjet::size()));
  EXPECT_GE(measured::seconds_together([] {}), 0);
}

}  // namespace
