// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../measured/limit_text.hpp"

namespace indexgather {
namespace {

// Of each rank.
double reads_per_s(const options& o, double seconds) {
  return static_cast<double>(o.reads) / seconds;
}

std::string json_of(const options& o, const result& r, int ranks) {
  const bool has_limit = r.limit_seconds != 0;
  const nlohmann::json none;
  const nlohmann::ordered_json object = {
      {"ranks", ranks},
      {"table", o.table},
      {"reads", o.reads},
      {"call", o.group == 0 ? "read" : "get"},
      {"group", o.group},
      {"seed", o.seed},
      {"repeats", o.repeats},
      {"reads_per_s", reads_per_s(o, r.seconds)},
      {"limit_reads_per_s", has_limit ? nlohmann::json(reads_per_s(o, r.limit_seconds)) : none},
      {"ratio_to_limit", has_limit ? nlohmann::json(r.limit_seconds / r.seconds) : none},
      {"wrong", r.wrong},
      {"checksum", fmt::format("{:016x}", r.checksum)},
  };
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  return fmt::format(
      "{} words over {} rank{}, {} reads by each, seed {}\n\n"
      "  {:<9}  {:7.2f} M reads/s by a rank\n"
      "{}\n"
      "Every word that was read is right, checksum {:016x}.\n",
      o.table, ranks, ranks == 1 ? "" : "s", o.reads, o.seed,
      o.group == 0 ? "read" : fmt::format("get by {}", o.group), reads_per_s(o, r.seconds) * 1e-6,
      measured::limit_text(o.reads, "reads", r.seconds, r.limit_seconds, "loads from"), r.checksum);
}

}  // namespace indexgather
