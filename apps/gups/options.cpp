// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/ways.hpp"

namespace gups {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "gups",
      "RandomAccess of the HPC Challenge: words at random places of a table over all ranks are\n"
      "changed, 4 times as many as it has, in several ways beside a serial program. Every word is\n"
      "checked.\n",
      "Examples:\n"
      "  ramjet run -n 2 gups --scale 26          a table of 2^26 words, half a gigabyte\n"
      "  ramjet run -n 4 gups --ways natural --no-serial --json\n");
  line.number("--scale", o.scale, {.most = 31}, "logarithm of the number of words of 64 bits");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each update, gathered by the library; batched, the same by "
             "hand, 4 KiB a message; atomic, fetch_xor by a global pointer");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  measured::read_line(line, argc, argv, o, "no serial program beside it: one rank has its table");
  return o;
}

}  // namespace gups
