// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace traces {

namespace {

using console::json;

constexpr std::size_t kRowsMax = 12;
constexpr unsigned kMatrixRanksMax = 16;

std::string time_text(std::uint64_t ns) {
  if (ns < 10'000) return fmt::format("{} ns", ns);
  if (ns < 10'000'000) return fmt::format("{:.1f} us", double(ns) * 1e-3);
  if (ns < 10'000'000'000) return fmt::format("{:.1f} ms", double(ns) * 1e-6);
  return fmt::format("{:.1f} s", double(ns) * 1e-9);
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 10'000) return fmt::format("{} B", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} kB", double(bytes) * 1e-3);
  if (bytes < 10'000'000'000) return fmt::format("{:.1f} MB", double(bytes) * 1e-6);
  return fmt::format("{:.1f} GB", double(bytes) * 1e-9);
}

std::string cut(std::string name) {
  constexpr std::size_t kWidth = 36;
  if (name.size() <= kWidth) return name;
  std::size_t end = kWidth - 3;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  return name.substr(0, end) + "...";
}

// Of rows that are too many: how many there are below.
template <class Row>
std::string rest_of(const std::vector<Row>& rows) {
  if (rows.size() <= kRowsMax) return {};
  return fmt::format("  and {} more\n", rows.size() - kRowsMax);
}

template <class Row>
std::size_t shown(const std::vector<Row>& rows) {
  return std::min(rows.size(), kRowsMax);
}

std::string head_text(const std::string& path, const job_trace& job, const trace_analysis& a) {
  std::string text =
      fmt::format("{}: {} on {} rank{}", path, job.program, job.ranks, job.ranks == 1 ? "" : "s");
  if (job.nodes > 1) text += fmt::format(" of {} nodes", job.nodes);
  text += fmt::format(", {}\n", time_text(a.duration_ns));
  text += fmt::format("  {} messages sent, {} handled, {} far accesses, {} switches of threads\n",
                      a.sends, a.handled, a.accesses, a.switches);
  if (job.sample > 1) text += fmt::format("  of messages only one of {} is told\n", job.sample);
  if (job.clock_error_ns != 0)
    text +=
        fmt::format("  clocks of different ranks agree within {}\n", time_text(job.clock_error_ns));
  if (const std::string hint = near_accesses_hint(a); !hint.empty())
    text += "  the file does not say who ended " + hint + "\n";
  if (job.is_cut) text += "  the file is cut: what follows is of its beginning\n";
  if (job.is_partial) text += "  the file has more events than fit here: the first ones count\n";
  if (job.lost() != 0) {
    text += fmt::format("  {} events are lost: they were overwritten, or over --trace-limit\n",
                        job.lost());
  }
  return text;
}

std::string handlers_text(const trace_analysis& a) {
  if (a.handlers.empty()) return {};
  std::string text = fmt::format("\n{:<36} {:>10} {:>9} {:>10} {:>10} {:>10}\n", "handlers",
                                 "messages", "bytes", "busy", "flight", "longest");
  for (std::size_t i = 0; i < shown(a.handlers); ++i) {
    const handler_row& row = a.handlers[i];
    text += fmt::format("  {:<34} {:>10} {:>9} {:>10} {:>10} {:>10}\n", cut(row.name), row.messages,
                        size_text(row.bytes), time_text(row.busy_ns),
                        row.joined == 0 ? "-" : time_text(row.flight_ns / row.joined),
                        row.joined == 0 ? "-" : time_text(row.flight_ns_max));
  }
  return text + rest_of(a.handlers);
}

std::string waits_text(const char* title, const std::vector<wait_row>& rows) {
  if (rows.empty()) return {};
  std::string text = fmt::format("\n{:<36} {:>10} {:>10} {:>10} {:>10}\n", title, "times", "total",
                                 "mean", "longest");
  for (std::size_t i = 0; i < shown(rows); ++i) {
    const wait_row& row = rows[i];
    text += fmt::format("  {:<34} {:>10} {:>10} {:>10} {:>10} (rank {})\n", cut(row.name),
                        row.waits, time_text(row.total_ns), time_text(row.total_ns / row.waits),
                        time_text(row.longest_ns), row.longest_rank);
  }
  return text + rest_of(rows);
}

std::string late_text(const trace_analysis& a) {
  if (a.late.empty()) return {};
  std::string text = "\nlate senders: others waited before they sent, or came\n";
  for (std::size_t i = 0; i < shown(a.late); ++i)
    text += fmt::format("  rank {:<5} {:>10} in {} waits\n", a.late[i].rank,
                        time_text(a.late[i].total_ns), a.late[i].waits);
  return text + rest_of(a.late);
}

std::string matrix_text(const job_trace& job, const trace_analysis& a) {
  if (a.pairs.empty()) return {};
  std::string text = "\nbytes, from the rank of the row to that of the column\n";
  if (job.ranks > kMatrixRanksMax) {
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, pair_row>> rows(a.pairs.begin(),
                                                                                   a.pairs.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& x, const auto& y) { return x.second.bytes > y.second.bytes; });
    text = "\nbytes, of the pairs with most\n";
    for (std::size_t i = 0; i < shown(rows); ++i)
      text += fmt::format("  {:>4} to {:<4} {:>10} in {} messages\n", rows[i].first.first,
                          rows[i].first.second, size_text(rows[i].second.bytes),
                          rows[i].second.messages);
    return text + rest_of(rows);
  }
  text += "      ";
  for (unsigned to = 0; to < job.ranks; ++to) text += fmt::format(" {:>9}", to);
  text += '\n';
  for (unsigned from = 0; from < job.ranks; ++from) {
    text += fmt::format("  {:>4}", from);
    for (unsigned to = 0; to < job.ranks; ++to) {
      const auto pair = a.pairs.find({from, to});
      text += fmt::format(" {:>9}", pair == a.pairs.end() ? "-" : size_text(pair->second.bytes));
    }
    text += '\n';
  }
  return text;
}

std::string path_text(const trace_analysis& a) {
  if (a.path.empty()) return {};
  std::string text = fmt::format("\ncritical path: {} hops, {} of it between ranks\n",
                                 a.path.size() - 1, time_text(a.path_flight_ns));
  std::vector<std::pair<std::size_t, std::uint64_t>> ranks;  // and their time
  for (std::size_t rank = 0; rank < a.path_ns.size(); ++rank)
    if (a.path_ns[rank] != 0) ranks.emplace_back(rank, a.path_ns[rank]);
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const auto& x, const auto& y) { return x.second > y.second; });
  for (std::size_t i = 0; i < shown(ranks); ++i)
    text += fmt::format("  rank {:<5} {:>10}\n", ranks[i].first, time_text(ranks[i].second));
  text += rest_of(ranks);
  std::vector<path_row> longest = a.path;
  std::stable_sort(longest.begin(), longest.end(), [](const path_row& x, const path_row& y) {
    return x.end_ns - x.begin_ns > y.end_ns - y.begin_ns;
  });
  text += "  its longest parts:\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(longest.size(), 5); ++i)
    text += fmt::format("    rank {}, {} from {} on, until {}\n", longest[i].rank,
                        time_text(longest[i].end_ns - longest[i].begin_ns),
                        time_text(longest[i].begin_ns - a.first_ns), cut(longest[i].sent));
  return text;
}

json waits_json(const std::vector<wait_row>& rows) {
  json list = json::array();
  for (const wait_row& row : rows)
    list.push_back({{"name", row.name},
                    {"times", row.waits},
                    {"total_ns", row.total_ns},
                    {"longest_ns", row.longest_ns},
                    {"longest_rank", row.longest_rank}});
  return list;
}

json handlers_json(const trace_analysis& a) {
  json list = json::array();
  for (const handler_row& row : a.handlers)
    list.push_back({{"name", row.name},
                    {"messages", row.messages},
                    {"bytes", row.bytes},
                    {"busy_ns", row.busy_ns},
                    {"joined", row.joined},
                    {"flight_ns", row.flight_ns},
                    {"flight_ns_max", row.flight_ns_max}});
  return list;
}

json path_json(const trace_analysis& a) {
  json parts = json::array();
  for (const path_row& row : a.path)
    parts.push_back({{"rank", row.rank},
                     {"begin_ns", row.begin_ns},
                     {"end_ns", row.end_ns},
                     {"until", row.sent}});
  json by_rank = json::array();
  for (const std::uint64_t ns : a.path_ns) by_rank.push_back(ns);
  json path = json::object();
  path["flight_ns"] = a.path_flight_ns;
  path["ns_by_rank"] = std::move(by_rank);
  path["parts"] = std::move(parts);
  return path;
}

}  // namespace

