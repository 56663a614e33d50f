// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace components {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "components",
      "The connected components of a graph that is spread over all ranks, in several ways, beside\n"
      "a serial program. Every labelling is checked.\n",
      "Examples:\n"
      "  ramjet run -n 2 components --scale 21          a Kronecker graph of 2^21 vertices\n"
      "  ramjet run -n 4 components --file road.mtx.gz  a graph of your own\n"
      "  components --ways linked --json                one rank, for a program to read\n");
  add_options(line, o.graph, "");
  line.names("--ways", kWays, o.ways,
             "natural, labels told to neighbours, gathered by the library; batched, the same by "
             "hand, 4 KiB a message; linked, trees over ranks that messages join");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  graph::read_line(line, argc, argv, o, "label");
  return o;
}

}  // namespace components
