// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace histogram {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "histogram",
      "Increments counters at random places of a table that is spread over all ranks, one at a\n"
      "time, and checks every counter. Numbers may be typed as 1e6.\n",
      "Examples:\n"
      "  ramjet run -n 2 histogram                        two ranks\n"
      "  ramjet run -n 4 histogram --table 1e7 --fetch    a table that few caches hold\n"
      "  ramjet run -n 4 histogram --messages             by who has the counter\n");
  line.number("--table", o.table, {},
              "counters of 64 bits in the whole table (bale counts those of a rank)");
  line.number("--updates", o.updates, {.most = 1'000'000'000}, "updates by each rank");
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX}, "of the random indices");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  line.flag("--fetch", o.fetch, "update by fetch_add, whose result is used, not by one-way add");
  line.flag("--messages", o.messages,
            "update by messages to the rank that has the counter, gathered by the library");
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  if (o.fetch && o.messages) throw measured::usage_error("--messages excludes --fetch");
  return o;
}

}  // namespace histogram
