// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace bfs {
options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "bfs",
      "Breadth-first search of a graph that is spread over all ranks, by several ways of sending\n"
      "what an edge to another rank finds, beside a serial search. Every tree is checked.\n",
      "Examples:\n"
      "  ramjet run -n 2 bfs --scale 21             a Kronecker graph of 2^21 vertices\n"
      "  ramjet run -n 4 bfs --file road.mtx.gz     a graph of your own\n"
      "  bfs --ways natural --root 0,17 --json      one rank, for a program to read\n");
  line.number("--scale", o.made.scale, {.most = graph::kronecker::kScaleMax},
              "logarithm of the number of vertices of a Kronecker graph");
  line.number("--edge-factor", o.made.edge_factor, {.most = 1024}, "its edges for each vertex");
  line.number("--seed", o.made.seed, {.least = 0, .most = UINT64_MAX},
              "of the graph, and of the roots");
  line.word("--file", "FILE",
            "search the graph in this file: Matrix Market, or a list of edges; plain or gzip",
            [&](const std::string& word) { o.file = word; });
  line.names("--ways", kWays, o.ways,
             "natural, a message for each visit; aggregated, the same gathered by the library; "
             "batched, 4 KiB of visits a message; chained, by the handler of the visit before");
  line.number("--roots", o.roots, {.most = 10'000}, "vertices with an edge to begin at, at random");
  line.numbers("--root", o.named_roots, {.least = 0, .most = graph::kVerticesMax - 1},
               "begin at these instead");
  bool no_serial = false;
  line.flag("--no-serial", no_serial, "do not gather the graph at one rank to search it there");
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  o.serial = !no_serial;
  if (!o.file.empty() && (line.is_given("--scale") || line.is_given("--edge-factor")))
    throw measured::usage_error("--file and the size of a Kronecker graph exclude each other");
  return o;
}

}  // namespace bfs
