// SPDX-License-Identifier: Apache-2.0
// Square sparse matrices over all ranks, a block of rows to a rank, whose entries have no values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "../measured/command_line.hpp"
#include "input.hpp"
#include "matrix_file.hpp"
#include "spread_rows.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/printable.hpp"

namespace graph {

// What a command line says of one: at random, or in a file.
struct matrix_input {
  std::uint64_t rows = 100'000;  // and columns; of a file, set by read_matrix()
  std::uint64_t nonzeros = 10;  // in a row, on the average
  std::uint64_t seed = 1;
  std::string file;
  matrix_share in_file = {};  // set by read_matrix()
};

inline void add_options(measured::command_line& line, matrix_input& in) {
  line.number("--rows", in.rows, {.most = kVerticesMax / 2},
              "rows and columns of the whole matrix (bale counts those of a rank)");
  line.number("--nonzeros", in.nonzeros, {.most = 1024}, "entries in a row, on the average");
  line.number("--seed", in.seed, {.least = 0, .most = UINT64_MAX}, "of the matrix");
  line.word("--file", "FILE", "the matrix in this file instead: Matrix Market, plain or gzip",
            [&in](const std::string& word) { in.file = word; });
}
// Throws measured::usage_error if the options contradict each other.
inline void check_options(const measured::command_line& line, const matrix_input& in) {
  if (!in.file.empty() && (line.is_given("--rows") || line.is_given("--nonzeros")))
    throw measured::usage_error("--file and the size of a random matrix exclude each other");
}

// Reads this rank's share of the file, if one is named; of a matrix that is not square, the lesser
// side gets empty rows or columns. Checks that memory suffices. Throws measured::failure in all
// ranks. Collective.
inline void read_matrix(matrix_input& in) {
  if (in.file.empty()) return check_memory(in.rows, in.rows * in.nonzeros, "--rows or --nonzeros");
  measured::agreed([&in] {
    in.in_file = matrix_share_of(in.file, ramjet::rank(), ramjet::size());
    in.rows = std::max(in.in_file.rows, in.in_file.columns);
  });
}

struct spread_matrix {
  ownership owners;
  vertex first;  // row k is row first + k of the whole
  rows mine;
};

// Of entries as rows_from() takes them, each row in ascending order. Collective.
template <class ForEach>
spread_matrix matrix_of(std::uint64_t count, ForEach&& for_each) {
  const ownership owners(count, ramjet::size());
  spread_matrix m{owners, static_cast<vertex>(owners.begin_of(ramjet::rank())), {}};
  m.mine = rows_from(owners, message_each(), std::forward<ForEach>(for_each));
  sort_each(m.mine);
  return m;
}

// Calls put(entry) for each entry of these rows, the first of which is row `first`.
template <class Put>
void for_entries(const rows& mine, vertex first, Put&& put) {
  for (std::size_t k = 0; k < mine.count(); ++k)
    for (const vertex column : mine[k]) put(entry{first + static_cast<vertex>(k), column});
}

// The rows of all ranks at the root, nothing elsewhere. Collective.
inline rows whole_at_root(const spread_matrix& m, std::uint64_t count) {
  return whole_at_root(spread_graph{count, 0, m.owners, m.first, m.mine});
}

inline std::string heading(const matrix_input& in, std::uint64_t entries) {
  if (!in.file.empty())
    return fmt::format("{}: {} rows, {} columns, {} entries over {} rank{}\n",
                       console::printable(in.file), in.in_file.rows, in.in_file.columns, entries,
                       ramjet::size(), ramjet::size() == 1 ? "" : "s");
  return fmt::format("{} rows, {} entries over {} rank{}\n", in.rows, entries, ramjet::size(),
                     ramjet::size() == 1 ? "" : "s");
}

inline console::json json_of(const matrix_input& in, std::uint64_t entries, std::uint64_t repeats) {
  if (!in.file.empty())
    return {{"ranks", ramjet::size()}, {"file", in.file},
            {"rows", in.in_file.rows}, {"columns", in.in_file.columns},
            {"seed", in.seed},         {"entries", entries},
            {"repeats", repeats}};
  return {{"ranks", ramjet::size()}, {"rows", in.rows},    {"nonzeros", in.nonzeros},
          {"seed", in.seed},         {"entries", entries}, {"repeats", repeats}};
}

}  // namespace graph
