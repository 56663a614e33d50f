// SPDX-License-Identifier: Apache-2.0
// matmul: a matrix product that fetches while it computes. See README.md.
#include <vector>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"
#include "options.hpp"
#include "report.hpp"
#include "sweep.hpp"

namespace matmul {
namespace {

void run(const options& o) {
  const std::vector<row> rows = sweep(o);
  for (const row& r : rows) {
    if (r.wrong != 0)
      throw measured::failure(fmt::format(
          "with {} columns a rank, {} numbers of the product are wrong", r.of.columns, r.wrong));
  }
  measured::print_at_root(report(o, rows, ramjet::size()));
}

}  // namespace
}  // namespace matmul

int main(int argc, char** argv) {
  return measured::run({"matmul", "--n, --columns or --terms"}, argc, argv,
                       [&] { matmul::run(matmul::read_options(argc, argv)); });
}
