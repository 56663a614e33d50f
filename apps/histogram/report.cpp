// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../measured/limit_text.hpp"

namespace histogram {
namespace {

// Of each rank.
double updates_per_s(const options& o, double seconds) {
  return static_cast<double>(o.updates) / seconds;
}

const char* call_of(const options& o) { return o.fetch ? "fetch_add" : "add"; }

std::string json_of(const options& o, const result& r, int ranks) {
  const bool has_limit = r.limit_seconds != 0;
  const nlohmann::json none;
  const nlohmann::ordered_json object = {
      {"ranks", ranks},
      {"table", o.table},
      {"updates", o.updates},
      {"call", call_of(o)},
      {"seed", o.seed},
      {"repeats", o.repeats},
      {"updates_per_s", updates_per_s(o, r.seconds)},
      {"limit_updates_per_s", has_limit ? nlohmann::json(updates_per_s(o, r.limit_seconds)) : none},
      {"ratio_to_limit", has_limit ? nlohmann::json(r.limit_seconds / r.seconds) : none},
      {"rounds", r.rounds},
      {"sum", r.sum},
      {"wrong", r.wrong},
      {"checksum", fmt::format("{:016x}", r.checksum)},
  };
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  return fmt::format(
      "{} counters over {} rank{}, {} updates by each, seed {}\n\n"
      "  {:<9}  {:7.2f} M updates/s by a rank\n"
      "{}\n"
      "Every counter is right: they sum up to {}, checksum {:016x}.\n",
      o.table, ranks, ranks == 1 ? "" : "s", o.updates, o.seed, call_of(o),
      updates_per_s(o, r.seconds) * 1e-6,
      measured::limit_text(o.updates, "updates", r.seconds, r.limit_seconds, "locked additions at"),
      r.sum, r.checksum);
}

}  // namespace histogram
