// SPDX-License-Identifier: Apache-2.0
// histogram: atomic updates at random places of the memory of all ranks. See README.md.
#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/memory.hpp"
#include "../measured/program.hpp"
#include "options.hpp"
#include "report.hpp"
#include "updating.hpp"

namespace histogram {
namespace {

void run(const options& o) {
  measured::check_memory(8 * static_cast<double>(o.table) / ramjet::size(),
                         fmt::format("{} counters", o.table), "--table");
  const result r = measure(o);
  const std::uint64_t due = r.rounds * o.updates * static_cast<std::uint64_t>(ramjet::size());
  if (r.wrong != 0 || r.sum != due)
    throw measured::failure(fmt::format(
        "{} counters are wrong, and they sum up to {} instead of {}", r.wrong, r.sum, due));
  measured::print_at_root(report(o, r, ramjet::size()));
}

}  // namespace
}  // namespace histogram

int main(int argc, char** argv) {
  return measured::run({"histogram", "--table or --updates"}, argc, argv,
                       [&] { histogram::run(histogram::read_options(argc, argv)); });
}
