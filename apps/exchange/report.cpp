// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "tools/cli/json.hpp"

namespace exchange {
namespace {

double rate(const options& o, double seconds) { return static_cast<double>(o.keys) / seconds; }

std::string json_of(const options& o, const result& r, int ranks) {
  using console::json;
  json ways = json::array();
  for (std::size_t k = 0; k < o.ways.size(); ++k)
    ways.push_back({{"way", name_of(o.ways[k])},
                    {"seconds", r.seconds[k]},
                    {"keys_per_s", rate(o, r.seconds[k])}});
  const json object = {
      {"ranks", ranks},
      {"keys", o.keys},
      {"seed", o.seed},
      {"repeats", o.repeats},
      {"ways", ways},
      {"count", r.keys.count},
      {"checksum", fmt::format("{:016x}", r.keys.scrambled_sum)},
  };
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  std::string text = fmt::format("{} keys of 64 bits from each of {} rank{}, seed {}\n\n", o.keys,
                                 ranks, ranks == 1 ? "" : "s", o.seed);
  for (std::size_t k = 0; k < o.ways.size(); ++k)
    text += fmt::format("  {:<10}  {:9.2f} ms  {:8.2f} M keys/s by a rank\n", name_of(o.ways[k]),
                        r.seconds[k] * 1e3, rate(o, r.seconds[k]) * 1e-6);
  return text +
         fmt::format("\nEvery rank has the keys that it owns: {} in all, checksum {:016x}.\n",
                     r.keys.count, r.keys.scrambled_sum);
}

}  // namespace exchange
