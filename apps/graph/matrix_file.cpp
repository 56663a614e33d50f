// SPDX-License-Identifier: Apache-2.0
#include "matrix_file.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "../measured/program.hpp"
#include "matrix_market.hpp"

namespace graph {

matrix_share matrix_share_of(const std::string& path, int rank, int ranks) {
  text_lines lines(path);
  std::string_view line;
  if (!lines.next(line)) throw measured::failure(path + ": is empty");
  if (!matrix_market::is_header(line))
    lines.fail("no header of Matrix Market: '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  matrix_market file(lines, line);
  constexpr std::uint64_t kMost = kVerticesMax / 2;
  if (std::max(file.rows(), file.columns()) > kMost)
    file.fail_size(fmt::format("more than {} rows or columns", kMost));
  if (rank == 0 && !file.note().empty())
    std::fprintf(stderr, "note: %s\n", console::printable(file.note()).c_str());
  matrix_share share{.rows = file.rows(), .columns = file.columns(), .mine = {}};
  std::uint64_t dealt = 0;
  const auto deal = [&](std::uint64_t row, std::uint64_t column) {
    if (dealt++ % static_cast<std::uint64_t>(ranks) == static_cast<std::uint64_t>(rank))
      share.mine.push_back({static_cast<vertex>(row), static_cast<vertex>(column)});
  };
  while (const std::optional<matrix_market::entry> e = file.next()) {
    deal(e->row, e->column);
    if (file.kind() != symmetry::general && e->row != e->column) deal(e->column, e->row);
  }
  if (dealt == 0) throw measured::failure(path + ": has no entries");
  return share;
}

}  // namespace graph
