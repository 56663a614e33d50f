// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "tools/cli/json.hpp"

namespace matmul {
namespace {

std::string json_of(const options& o, const std::vector<row>& rows, int ranks) {
  console::json list = console::json::array();
  for (const row& r : rows) {
    list.push_back({{"columns", r.of.columns},
                    {"terms", r.of.terms},
                    {"seconds", r.seconds},
                    {"gflops", r.gflops()},
                    {"multiply_add_ns", r.multiply_add_ns},
                    {"get_ns", r.get_ns},
                    {"utilisation", r.utilisation()},
                    {"utilisation_by_model", r.utilisation_by_model()},
                    {"get_share", r.get_share()},
                    {"get_share_by_model", r.get_share_by_model()},
                    {"checksum", fmt::format("{:016x}", r.checksum)}});
  }
  const console::json object = {
      {"ranks", ranks},       {"n", o.n},     {"terms", o.terms}, {"seed", o.seed},
      {"repeats", o.repeats}, {"rows", list},
  };
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const std::vector<row>& rows, int ranks) {
  if (o.json) return json_of(o, rows, ranks);
  std::string text = fmt::format(
      "C = A B on {} rank{}, {} rows, seed {}\n\n"
      "  columns  columns  GFLOP/s   ns per     ns of   utilisation, %\n"
      "   a rank     of A   a rank  mul-add     a get  measured   model\n",
      ranks, ranks == 1 ? "" : "s", o.n, o.seed);
  for (const row& r : rows)
    text += fmt::format("{:9}{:9}{:9.2f}{:9.3f}{:10.1f}{:10.1f}{:8.1f}\n", r.of.columns, r.of.terms,
                        r.gflops(), r.multiply_add_ns, r.get_ns, 100 * r.utilisation(),
                        100 * r.utilisation_by_model());
  return text + "\nEvery number of every product is right.\n";
}

}  // namespace matmul
