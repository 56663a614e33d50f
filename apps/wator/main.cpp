// SPDX-License-Identifier: Apache-2.0
// wator: fish and sharks, and reads that wait for a busy owner. See README.md.
#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"
#include "options.hpp"
#include "report.hpp"
#include "simulation.hpp"

int main(int argc, char** argv) {
  return measured::run({"wator", "--width or --height"}, argc, argv, [&] {
    const wator::options o = wator::read_options(argc, argv);
    measured::print_at_root(wator::report(o, wator::simulate(o), ramjet::size()));
  });
}
