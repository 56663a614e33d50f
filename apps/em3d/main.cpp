// SPDX-License-Identifier: Apache-2.0
// em3d: EM3D in the six versions of Arpaci et al. 1995, section 8. See README.md.
//
// The same program runs in every rank. kRoot compares every run with a serial one, and reports; all
// ranks learn whether the fields are right, and end with the same status.
#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"
#include "../measured/memory.hpp"
#include "../measured/program.hpp"
#include "measure.hpp"
#include "options.hpp"
#include "report.hpp"

namespace em3d {
namespace {

void run(options o) {
  if (ramjet::size() == 1) o.remote_percents = {0};
  // Of an edge: its weight, and where it comes from.
  measured::check_memory(16 * static_cast<double>(o.nodes * o.degree),
                         fmt::format("{} edges a rank", o.nodes * o.degree), "--nodes or --degree");
  const measurement m = measure(o);
  const bool wrong = measured::sum_over_ranks(m.wrong ? 1 : 0) != 0;
  measured::print_at_root(report(o, ramjet::size(), m));
  if (wrong) throw measured::failure("wrong field: " + m.wrong.value_or("as rank 0 says"));
}

}  // namespace
}  // namespace em3d

int main(int argc, char** argv) {
  return measured::run({"em3d", "--nodes or --degree"}, argc, argv,
                       [&] { em3d::run(em3d::read_options(argc, argv)); });
}
