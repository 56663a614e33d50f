// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace exchange {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "exchange",
      "Each rank sends random 64-bit keys to the ranks that own them, as a sort does, by several\n"
      "ways, and checks what came. Numbers may be typed as 1e6.\n",
      "Examples:\n"
      "  ramjet run -n 2 exchange                        two ranks, 2,000,000 keys from each\n"
      "  ramjet run -n 4 exchange --keys 1e7 --ways natural\n");
  line.number("--keys", o.keys, {.most = 1'000'000'000}, "keys that each rank sends");
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX}, "of the keys");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each key; aggregated, the same gathered by the library; "
             "batched, 8 KiB a message; bucketed, sorted by owner and exchanged at once");
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  return o;
}

}  // namespace exchange
