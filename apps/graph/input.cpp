// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "../measured/memory.hpp"
#include "edge_file.hpp"
#include "tools/cli/printable.hpp"

namespace graph {

void add_options(measured::command_line& line, input& in, const std::string& seeded) {
  in.seeds_more = !seeded.empty();
  line.number("--scale", in.made.scale, {.most = kronecker::kScaleMax},
              "logarithm of the number of vertices of a Kronecker graph");
  line.number("--edge-factor", in.made.edge_factor, {.most = 1024}, "its edges for each vertex");
  line.number("--seed", in.made.seed, {.least = 0, .most = UINT64_MAX}, "of the graph" + seeded);
  line.word(
      "--file", "FILE",
      "the graph in this file instead: a list of edges, Matrix Market or METIS; plain or gzip",
      [&in](const std::string& word) { in.file = word; });
}

void check_options(const measured::command_line& line, const input& in) {
  if (!in.file.empty() && (line.is_given("--scale") || line.is_given("--edge-factor")))
    throw measured::usage_error("--file and the size of a Kronecker graph exclude each other");
}

void check_memory(std::uint64_t vertices, std::uint64_t edges, const char* sized_by) {
  // The least of all programs. Of a vertex: a degree, a result, and the results of all in a check;
  // of an edge: this rank's share, and its rows.
  constexpr double kVertexBytes = 12, kEdgeBytes = 24;
  measured::check_memory(kVertexBytes * static_cast<double>(vertices) +
                             kEdgeBytes * static_cast<double>(edges) / ramjet::size(),
                         fmt::format("{} vertices and {} edges", vertices, edges), sized_by);
}

edge_share share_of(const input& in) {
  const bool made = in.file.empty();
  if (made) check_memory(in.made.vertices(), in.made.edges(), "--scale or --edge-factor");
  edge_share share;
  measured::agreed([&] {
    share = made ? share_of(in.made, ramjet::rank(), ramjet::size())
                 : share_of(in.file, ramjet::rank(), ramjet::size(), in.keeps_lengths);
  });
  if (!made) check_memory(share.vertices, share.edges, "another file");
  return share;
}

console::json json_of(const input& in) {
  if (!in.file.empty()) {
    if (!in.seeds_more) return {{"file", in.file}};
    return {{"file", in.file}, {"seed", in.made.seed}};
  }
  return {{"scale", in.made.scale}, {"edge_factor", in.made.edge_factor}, {"seed", in.made.seed}};
}

std::string heading(const input& in, const size& s, int ranks) {
  const std::string name =
      in.file.empty() ? fmt::format("A Kronecker graph of scale {}, edge factor {}, seed {}",
                                    in.made.scale, in.made.edge_factor, in.made.seed)
                      : console::printable(in.file) +
                            (in.seeds_more ? fmt::format(" with seed {}", in.made.seed) : "");
  return fmt::format("{}: {} vertices, {} edges over {} rank{}, in {:.2f} s\n", name, s.vertices,
                     s.edges, ranks, ranks == 1 ? "" : "s", s.build_seconds);
}

}  // namespace graph
