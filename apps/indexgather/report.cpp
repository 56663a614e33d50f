// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "../measured/table_report.hpp"

namespace indexgather {
namespace {

measured::table_speed speed_of(const options& o, const result& r) {
  return {"reads",         o.group == 0 ? "read" : fmt::format("get by {}", o.group),
          o.reads,         r.seconds,
          r.limit_seconds, "loads from"};
}

std::string json_of(const options& o, const result& r, int ranks) {
  console::json object = {
      {"ranks", ranks},       {"table", o.table},
      {"reads", o.reads},     {"call", o.group == 0 ? "read" : "get"},
      {"group", o.group},     {"seed", o.seed},
      {"repeats", o.repeats},
  };
  measured::add_speed(object, speed_of(o, r));
  object.update({{"wrong", r.wrong}, {"checksum", fmt::format("{:016x}", r.checksum)}});
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  return fmt::format(
      "{} words over {} rank{}, {} reads by each, seed {}\n\n{}\n"
      "Every word that was read is right, checksum {:016x}.\n",
      o.table, ranks, ranks == 1 ? "" : "s", o.reads, o.seed, measured::speed_text(speed_of(o, r)),
      r.checksum);
}

}  // namespace indexgather
