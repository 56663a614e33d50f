// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "console/printable.hpp"
#include "edge_file.hpp"

namespace graph {

void add_options(measured::command_line& line, input& in, const std::string& seeded) {
  in.seeds_more = !seeded.empty();
  line.number("--scale", in.made.scale, {.most = kronecker::kScaleMax},
              "logarithm of the number of vertices of a Kronecker graph");
  line.number("--edge-factor", in.made.edge_factor, {.most = 1024}, "its edges for each vertex");
  line.number("--seed", in.made.seed, {.least = 0, .most = UINT64_MAX}, "of the graph" + seeded);
  line.word("--file", "FILE",
            "the graph in this file instead: Matrix Market, or a list of edges; plain or gzip",
            [&in](const std::string& word) { in.file = word; });
}

void check_options(const measured::command_line& line, const input& in) {
  if (!in.file.empty() && (line.is_given("--scale") || line.is_given("--edge-factor")))
    throw measured::usage_error("--file and the size of a Kronecker graph exclude each other");
}

edge_share share_of(const input& in) {
  edge_share share;
  measured::agreed([&] {
    share = in.file.empty() ? share_of(in.made, ramjet::rank(), ramjet::size())
                            : share_of(in.file, ramjet::rank(), ramjet::size());
  });
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
