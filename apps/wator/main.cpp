// SPDX-License-Identifier: Apache-2.0
// wator: fish and sharks, and reads that wait for a busy owner. See README.md.
#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/memory.hpp"
#include "../measured/program.hpp"
#include "cell.hpp"
#include "options.hpp"
#include "report.hpp"
#include "simulation.hpp"

namespace wator {
namespace {

void run(const options& o) {
  // A rank holds its cells three times: two buffers in the segment, and a copy with the halo.
  const double cells = static_cast<double>(o.sea.width * o.sea.height);
  measured::check_memory(3 * sizeof(cell) * cells / ramjet::size(),
                         fmt::format("{} x {} cells", o.sea.width, o.sea.height),
                         "--width or --height");
  measured::print_at_root(report(o, simulate(o), ramjet::size()));
}

}  // namespace
}  // namespace wator

int main(int argc, char** argv) {
  return measured::run({"wator", "--width or --height"}, argc, argv,
                       [&] { wator::run(wator::read_options(argc, argv)); });
}
