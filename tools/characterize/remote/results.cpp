// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/remote/results.hpp"

#include <algorithm>

namespace characterize {
namespace {

using console::json;

// Ways that are so close count as equally fast: the one of before stays.
constexpr double kAlike = 0.95;

json json_of(const std::vector<mechanism>& ways) {
  json all = json::object();
  for (const mechanism& m : ways) all[m.name] = as_json(m.transfers);
  return all;
}

std::vector<mechanism> ways_of(const json& all) {
  std::vector<mechanism> ways;
  for (const auto& [name, points] : all.members()) ways.push_back({name, curve_of(points)});
  return ways;
}

bool has(const mechanism& way, std::size_t i) { return i < way.transfers.size(); }

std::size_t fastest_at(const std::vector<mechanism>& ways, std::size_t i) {
  std::size_t best = ways.size();
  for (std::size_t w = 0; w < ways.size(); ++w)
    if (has(ways[w], i) &&
        (best == ways.size() || ways[w].transfers[i].ns < ways[best].transfers[i].ns))
      best = w;
  return best;
}

// At this size the second way takes clearly less time than the first.
bool is_faster(const mechanism& first, const mechanism& second, std::size_t i) {
  if (!has(second, i)) return false;
  return !has(first, i) || second.transfers[i].ns < kAlike * first.transfers[i].ns;
}

}  // namespace

json as_json(const curve& c) {
  json points = json::array();
  for (const point& p : c) {
    json pair = json::array();
    pair.push_back(p.x);
    pair.push_back(p.ns);
    points.push_back(pair);
  }
  return points;
}

curve curve_of(const json& points) {
  curve c;
  for (const json& pair : points.elements()) {
    if (pair.elements().size() != 2) throw json::wrong_kind("a point has two numbers");
    c.push_back({pair.elements()[0].as_double(), pair.elements()[1].as_double()});
  }
  return c;
}

double message_costs::latency_ns() const {
  return std::max(0.0, round_trip_ns / 2 - send_ns - receive_ns);
}

json as_json(const message_costs& m) {
  return {{"round_trip_ns", m.round_trip_ns},
          {"send_overhead_ns", m.send_ns},
          {"receive_overhead_ns", m.receive_ns},
          {"gap_ns", m.gap_ns},
          {"byte_ns", m.byte_ns},
          {"latency_ns", m.latency_ns()}};
}

message_costs message_costs_of(const json& j) {
  return {.round_trip_ns = j.at("round_trip_ns").as_double(),
          .send_ns = j.at("send_overhead_ns").as_double(),
          .receive_ns = j.at("receive_overhead_ns").as_double(),
          .gap_ns = j.at("gap_ns").as_double(),
          .byte_ns = j.at("byte_ns").as_double()};
}

json as_json(const message_results& r) {
  json j = as_json(r.costs);
  j["drift"] = r.drift;
  return j;
}

json as_json(const remote_results& r) {
  json j = {{"drift", r.drift},
            {"reads_by_stride", as_json(r.reads)},
            {"writes_by_stride", as_json(r.writes)},
            {"gets_by_group", as_json(r.gets)},
            {"puts_by_group", as_json(r.puts)},
            {"puts_by_stride", as_json(r.puts_by_stride)},
            {"put_ns", r.put_ns},
            {"fetch_add_ns", r.fetch_add_ns},
            {"barrier_ns", r.barrier_ns}};
  j.update(as_json(r.messages));
  j["bulk_reads"] = json_of(r.bulk_reads);
  j["bulk_writes"] = json_of(r.bulk_writes);
  return j;
}

remote_results remote_results_of(const json& j) {
  remote_results r;
  r.drift = j.at("drift").as_double();
  r.reads = curve_of(j.at("reads_by_stride"));
  r.writes = curve_of(j.at("writes_by_stride"));
  r.gets = curve_of(j.at("gets_by_group"));
  r.puts = curve_of(j.at("puts_by_group"));
  r.puts_by_stride = curve_of(j.at("puts_by_stride"));
  r.put_ns = j.at("put_ns").as_double();
  r.fetch_add_ns = j.at("fetch_add_ns").as_double();
  r.barrier_ns = j.at("barrier_ns").as_double();
  r.messages = message_costs_of(j);
  r.bulk_reads = ways_of(j.at("bulk_reads"));
  r.bulk_writes = ways_of(j.at("bulk_writes"));
  return r;
}

std::vector<choice> fastest_by_size(const std::vector<mechanism>& ways) {
  std::vector<choice> choices;
  std::vector<double> sizes;
  for (const mechanism& way : ways)
    if (way.transfers.size() > sizes.size()) {
      sizes.clear();
      for (const point& p : way.transfers) sizes.push_back(p.x);
    }
  const mechanism* current = nullptr;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const mechanism& best = ways[fastest_at(ways, i)];
    const bool lasts =
        current != nullptr && i + 1 < sizes.size() && is_faster(*current, best, i + 1);
    const bool has_ended = current != nullptr && !has(*current, i);
    if (current != nullptr && !has_ended && !(is_faster(*current, best, i) && lasts)) continue;
    current = &best;
    choices.push_back({sizes[i], best.name});
  }
  return choices;
}

}  // namespace characterize
