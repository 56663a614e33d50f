// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace pagerank {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "pagerank",
      "PageRank of a graph that is spread over all ranks, in several ways, beside a serial\n"
      "program. Every vertex's score is checked.\n",
      "Examples:\n"
      "  ramjet run -n 2 pagerank --scale 21          a Kronecker graph of 2^21 vertices\n"
      "  ramjet run -n 4 pagerank --file road.mtx.gz  a graph of your own\n"
      "  pagerank --ways read --json                  one rank, for a program to read\n");
  add_options(line, o.graph, "");
  line.number("--iterations", o.iterations, {.most = 10'000}, "times that scores are given on");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each edge to another rank, gathered by the library; batched, "
             "the same by hand, 4 KiB a message; read, by global pointers; gathered, all scores to "
             "all ranks; shared, to each node");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  graph::read_line(line, argc, argv, o, "rank");
  return o;
}

}  // namespace pagerank
