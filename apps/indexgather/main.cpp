// SPDX-License-Identifier: Apache-2.0
// indexgather: reads at random places of the memory of all ranks. See README.md.
#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/memory.hpp"
#include "../measured/program.hpp"
#include "gathering.hpp"
#include "options.hpp"
#include "report.hpp"

namespace indexgather {
namespace {

void run(const options& o) {
  // Of the table a word, of a read its result.
  measured::check_memory(
      8 * (static_cast<double>(o.table) / ramjet::size() + static_cast<double>(o.reads)),
      fmt::format("{} words and {} reads a rank", o.table, o.reads), "--table or --reads");
  const result r = measure(o);
  if (r.wrong != 0) throw measured::failure(fmt::format("{} words came wrong", r.wrong));
  measured::print_at_root(report(o, r, ramjet::size()));
}

}  // namespace
}  // namespace indexgather

int main(int argc, char** argv) {
  return measured::run({"indexgather", "--table or --reads"}, argc, argv,
                       [&] { indexgather::run(indexgather::read_options(argc, argv)); });
}
