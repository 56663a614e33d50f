// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/report/placed.hpp"

#include <fmt/format.h>

#include "tools/characterize/drift.hpp"
#include "tools/characterize/report/quantities.hpp"
#include "tools/characterize/report/sentences.hpp"

namespace characterize {
namespace {

using console::json;

std::string processors_text(const std::vector<int>& processors) {
  return processors.empty() ? "-" : fmt::format("{}", fmt::join(processors, ", "));
}

std::string pair_line(const placed_costs& row) {
  const message_costs& m = row.messages.costs;
  return fmt::format("  {:<22}{:>10} {:>14} {:>8} {:>8} {:>8} {:>8} {:>8.3f}\n", row.where,
                     processors_text(row.processors), ns_text(m.round_trip_ns), ns_text(m.send_ns),
                     ns_text(m.receive_ns), ns_text(m.latency_ns()), ns_text(m.gap_ns), m.byte_ns);
}

}  // namespace

std::string text_of(const std::vector<placed_costs>& rows) {
  std::string text = fmt::format(
      "Messages by where the two ranks are\n"
      "  {:<22}{:>10} {:>14} {:>8} {:>8} {:>8} {:>8} {:>8}\n",
      "", "processors", "there and back", "o_s", "o_r", "L", "g", "G, ns");
  for (const placed_costs& row : rows) text += pair_line(row);
  for (const placed_costs& row : rows)
    if (row.messages.drift > kRankDrift)
      text += fmt::format("  {}: the machine's pace changed by {:.0f} % meanwhile\n", row.where,
                          (row.messages.drift - 1) * 100);
  return text;
}

json as_json(const std::vector<placed_costs>& rows) {
  json all = json::array();
  for (const placed_costs& row : rows) {
    json each = {{"where", row.where}};
    json processors = json::array();
    for (const int p : row.processors) processors.push_back(p);
    each["processors"] = processors;
    each.update(as_json(row.messages));
    each["steady"] = row.messages.drift <= kRankDrift;
    all.push_back(each);
  }
  return all;
}

std::string text_of(const idle_network& n) {
  const std::string text = fmt::format(
      "Two ranks of this machine while a network is open but idle\n"
      "  A message takes {} there and back, {} without the network; a row of them has g {}, {} "
      "without; a poll that finds nothing takes {}, {} without.\n",
      ns_text(n.with.round_trip_ns), ns_text(n.without.round_trip_ns), ns_text(n.with.gap_ns),
      ns_text(n.without.gap_ns), ns_text(n.with.poll_ns), ns_text(n.without.poll_ns));
  return text + drift_text(n.drift, kRankDrift);
}

json as_json(const idle_network& n) {
  return {{"with", as_json(n.with)},
          {"without", as_json(n.without)},
          {"drift", n.drift},
          {"steady", n.drift <= kRankDrift}};
}

}  // namespace characterize
