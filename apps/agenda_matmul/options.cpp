// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <string>

#include "../measured/command_line.hpp"

namespace agenda_matmul {
namespace {

const std::vector<std::uint64_t> kSweptGranularities = {1, 2, 4, 8, 16, 32, 64};
const std::vector<std::uint64_t> kSweptConcurrencies = {1, 2, 4, 8};

kernel kernel_named(const std::string& word) {
  for (const kernel k : {kernel::blas, kernel::plain}) {
    if (word != name_of(k)) continue;
    if (is_built_in(k)) return k;
    throw measured::usage_error(
        "--kernel blas: this program is built without it: install libopenblas-dev and build again, "
        "or take --kernel plain");
  }
  throw measured::usage_error("--kernel " + word + ": give blas or plain");
}

}  // namespace

options read_options(int argc, char** argv) {
  options o;
  bool sweep = false;
  measured::command_line line(
      "agenda_matmul",
      "Multiplies square matrices by an agenda: rank 0 has A and C, and hands out rows of A to\n"
      "ranks that ask for them; these have B, and send rows of C back. The time takes all that\n"
      "in, and is told beside that of one rank that has everything. Every product is checked.\n"
      "Options with N,... take several numbers; every combination is measured. Numbers may be\n"
      "typed as 1e3.\n",
      "Examples:\n"
      "  ramjet run -n 2 agenda_matmul\n"
      "  ramjet run -n 2 agenda_matmul --sweep              the best granularity and concurrency\n"
      "  ramjet run -n 4 agenda_matmul --size 256,512,1024 --ranks 1,2,3,4 --granularity 8,32 \\\n"
      "    --json > speedup.json && apps/agenda_matmul/plot.py speedup.json\n");
  line.numbers("--size", o.sizes, {.most = 16'384}, "rows and columns of the matrices");
  line.numbers("--granularity", o.granularities, {.most = 16'384},
               "rows that go out for a request");
  line.numbers("--concurrency", o.concurrencies, {.most = 1'000},
               "requests that each rank has outstanding: its threads, those of rank 0 too");
  line.flag("--sweep", sweep,
            "--granularity 1,2,4,8,16,32,64 --concurrency 1,2,4,8, where these are not given");
  line.word("--ranks", "N,...", "how many ranks work, the first ones; default: all of the job",
            [&](const std::string& word) {
              o.ranks = measured::checked_numbers("--ranks", word,
                                                  {.most = std::uint64_t(ramjet::size())});
            });
  line.word("--kernel", "blas|plain",
            std::string("what computes the rows; default ") + name_of(o.by),
            [&](const std::string& word) { o.by = kernel_named(word); });
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX}, "of the matrices");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  if (sweep && !line.is_given("--granularity")) o.granularities = kSweptGranularities;
  if (sweep && !line.is_given("--concurrency")) o.concurrencies = kSweptConcurrencies;
  if (o.ranks.empty()) o.ranks = {std::uint64_t(ramjet::size())};
  return o;
}

}  // namespace agenda_matmul
