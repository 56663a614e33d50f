// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "../measured/table_report.hpp"

namespace histogram {
namespace {

measured::table_speed speed_of(const options& o, const result& r) {
  const char* call = o.messages ? "message" : o.fetch ? "fetch_add" : "add";
  return {"updates", call, o.updates, r.seconds, r.limit_seconds, "locked additions at"};
}

std::string json_of(const options& o, const result& r, int ranks) {
  const measured::table_speed speed = speed_of(o, r);
  console::json object = {
      {"ranks", ranks},     {"table", o.table}, {"updates", o.updates},
      {"call", speed.call}, {"seed", o.seed},   {"repeats", o.repeats},
  };
  measured::add_speed(object, speed);
  object.update({{"rounds", r.rounds},
                 {"sum", r.sum},
                 {"wrong", r.wrong},
                 {"checksum", fmt::format("{:016x}", r.checksum)}});
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  return fmt::format(
      "{} counters over {} rank{}, {} updates by each, seed {}\n\n{}\n"
      "Every counter is right: they sum up to {}, checksum {:016x}.\n",
      o.table, ranks, ranks == 1 ? "" : "s", o.updates, o.seed,
      measured::speed_text(speed_of(o, r)), r.sum, r.checksum);
}

}  // namespace histogram
