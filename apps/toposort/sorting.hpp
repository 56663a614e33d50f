// SPDX-License-Identifier: Apache-2.0
// Topological sort as bale has it (Maley and DeVinney 2019): the rows and columns of an upper
// triangular matrix without a zero in its diagonal were permuted; find permutations that make it
// triangular again. A row with one entry left is matched with that entry's column: both get the
// last free place, and the column's entries go out of all rows. All rows that are so far make a
// level. Three ways:
//
//   natural   a message to each matched column, then one for each entry that goes; gathered by the
//             library
//   batched   the same messages by hand
//   chained   the handler of the first message sends the others
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../graph/matrix.hpp"
#include "../measured/batches.hpp"

namespace toposort {

using graph::vertex;

enum class way { natural, batched, chained };
inline constexpr std::array kWays{way::natural, way::batched, way::chained};
const char* name_of(way w);

// Such a matrix, and its transpose.
struct problem {
  std::uint64_t rows;
  graph::spread_matrix matrix, transposed;
  std::uint64_t entries;  // of all ranks
};
// At random, or from a file. Collective.
problem permuted_triangle(const graph::matrix_input& in);

// What a row still has.
struct row_state {
  vertex columns = 0;  // all of them, by exclusive or: the column, if one is left
  std::uint32_t left = 0;
};
std::vector<row_state> states_of(const graph::rows& rows);

// The same by one rank over the whole matrix, without a message: the limit. Places of rows and
// columns; returns how many rows were matched.
std::uint64_t sort_serially(const graph::rows& whole, const graph::rows& transposed,
                            std::span<vertex> row_places, std::span<vertex> column_places);

// A matched column, and its place; or a row, and the column whose entry goes.
struct telling {
  vertex at, what;
};

// One a rank: its handlers find it.
class sorter {
 public:
  // The problem is to outlive it. Collective.
  explicit sorter(const problem& p);
  ~sorter();
  sorter(const sorter&) = delete;
  sorter& operator=(const sorter&) = delete;

  // Places of this rank's rows and columns. Returns the number of levels. Collective.
  std::uint64_t sort(way w);
  std::span<const vertex> row_places() const { return row_places_; }
  std::span<const vertex> column_places() const { return column_places_; }

 private:
  // The handlers' way in.
  friend struct handlers;

  bool is_mine(vertex v) const { return v - first_ < states_.size(); }
  void match(telling t) {
    column_places_[t.at - first_] = t.what;
    matched_.push_back(t.at - first_);
  }
  void remove(telling t) {
    row_state& s = states_[t.at - first_];
    s.columns ^= t.what;
    if (--s.left == 1) next_.push_back(t.at - first_);
  }
  void remove_all(std::span<const telling> all);
  // The handler of a matched column that sends the rest.
  void match_on(telling t);

  template <class Match, class Remove, class Flush>
  std::uint64_t by_levels(Match&& match, Remove&& remove, Flush&& flush);

  const problem& problem_;
  const vertex first_;
  std::vector<row_state> states_;
  std::vector<vertex> row_places_, column_places_;
  std::vector<vertex> ready_, next_, matched_;  // by row and column of this rank
  measured::batches<telling> matches_, removals_;
};

}  // namespace toposort
