// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace sssp {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "sssp",
      "Shortest ways from a vertex of a graph over all ranks, by delta-stepping with\n"
      "several ways of sending what is found of others' vertices, beside a serial search. Every\n"
      "tree is checked. The lengths of the edges are those that the file gives: the third words\n"
      "of a list, the values of a matrix, the edge weights of METIS; the shortest of parallel\n"
      "edges counts. If the file gives none, or with --weights, they are random whole numbers.\n",
      "Examples:\n"
      "  ramjet run -n 2 sssp --scale 20             a Kronecker graph of 2^20 vertices\n"
      "  ramjet run -n 4 sssp --file road.mtx.gz    with the lengths in the file\n"
      "  sssp --ways filtered --root 0,17 --json     one rank, for a program to read\n");
  add_options(line, o.graph, ", of the lengths and of the roots");
  line.number("--weights", o.weights, {.most = 1'000'000},
              "edges have random lengths from 1 to this, even where the file gives lengths");
  line.number("--delta", o.delta, {.most = 1'000'000'000},
              "the width of a bucket; for lengths of a file, if not given, their mean");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each edge to another rank, gathered by the library; filtered, "
             "only for ways that are shorter than those sent before; batched, these by hand, 4 KiB "
             "a message; chained, these from the handlers of others");
  add_options(line, o.roots);
  graph::read_line(line, argc, argv, o, "search");
  o.draws = line.is_given("--weights");
  o.names_delta = line.is_given("--delta");
  o.graph.keeps_lengths = !o.draws;
  return o;
}

}  // namespace sssp
