// SPDX-License-Identifier: Apache-2.0
// The triangles of a graph by all ranks. Vertices are in order by their number of neighbours, and
// a row holds the lesser ones: a triangle is a row with two vertices of which the greater has the
// lesser in its own row (Latapy 2008). Three ways of asking other ranks:
//
//   natural   a message for each pair of vertices in a row, to the owner of the greater; gathered
//             by the library
//   batched   the same messages by hand
//   rows      a row to each rank that owns a vertex in it, many rows a message
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../graph/spread_graph.hpp"
#include "../measured/batches.hpp"

namespace triangles {

using graph::vertex;

enum class way { natural, batched, rows };
inline constexpr std::array kWays{way::natural, way::batched, way::rows};
const char* name_of(way w);

// A graph whose rows hold lesser neighbours only, each once.
struct ordered_graph {
  std::vector<std::uint32_t> degrees;  // of all vertices, in the graph that this one was made of
  graph::spread_graph lesser;

  // Collective.
  explicit ordered_graph(const graph::spread_graph& g);
  bool is_less(vertex v, vertex w) const {
    return degrees[v] != degrees[w] ? degrees[v] < degrees[w] : v < w;
  }
};

// The triangles in a row of which `marks` has a byte for each vertex, all zero before and after:
// pairs of the row's vertices that are neighbours, the greater one among `rows`, whose first row is
// that of vertex `first`.
std::uint64_t triangles_of(std::span<const vertex> row, const graph::rows& rows, vertex first,
                           std::vector<std::uint8_t>& marks);
// All of them by one rank, without a message: the limit.
std::uint64_t count_serially(const graph::rows& whole, std::vector<std::uint8_t>& marks);

// What a message asks: whether `lesser` is in the row of `at`.
struct question {
  vertex at, lesser;
};

// Rows on their way to other ranks, in messages of some KiB: the length of a row and its vertices,
// and so on.
class row_batches {
 public:
  row_batches();

  void add(int rank, std::span<const vertex> row);
  // Sends what is left.
  void flush();

 private:
  static void send(int rank, std::vector<vertex>& batch);

  std::vector<std::vector<vertex>> by_rank_;
};

// One a rank: its handlers find it.
class counter {
 public:
  // The graph is to outlive it. Collective.
  explicit counter(const ordered_graph& g);
  ~counter();
  counter(const counter&) = delete;
  counter& operator=(const counter&) = delete;

  // The triangles of all ranks. Collective.
  std::uint64_t count(way w);

 private:
  // The handlers' way in.
  friend struct handlers;

  void answer(std::span<const question> all);
  template <class Ask>
  void by_pairs(Ask&& ask);
  void by_rows();
  void count_row(std::span<const vertex> row) {
    found_ += triangles_of(row, graph_.mine, graph_.first, marks_);
  }
  void count_rows(std::span<const vertex> batch);

  const ordered_graph& order_;
  const graph::spread_graph& graph_;  // of lesser neighbours
  std::vector<std::uint8_t> marks_;  // of all vertices; zero outside of triangles_of
  measured::batches<question> batches_;
  row_batches row_batches_;
  std::uint64_t found_ = 0;
};

}  // namespace triangles
