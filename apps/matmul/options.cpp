// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "../measured/command_line.hpp"

namespace matmul {

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "matmul",
      "Multiplies matrices whose columns lie spread over the ranks, and checks the product. The\n"
      "column for the next rank-1 update is fetched while the present update runs. How much of\n"
      "its time a rank computes is told for several numbers of columns at each rank, beside what\n"
      "a model predicts. Numbers may be typed as 1e3.\n",
      "Examples:\n"
      "  ramjet run -n 2 matmul                           the sweep of the paper\n"
      "  ramjet run -n 2 matmul --n 512 --columns 4,8,12  longer columns\n"
      "  ramjet run -n 2 matmul --json > sweep.json && apps/matmul/plot.py sweep.json\n");
  line.number("--n", o.n, {.most = 65'536}, "rows of A and of C: numbers in a column");
  line.numbers("--columns", o.columns, {.most = 65'536},
               "columns of B and of C at each rank, one run for each");
  line.number("--terms", o.terms, {.most = 1'000'000},
              "rank-1 updates of a run with one column at each rank; with m columns they are m "
              "times fewer, at least one for each rank");
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX}, "of the matrices");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  return o;
}

}  // namespace matmul
