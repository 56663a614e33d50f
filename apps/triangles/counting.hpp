// SPDX-License-Identifier: Apache-2.0
// The triangles of a graph by all ranks. Vertices are in order by their number of neighbours, and
// a row holds the greater ones: a triangle is a row with two vertices of which the lesser has the
// greater in its own row (Latapy 2008). So a row has at most sqrt(2 * edges) vertices: each of
// them has as many neighbours as the row's own vertex, or more. Three ways of asking other ranks:
//
//   natural   a message for each pair of vertices in a row, to the owner of the lesser; gathered
//             by the library
//   batched   the same messages by hand
//   rows      a row to each rank that owns a vertex in it, many rows a message
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

// A graph whose rows hold greater neighbours only, each once.
struct ordered_graph {
  std::vector<std::uint32_t> degrees;  // of all vertices, in the graph that this one was made of
  graph::spread_graph greater;

  // Collective.
  explicit ordered_graph(const graph::spread_graph& g);
  bool is_less(vertex v, vertex w) const {
    return degrees[v] != degrees[w] ? degrees[v] < degrees[w] : v < w;
  }
};

// Of the vertices `row`, how many stand in the rows of the vertices `own`. Those are among `rows`,
// whose first one is that of vertex `first`. `marks` has a byte for each vertex of the graph, all
// zero before and after.
std::uint64_t found_in_rows(std::span<const vertex> row, std::span<const vertex> own,
                            const graph::rows& rows, vertex first,
                            std::vector<std::uint8_t>& marks);
// All of them by one rank, without a message: the limit.
std::uint64_t count_serially(const graph::rows& whole, std::vector<std::uint8_t>& marks);

// What a message asks: whether `greater` is in the row of `at`.
struct question {
  vertex at, greater;
};

// Rows on their way to other ranks, in messages of some KiB, each row behind its own header.
class row_batches {
 public:
  // Before the vertices that are sent of a row. The receiver looks for the first `row` of them in
  // the rows of those from own_begin on, before own_end.
  struct header {
    vertex row, own_begin, own_end;
  };
  static constexpr std::size_t kHeaderWords = sizeof(header) / sizeof(vertex);
  // Vertices. A header and two pieces fit into a medium message.
  static constexpr std::size_t kPieceMax = 7680;

  // A row of more than `piece` vertices leaves in pieces.
  explicit row_batches(std::size_t piece);

  // Of this row, `rank` owns the `own` vertices from own_begin on.
  void add(int rank, std::span<const vertex> row, std::size_t own_begin, std::size_t own);
  // Sends what is left.
  void flush();

  // Calls visit(row, own) for each row of a message.
  template <class Visit>
  static void for_each(std::span<const vertex> batch, Visit&& visit) {
    while (!batch.empty()) {
      const header h{batch[0], batch[1], batch[2]};
      batch = batch.subspan(kHeaderWords);
      visit(batch.first(h.row), batch.subspan(h.own_begin, h.own_end - h.own_begin));
      batch = batch.subspan(std::max(h.row, h.own_end));
    }
  }

 private:
  void add_pieces(int rank, std::span<const vertex> row, std::span<const vertex> own);
  // The batch that another `vertices` vertices go into, behind this header.
  std::vector<vertex>& batch_for(int rank, const header& h, std::size_t vertices);
  static void send(int rank, std::vector<vertex>& batch);

  std::size_t piece_;
  std::vector<std::vector<vertex>> by_rank_;
};

// One a rank: its handlers find it.
class counter {
 public:
  // The graph is to outlive it. Rows of more than `piece` vertices are sent in pieces. Collective.
  explicit counter(const ordered_graph& g, std::size_t piece = row_batches::kPieceMax);
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
  void count_row(std::span<const vertex> row, std::span<const vertex> own) {
    found_ += found_in_rows(row, own, graph_.mine, graph_.first, marks_);
  }

  const ordered_graph& order_;
  const graph::spread_graph& graph_;  // of greater neighbours
  std::vector<std::uint8_t> marks_;  // of all vertices; zero outside of found_in_rows
  measured::batches<question> batches_;
  row_batches row_batches_;
  std::uint64_t found_ = 0;
};

}  // namespace triangles
