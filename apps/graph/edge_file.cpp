// SPDX-License-Identifier: Apache-2.0
#include "edge_file.hpp"

#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "../measured/program.hpp"
#include "edge_list.hpp"
#include "matrix_market.hpp"
#include "metis.hpp"

namespace graph {
namespace {

bool is_named_as_metis(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return path.ends_with(".graph") || path.ends_with(".metis");
}

// The rank that reads, and what it keeps.
struct deal_to {
  int rank, ranks;
  bool keeps_lengths;
};

dealing dealing_for(const text_lines& lines, deal_to to) {
  return {lines, to.rank, to.ranks, to.keeps_lengths};
}

// Lengths are undirected and not negative.
void check_values(const matrix_market& file, const text_lines& lines) {
  const bool is_skew = file.kind() == symmetry::skew_symmetric;
  if (file.field() != "complex" && !is_skew) return;
  throw measured::failure(fmt::format("{}:1: the values of a {} matrix are no lengths of edges",
                                      lines.path(), is_skew ? "skew-symmetric" : "complex"));
}

edge_share share_of_matrix(text_lines& lines, std::string_view header, deal_to to) {
  matrix_market file(lines, header);
  if (file.rows() != file.columns())
    file.fail_size(fmt::format("{} rows and {} columns: the matrix of a graph is square",
                               file.rows(), file.columns()));
  if (file.rows() > kVerticesMax) file.fail_size(fmt::format("more than {} rows", kVerticesMax));
  if (to.rank == 0 && !file.note().empty())
    std::fprintf(stderr, "note: %s\n", console::printable(file.note()).c_str());
  if (to.keeps_lengths && file.has_values()) check_values(file, lines);
  dealing deal = dealing_for(lines, to);
  deal.share.vertices = file.rows();
  if (file.has_values()) deal.expect_lengths();
  while (const std::optional<matrix_market::entry> e = file.next())
    deal.add(e->row, e->column, e->value);
  return std::move(deal.share);
}

edge_share share_of_metis(const std::string& path, deal_to to) {
  text_lines lines(path, kMetisLineBytesMax);
  dealing deal = dealing_for(lines, to);
  read_metis(lines, deal);
  return std::move(deal.share);
}

// The same, but nothing if the file is not one of METIS.
std::optional<edge_share> share_of_metis_if_any(const std::string& path, deal_to to) {
  try {
    return share_of_metis(path, to);
  } catch (const measured::failure&) {
    return std::nullopt;
  }
}

edge_share share_of_list(text_lines& lines, std::string_view line, deal_to to) {
  dealing deal = dealing_for(lines, to);
  edge_list list(lines, deal);
  try {
    list.read(line);
  } catch (const measured::failure&) {
    if (auto metis = share_of_metis_if_any(lines.path(), to)) return std::move(*metis);
    throw;
  }
  if (list.may_count_lines())
    if (auto metis = share_of_metis_if_any(lines.path(), to)) return std::move(*metis);
  if (list.looks_like_header())
    throw measured::failure(
        fmt::format("{}:{}: looks like a header, as it counts the lines below it: put a # before "
                    "it, or put the edge that it is behind another one",
                    lines.path(), list.first_line()));
  return std::move(deal.share);
}

edge_share share_of_any(const std::string& path, deal_to to) {
  text_lines lines(path);
  std::string_view line;
  lines.next(line);
  if (matrix_market::is_header(line)) return share_of_matrix(lines, line, to);
  if (is_named_as_metis(path)) return share_of_metis(path, to);
  return share_of_list(lines, line, to);
}

}  // namespace

edge_share share_of(const std::string& path, int rank, int ranks, bool keeps_lengths) {
  edge_share share = share_of_any(path, {rank, ranks, keeps_lengths});
  if (share.edges == 0) throw measured::failure(fmt::format("{}: has no edges", path));
  return share;
}

}  // namespace graph
