// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace indexgather {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "indexgather",
      "Reads words at random places of a table that is spread over all ranks, one at a time, and\n"
      "checks every one of them. Numbers may be typed as 1e6.\n",
      "Examples:\n"
      "  ramjet run -n 2 indexgather                       two ranks\n"
      "  ramjet run -n 4 indexgather --table 1e7 --get 16  split-phase, from a larger table\n"
      "  ramjet run -n 4 indexgather --messages            by asking who has it\n");
  line.number("--table", o.table, {},
              "words of 64 bits in the whole table (bale counts those of a rank)");
  line.number("--reads", o.reads, {.most = 1'000'000'000}, "reads by each rank");
  line.number("--get", o.group, {.least = 0, .most = 1'000'000},
              "read by split-phase gets, N before each sync; 0: by blocking reads");
  line.flag("--messages", o.messages,
            "ask the rank that has the word by a message; messages are gathered by the library");
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX},
              "of the random indices and the table");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  if (o.group != 0 && o.messages) throw measured::usage_error("--messages excludes --get");
  return o;
}

}  // namespace indexgather
