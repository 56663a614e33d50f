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
  add_options(line, o.graph, ", and of the roots");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each visit; aggregated, the same gathered by the library; "
             "filtered, only the first of a rank to a vertex; batched, 4 KiB of visits a message; "
             "chained, by the handler of the visit before");
  add_options(line, o.roots);
  graph::read_line(line, argc, argv, o, "search");
  return o;
}

}  // namespace bfs
