// SPDX-License-Identifier: Apache-2.0
#include "model_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/cli/printable.hpp"
#include "tools/model/fit.hpp"
#include "tools/pages/document.hpp"

namespace tools {

using console::json;
using loggp::message_costs;

namespace {

double waiting_share(const prediction& p) {
  const loggp::outcome& o = p.simulated;
  return std::max(0.0, 1 - o.share(o.compute_ns, p.ranks) - o.share(o.overhead_ns, p.ranks) -
                           o.share(o.turns_ns, p.ranks));
}

// With at least so many significant digits; a large number is an integer without an exponent.
std::string with_digits(double value, int digits) {
  return std::abs(value) >= std::pow(10, digits - 1) ? pages::number(std::round(value))
                                                     : fmt::format("{:.{}g}", value, digits);
}

std::string costs_text(const char* which, const message_costs& c) {
  return fmt::format("  {:5} L {}, o_s {}, o_r {}, g {} ns; G {} ns a byte\n", which,
                     with_digits(c.latency_ns, 4), with_digits(c.send_ns, 4),
                     with_digits(c.receive_ns, 4), with_digits(c.gap_ns, 4),
                     with_digits(c.byte_ns, 4));
}

std::string parameters_text(const model_result& r) {
  std::string text;
  for (const loggp::parameter& p : r.parameters)
    text += fmt::format("  {:12} {}{}{}\n", p.name, with_digits(p.value, 6),
                        p.is_fitted ? " ns (fitted)" : "", p.about.empty() ? "" : ": " + p.about);
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string row_text(const prediction& p) {
  const loggp::outcome& o = p.simulated;
  const std::string first = p.name.empty() ? fmt::format("{}", p.ranks) : p.name;
  std::string text =
      fmt::format("{:>10} {:>10} {:>9} {:>9} {:>9} {:>9}", first, pages::duration(o.time_ns),
                  percent(o.share(o.compute_ns, p.ranks)), percent(o.share(o.overhead_ns, p.ranks)),
                  percent(o.share(o.turns_ns, p.ranks)), percent(waiting_share(p)));
  if (p.measured_ns)
    text += fmt::format(" {:>10} {:>+8.1f} %{}", pages::duration(*p.measured_ns),
                        100 * loggp::error_of(o.time_ns, *p.measured_ns),
                        p.is_fitted ? "  fitted" : "");
  return text + "\n";
}

json points_json(const loggp::points& all) {
  json list = json::array();
  for (const auto& [x, y] : all) list.push_back({x, y});
  return list;
}

json costs_json(const message_costs& c) {
  return {{"latency_ns", c.latency_ns},
          {"send_overhead_ns", c.send_ns},
          {"receive_overhead_ns", c.receive_ns},
          {"gap_ns", c.gap_ns},
          {"byte_ns", c.byte_ns}};
}

json row_json(const prediction& p) {
  const loggp::outcome& o = p.simulated;
  json row = json::object();
  row["ranks"] = p.ranks;
  if (!p.name.empty()) row["name"] = p.name;
  row["seconds"] = o.time_ns / 1e9;
  row["compute"] = o.share(o.compute_ns, p.ranks);
  row["overhead"] = o.share(o.overhead_ns, p.ranks);
  row["turns"] = o.share(o.turns_ns, p.ranks);
  row["waiting"] = waiting_share(p);
  row["messages"] = o.messages;
  row["bytes"] = o.bytes;
  if (p.measured_ns) {
    row["measured_seconds"] = *p.measured_ns / 1e9;
    row["error"] = loggp::error_of(o.time_ns, *p.measured_ns);
    row["fitted"] = p.is_fitted;
  }
  return row;
}

}  // namespace

std::string text_of(const model_result& r) {
  std::string text = console::printable(r.name + (r.about.empty() ? "" : ": " + r.about)) + "\n";
  text += costs_text("near", r.machine.near) + costs_text("far", r.machine.far);
  text += r.machine.ranks_per_node == 0
              ? "  all ranks on one node"
              : fmt::format("  {} ranks on a node", r.machine.ranks_per_node);
  text +=
      r.machine.cores == 0 ? ", a core for each\n" : fmt::format(", {} cores\n", r.machine.cores);
  text += parameters_text(r);
  const bool has_measured = std::any_of(r.rows.begin(), r.rows.end(),
                                        [](const prediction& p) { return !!p.measured_ns; });
  const bool is_trace = !r.rows.empty() && !r.rows.front().name.empty();
  text += fmt::format("\n{:>10} {:>10} {:>9} {:>9} {:>9} {:>9}", is_trace ? "machine" : "ranks",
                      "time", "compute", "overhead", "turns", "waiting");
  text += has_measured ? fmt::format(" {:>10} {:>10}\n", "measured", "error") : "\n";
  for (const prediction& p : r.rows) text += row_text(p);
  for (const std::string& note : r.notes) text += "\n" + note + "\n";
  return text;
}

json json_of(const model_result& r) {
  json parameters = json::object(), fitted = json::array(), rows = json::array(),
       notes = json::array(r.notes);
  for (const loggp::parameter& p : r.parameters) {
    parameters[p.name] = p.value;
    if (p.is_fitted) fitted.push_back(p.name);
  }
  for (const prediction& p : r.rows) rows.push_back(row_json(p));
  json machine = json::object();
  machine["near"] = costs_json(r.machine.near);
  machine["far"] = costs_json(r.machine.far);
  machine["cores"] = r.machine.cores;
  machine["ranks_per_node"] = r.machine.ranks_per_node;
  machine["turns"] = points_json(r.machine.turns);
  machine["bytes"] = points_json(r.machine.bytes);
  machine["gathers"] = points_json(r.machine.gathers);
  machine["first_touch_ns"] = r.machine.first_touch_ns;
  json j = json::object();
  j["version"] = 1;
  j["model"] = r.name;
  j["about"] = r.about;
  j["costs"] = std::move(machine);
  j["parameters"] = std::move(parameters);
  j["fitted"] = std::move(fitted);
  j["predictions"] = std::move(rows);
  j["notes"] = std::move(notes);
  return j;
}

}  // namespace tools