std::string text_of(const std::string& path, const job_trace& job, const trace_analysis& a) {
  return head_text(path, job, a) + handlers_text(a) + waits_text("waits", a.waits) +
         waits_text("collectives", a.collectives) + late_text(a) + matrix_text(job, a) +
         path_text(a);
}

json json_of(const std::string& path, const job_trace& job, const trace_analysis& a) {
  json j = json::object();
  j["file"] = path;
  j["program"] = job.program;
  j["ranks"] = job.ranks;
  j["nodes"] = job.nodes;
  j["sample"] = job.sample;
  j["clock_error_ns"] = job.clock_error_ns;
  j["is_cut"] = job.is_cut;
  j["is_partial"] = job.is_partial;
  j["lost"] = job.lost();
  j["first_ns"] = a.first_ns;
  j["duration_ns"] = a.duration_ns;
  j["sent"] = a.sends;
  j["handled"] = a.handled;
  j["accesses"] = a.accesses;
  j["switches"] = a.switches;
  j["unexplained_signals"] = a.unexplained_signals;
  j["handlers"] = handlers_json(a);
  j["waits"] = waits_json(a.waits);
  j["collectives"] = waits_json(a.collectives);
  json late = json::array(), pairs = json::array();
  for (const late_row& row : a.late)
    late.push_back({{"rank", row.rank}, {"waits", row.waits}, {"total_ns", row.total_ns}});
  for (const auto& [ranks, row] : a.pairs)
    pairs.push_back({{"from", ranks.first},
                     {"to", ranks.second},
                     {"messages", row.messages},
                     {"bytes", row.bytes}});
  j["late"] = std::move(late);
  j["pairs"] = std::move(pairs);
  j["critical_path"] = path_json(a);
  return j;
}

}  // namespace traces
