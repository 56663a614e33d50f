// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include <utility>

#include "../measured/table_report.hpp"

namespace indexgather {
namespace {

const char* call_of(const options& o) {
  return o.messages ? "message" : o.group != 0 ? "get" : "read";
}

measured::table_speed speed_of(const options& o, const result& r) {
  std::string call = call_of(o);
  if (o.group != 0) call += fmt::format(" by {}", o.group);
  return {"reads", std::move(call), o.reads, r.seconds, r.limit_seconds, "loads from"};
}

std::string json_of(const options& o, const result& r, int ranks) {
  console::json object = {
      {"ranks", ranks},       {"table", o.table},
      {"reads", o.reads},     {"call", call_of(o)},
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
