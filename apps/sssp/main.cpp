// SPDX-License-Identifier: Apache-2.0
// sssp: shortest ways from a vertex over all ranks. See README.md.
#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"
#include "options.hpp"
#include "report.hpp"

namespace sssp {
namespace {

void run(const options& o) {
  graph::with_memory_for(o.graph, [&] {
    measured::print_at_root(report(o, measure(o), ramjet::size()));
  });
}

}  // namespace
}  // namespace sssp

int main(int argc, char** argv) {
  return measured::run({"sssp", "--scale or --edge-factor"}, argc, argv,
                       [&] { sssp::run(sssp::read_options(argc, argv)); });
}
