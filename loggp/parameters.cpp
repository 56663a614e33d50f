// SPDX-License-Identifier: Apache-2.0
#include "loggp/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "console/command_line.hpp"

namespace loggp {
namespace {

using console::json;

constexpr double kCostMax = 1e15;  // ns: eleven days
constexpr double kCoresMax = 1 << 20;

constexpr std::pair<const char*, double message_costs::*> kMembers[] = {
    {"L", &message_costs::latency_ns},  {"o", &message_costs::send_ns},
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

// In a barrier each rank of the node has one turn of a core.
std::vector<std::pair<double, double>> turns_of(const std::string& name, const json& crowd,
                                                double cores) {
  std::vector<std::pair<double, double>> turns;
  for (const json& each : crowd["barriers"].elements()) {
    const std::vector<json>& pair = each.elements();
    const bool is_good = pair.size() == 2 && pair[0].is_number() && pair[1].is_number();
    if (!is_good || pair[0].as_double() < 1 || !is_cost(pair[1].as_double()) ||
        (!turns.empty() && pair[0].as_double() <= turns.back().first))
      throw input_error(name + ": its barriers are not a list of ascending [ranks, ns]");
    const double ranks = pair[0].as_double();
    if (ranks > cores && pair[1].as_double() > 0)
      turns.emplace_back(ranks, pair[1].as_double() * cores / ranks);
  }
  return turns;
}

}  // namespace

unsigned machine::on_node(unsigned ranks) const {
  return ranks_per_node == 0 ? ranks : std::min(ranks, ranks_per_node);
}

double machine::turn_ns(unsigned ranks) const {
  if (!is_crowded(ranks) || turns.empty()) return 0;
  const double x = on_node(ranks);
  const auto after = std::lower_bound(turns.begin(), turns.end(), x,
                                      [](const auto& t, double at) { return t.first < at; });
  if (after == turns.begin()) return after->second;
  if (after == turns.end()) return turns.back().second;
  const auto& [x0, y0] = *(after - 1);
  const auto& [x1, y1] = *after;
  return std::exp(std::log(y0) + std::log(y1 / y0) * std::log(x / x0) / std::log(x1 / x0));
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
    if (file["crowd"].is_object()) into.turns = turns_of(name, file["crowd"], cores.as_double());
  }
}

void read_assignments(const std::string& text, machine& into) {
  for_each_assignment(text, [](double& cost, double value) { cost = value; }, into);
}

void scale(const std::string& text, machine& into) {
  for_each_assignment(text, [](double& cost, double value) { cost *= value; }, into);
}

}  // namespace loggp
