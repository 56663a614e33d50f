// SPDX-License-Identifier: Apache-2.0
#include "tools/model/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "tools/cli/command_line.hpp"

namespace loggp {
namespace {

using console::json;

constexpr double kCostMax = 1e15;  // ns: eleven days
constexpr double kCoresMax = 1 << 20;
constexpr double kShortest = 1e-9;  // ns: what takes less has not been measured
constexpr double kXMax = 1e18;      // of a curve: ranks, or bytes

constexpr std::pair<const char*, double message_costs::*> kMembers[] = {
    {"L", &message_costs::latency_ns},   {"o", &message_costs::send_ns},
    {"o", &message_costs::receive_ns},   {"o_s", &message_costs::send_ns},
    {"o_r", &message_costs::receive_ns}, {"g", &message_costs::gap_ns},
    {"G", &message_costs::byte_ns}};

bool is_cost(double value) { return value >= 0 && value <= kCostMax; }

// Calls change(cost, value) for each cost that each NAME=VALUE names.
void for_each_assignment(const std::string& text,
                         const std::function<void(double&, double)>& change, machine& m) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string one = text.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = one.find('=');
    double value = 0;
    if (equals == std::string::npos || !console::read_number(one.substr(equals + 1), value) ||
        !is_cost(value))
      throw assignment_error(fmt::format("{}: give NAME=VALUE, the value from 0 on", one));
    std::string name = one.substr(0, equals);
    const bool near_only = name.starts_with("near."), far_only = name.starts_with("far.");
    if (near_only || far_only) name.erase(0, name.find('.') + 1);
    bool is_known = false;
    for (const auto& [known, member] : kMembers) {
      if (name != known) continue;
      is_known = true;
      if (!far_only) change(m.near.*member, value);
      if (!near_only) change(m.far.*member, value);
    }
    if (!is_known)
      throw assignment_error(
          fmt::format("{}: it is L, o, o_s, o_r, g or G, or as near.L and far.L", one));
  }
}

double cost_of(const std::string& name, const json& part, const char* key) {
  const json& value = part[key];
  if (!value.is_number() || !is_cost(value.as_double()))
    throw input_error(fmt::format("{}: its {} is not a time", name, key));
  return value.as_double();
}

std::optional<message_costs> costs_of(const std::string& name, const json& part) {
  if (!part.is_object()) return std::nullopt;
  return message_costs{.latency_ns = cost_of(name, part, "latency_ns"),
                       .send_ns = cost_of(name, part, "send_overhead_ns"),
                       .receive_ns = cost_of(name, part, "receive_overhead_ns"),
                       .gap_ns = cost_of(name, part, "gap_ns"),
                       .byte_ns = cost_of(name, part, "byte_ns")};
}

// part[key], if it is there: a list of ascending [x, ns], x from 1 on, of which those that took any
// time are kept.
points points_of(const std::string& name, const json& part, const char* key) {
  points found;
  if (!part.is_object() || !part.contains(key)) return found;
  const auto check = [&](bool is_good) {
    if (!is_good)
      throw input_error(
          fmt::format("{}: its {} are not a list of ascending [number, ns]", name, key));
  };
  check(part[key].is_array());
  double last = 0;
  for (const json& each : part[key].elements()) {
    const std::vector<json>& pair = each.elements();
    check(pair.size() == 2 && pair[0].is_number() && pair[1].is_number());
    const double x = pair[0].as_double(), ns = pair[1].as_double();
    check(x >= 1 && x <= kXMax && x > last && is_cost(ns));
    last = x;
    if (ns >= kShortest) found.emplace_back(x, ns);
  }
  return found;
}

// In a barrier each rank of the node has one turn of a core.
points turns_of(const points& barriers, double cores) {
  points turns;
  for (const auto& [ranks, ns] : barriers)
    if (ranks > cores) turns.emplace_back(ranks, ns * cores / ranks);
  return turns;
}

points multiples_of(double byte_ns, points bytes) {
  if (byte_ns < kShortest) return {};
  for (auto& [ranks, ns] : bytes) ns /= byte_ns;
  return bytes;
}

// Of points that there are.
double on_line(const points& all, double x) {
  const auto after = std::lower_bound(all.begin(), all.end(), x,
                                      [](const auto& p, double at) { return p.first < at; });
  if (after == all.begin()) return after->second;
  if (after == all.end()) return all.back().second;
  const auto& [x0, y0] = *(after - 1);
  const auto& [x1, y1] = *after;
  return std::exp(std::log(y0) + std::log(y1 / y0) * std::log(x / x0) / std::log(x1 / x0));
}

}  // namespace

unsigned machine::on_node(unsigned ranks) const {
  return ranks_per_node == 0 ? ranks : std::min(ranks, ranks_per_node);
}

double machine::turn_ns(unsigned ranks) const {
  return is_crowded(ranks) && !turns.empty() ? on_line(turns, on_node(ranks)) : 0;
}

double machine::near_byte_ns(double ranks) const {
  return bytes.empty() ? near.byte_ns : near.byte_ns * on_line(bytes, ranks);
}

// No number for a size that is none: who asked is told so.
double machine::gather_ns(double size) const {
  if (!(size >= 0)) return std::nan("");
  return gathers.empty() ? 0 : on_line(gathers, size);
}

double machine::touch_ns(double size) const {
  return size >= 0 ? std::ceil(size / 4096) * first_touch_ns : std::nan("");
}

void read_characterization(const std::string& name, const json& file, machine& into) {
  const json& version = file["version"];
  if (!file.is_object() || !file["machine"].is_object() || !version.is_number())
    throw input_error(name + ": is not what ramjet characterize --json prints");
  if (version.as_double() > 1)
    throw input_error(fmt::format("{}: is of version {}, of a newer ramjet: this one reads 1", name,
                                  version.as_double()));
  const std::optional<message_costs> near = costs_of(name, file["near"]),
                                     far = costs_of(name, file["far"]);
  if (!near && !far)
    throw input_error(name + ": says nothing of messages: ramjet characterize near far crowd does");
  into.near = near ? *near : *far;
  into.far = far ? *far : *near;
  const json& cores = file["machine"]["usable_cores"];
  if (cores.is_number()) {
    if (!(cores.as_double() >= 1) || cores.as_double() > kCoresMax)
      throw input_error(name + ": its usable_cores are not a number of cores");
    into.cores = unsigned(cores.as_double());
    into.turns = turns_of(points_of(name, file["crowd"], "barriers"), cores.as_double());
  }
  into.bytes = multiples_of(into.near.byte_ns, points_of(name, file["crowd"], "bytes"));
  into.gathers = points_of(name, file["memory"], "gathers_by_size");
  if (file["memory"].is_object() && file["memory"].contains("first_touch_ns"))
    into.first_touch_ns = cost_of(name, file["memory"], "first_touch_ns");
}

void read_assignments(const std::string& text, machine& into) {
  for_each_assignment(text, [](double& cost, double value) { cost = value; }, into);
}

void scale(const std::string& text, machine& into) {
  for_each_assignment(text, [](double& cost, double value) { cost *= value; }, into);
}

}  // namespace loggp
