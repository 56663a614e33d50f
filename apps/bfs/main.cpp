// SPDX-License-Identifier: Apache-2.0
// bfs: breadth-first search of a graph over all ranks. See README.md.
#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"
#include "options.hpp"
#include "report.hpp"

namespace bfs {
namespace {

void run(const options& o) {
  graph::with_memory_for(o.graph, [&] {
    measured::print_at_root(report(o, measure(o), ramjet::size()));
  });
}

}  // namespace
}  // namespace bfs

int main(int argc, char** argv) {
  return measured::run({"bfs", "--scale or --edge-factor"}, argc, argv,
                       [&] { bfs::run(bfs::read_options(argc, argv)); });
}
