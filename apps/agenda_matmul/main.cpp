// SPDX-License-Identifier: Apache-2.0
// agenda_matmul: a matrix product whose rows one rank hands out. See README.md.
#include <fmt/format.h>

#include <ramjet/ramjet.hpp>
#include <ramjet/ult.hpp>

#include "../measured/program.hpp"
#include "options.hpp"
#include "report.hpp"
#include "sweep.hpp"

namespace agenda_matmul {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;  // a library's kernel may want more than usual

void run(const options& o) {
  ramjet::ult::start({.stack_bytes = kStackBytes});
  const findings found = sweep(o);
  if (found.wrong_rows != 0)
    throw measured::failure(fmt::format("{} rows of the products are wrong", found.wrong_rows));
  measured::print_at_root(report(o, found, ramjet::size()));
}

}  // namespace
}  // namespace agenda_matmul

int main(int argc, char** argv) {
  return measured::run({"agenda_matmul", "--size"}, argc, argv,
                       [&] { agenda_matmul::run(agenda_matmul::read_options(argc, argv)); });
}
