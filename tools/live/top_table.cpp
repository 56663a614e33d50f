// SPDX-License-Identifier: Apache-2.0
#include "top_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <numeric>
#include <utility>

#include "report/text.hpp"

namespace tools::top {

using monitor::activity;
using monitor::rank_sample;

namespace {

struct column_form {
  const char* title;
  unsigned width;
  bool left;          // texts stand left, numbers right
  bool largest_first;  // where it is sorted by
};
constexpr column_form kForms[] = {
    {"RANK", 5, false, false},   {"NODE", 4, false, false},     {"PID", 7, false, false},
    {"STATE", 9, true, false},   {"WAITS-IN", 20, true, false}, {"FOR", 5, false, false},
    {"SINCE", 8, false, true},   {"SENT/s", 7, false, true},    {"HANDLED/s", 9, false, true},
    {"BYTES/s", 7, false, true}, {"FAR/s", 6, false, true},     {"QUEUED", 6, false, true},
    {"CHAINED", 7, false, true}, {"FULL", 4, false, true},      {"THR", 4, false, true},
    {"CPU%", 5, false, true},    {"MEM", 6, false, true}};
static_assert(std::size(kForms) == kColumns);

std::string scaled(double number, double step, const char* units) {
  unsigned unit = 0;
  while (number >= 999.5 && units[unit + 1] != '\0') {
    number /= step;
    ++unit;
  }
  if (unit == 0) return fmt::format("{:.0f}", number);
  return fmt::format("{:.{}f}{}", number, number < 9.95 ? 1 : 0, units[unit]);
}

std::string cell(const look& l, unsigned rank, column c) {
  const rank_sample& r = l.now.ranks[rank];
  const monitor::rates& rate = l.rates[rank];
  const bool waits = !r.call.empty();
  switch (c) {
    case column::rank:
      return std::to_string(rank);
    case column::node:
      return std::to_string(r.node);
    case column::pid:
      return r.seen && r.pid > 0 ? std::to_string(r.pid) : "-";
    case column::state:
      return name_of(r.does);
    case column::wait:
      return waits ? r.call : "-";
    case column::target:
      return !waits ? "-" : r.target < 0 ? "any" : std::to_string(r.target);
    case column::waited:
      return waits ? ramjet::report::duration_text(r.waited_ns) : "-";
    default:
      break;
  }
  if (!r.seen) return "-";
  switch (c) {
    case column::sent:
      return count_text(rate.sent);
    case column::handled:
      return count_text(rate.handled);
    case column::bytes:
      return bytes_text(rate.bytes_out);
    case column::far:
      return count_text(rate.far_sent);
    case column::queued:
      return count_text(double(r.queued));
    case column::chained:
      return count_text(double(r.chained));
    case column::full:
      return std::to_string(r.full_lanes);
    case column::threads:
      return std::to_string(r.threads);
    case column::cpu:
      return fmt::format("{:.0f}", rate.cpu * 100);
    default:
      return bytes_text(double(r.resident_bytes));
  }
}

// What a column is sorted by, where that is a number.
double number_of(const look& l, unsigned rank, column c) {
  const rank_sample& r = l.now.ranks[rank];
  const monitor::rates& rate = l.rates[rank];
  switch (c) {
    case column::rank:
      return rank;
    case column::node:
      return r.node;
    case column::pid:
      return r.pid;
    case column::state:
      return double(r.does);
    case column::target:
      return r.target;
    case column::waited:
      return double(r.waited_ns);
    case column::sent:
      return rate.sent;
    case column::handled:
      return rate.handled;
    case column::bytes:
      return rate.bytes_out;
    case column::far:
      return rate.far_sent;
    case column::queued:
      return double(r.queued);
    case column::chained:
      return double(r.chained);
    case column::full:
      return r.full_lanes;
    case column::threads:
      return r.threads;
    case column::cpu:
      return rate.cpu;
    case column::memory:
      return double(r.resident_bytes);
    case column::wait:
      return 0;
  }
  return 0;
}

bool is_shown(const look& l, column c) {
  return l.now.nodes > 1 || (c != column::node && c != column::far);
}

std::string padded(const std::string& text, const column_form& form) {
  const std::string cut = text.substr(0, form.width);
  return form.left ? fmt::format("{:<{}}", cut, form.width)
                   : fmt::format("{:>{}}", cut, form.width);
}

std::string without_trailing_blanks(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

bool read_rank(std::string_view text, unsigned& rank) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  return error == std::errc{} && end == text.data() + text.size();
}

// "0-7,12" as ranks; false if the text is something else.
bool read_ranks(std::string_view filter, std::vector<std::pair<unsigned, unsigned>>& ranges) {
  for (std::size_t from = 0; from <= filter.size();) {
    const std::size_t end = std::min(filter.find(',', from), filter.size());
    const std::string_view part = filter.substr(from, end - from);
    const std::size_t dash = std::min(part.find('-'), part.size());
    unsigned first = 0, last = 0;
    if (!read_rank(part.substr(0, dash), first)) return false;
    last = first;
    if (dash < part.size() && !read_rank(part.substr(dash + 1), last)) return false;
    if (last < first) return false;
    ranges.emplace_back(first, last);
    from = end + 1;
  }
  return true;
}

char shade(double value, double most) {
  constexpr std::string_view kShades = ".:-=+*#%@";
  if (value <= 0) return ' ';
  const auto step = std::size_t(value / most * double(kShades.size()));
  return kShades[std::min(step, kShades.size() - 1)];
}

}  // namespace

look::look(monitor::job_sample earlier, monitor::job_sample later)
    : before(std::move(earlier)),
      now(std::move(later)),
      rates(monitor::rates_between(before, now)),
      pairs(monitor::pair_rates_between(before, now)) {}

std::string count_text(double number) { return scaled(number, 1000, " kMGT"); }
std::string bytes_text(double bytes) { return scaled(bytes, 1024, " KMGT"); }

const char* title_of(column c) { return kForms[unsigned(c)].title; }

bool find_column(const std::string& title, column& found) {
  const auto alike = [](char a, char b) { return std::toupper(a) == std::toupper(b); };
  for (unsigned c = 0; c < kColumns; ++c) {
    std::string full = kForms[c].title;
    const std::string plain = full.substr(0, full.find_first_of("/%"));
    for (const std::string& name : {full, plain}) {
      if (!std::equal(name.begin(), name.end(), title.begin(), title.end(), alike)) continue;
      found = column(c);
      return true;
    }
  }
  return false;
}

std::string titles() {
  std::string all;
  for (const column_form& form : kForms) {
    std::string name = form.title;
    name.resize(std::min(name.size(), name.find_first_of("/%")));
    for (char& c : name) c = char(std::tolower(c));
    all += (all.empty() ? "" : ", ") + name;
  }
  return all;
}

bool is_wrong_list(const std::string& filter) {
  std::vector<std::pair<unsigned, unsigned>> ranges;
  return filter.find_first_not_of("0123456789,-") == filter.npos && !filter.empty() &&
         !read_ranks(filter, ranges);
}

std::vector<unsigned> chosen_ranks(const look& l, const order& o, const std::string& filter) {
  std::vector<std::pair<unsigned, unsigned>> ranges;
  const bool by_number = read_ranks(filter, ranges);
  std::vector<unsigned> chosen;
  for (unsigned r = 0; r < l.now.ranks.size(); ++r) {
    const rank_sample& it = l.now.ranks[r];
    const bool fits =
        by_number
            ? std::any_of(ranges.begin(), ranges.end(),
                          [r](const auto& range) { return r >= range.first && r <= range.second; })
            : filter.empty() || std::string(name_of(it.does)).find(filter) != filter.npos ||
                  it.call.find(filter) != it.call.npos;
    if (fits) chosen.push_back(r);
  }
  const bool descending = kForms[unsigned(o.by)].largest_first != o.reversed;
  const auto precedes = [&](unsigned a, unsigned b) {
    if (o.by == column::wait) return l.now.ranks[a].call < l.now.ranks[b].call;
    return number_of(l, a, o.by) < number_of(l, b, o.by);
  };
  std::stable_sort(chosen.begin(), chosen.end(), [&](unsigned a, unsigned b) {
    return descending ? precedes(b, a) : precedes(a, b);
  });
  return chosen;
}

std::string summary(const look& l) {
  std::string line = fmt::format("{} ranks", l.now.ranks.size());
  if (l.now.nodes > 1) line += fmt::format(" on {} nodes", l.now.nodes);
  const char* before = ": ";
  for (unsigned a = 0; a < monitor::kActivities; ++a) {
    const unsigned count = l.now.count(activity(a));
    if (count == 0) continue;
    line += fmt::format("{}{} {}", before, count, name_of(activity(a)));
    before = ", ";
  }
  double sent = 0, bytes = 0, cpu = 0;
  for (const monitor::rates& r : l.rates) {
    sent += r.sent;
    bytes += r.bytes_out;
    cpu += r.cpu;
  }
  return line + fmt::format("; {} messages/s, {} bytes/s in them, {:.1f} processors",
                            count_text(sent), bytes_text(bytes), cpu);
}

std::string title_row(const look& l, const order& o) {
  std::string line;
  for (unsigned c = 0; c < kColumns; ++c) {
    if (!is_shown(l, column(c))) continue;
    line += padded(kForms[c].title, kForms[c]);
    line += o.by == column(c) ? (o.reversed ? '^' : '*') : ' ';
  }
  return without_trailing_blanks(line);
}

std::string rank_row(const look& l, unsigned rank) {
  std::string line;
  for (unsigned c = 0; c < kColumns; ++c)
    if (is_shown(l, column(c))) line += padded(cell(l, rank, column(c)), kForms[c]) + ' ';
  return without_trailing_blanks(line);
}

std::vector<std::string> matrix(const look& l, bool in_bytes, std::size_t columns,
                                std::size_t rows) {
  constexpr std::size_t kLabel = 10, kHead = 2;
  const std::size_t ranks = l.now.ranks.size();
  const std::size_t room = std::max<std::size_t>(
      1, std::min(columns > kLabel ? columns - kLabel : 1, rows > kHead ? rows - kHead : 1));
  const std::size_t side = (ranks + room - 1) / room;  // ranks that share a cell, either way
  const std::size_t cells = (ranks + side - 1) / side;
  std::vector<double> sums(cells * cells);
  for (const auto& [key, rate] : l.pairs)
    sums[key.first / side * cells + key.second / side] += in_bytes ? rate.bytes : rate.sent;
  const double most = sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
  const char* what = in_bytes ? "bytes" : "messages";
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}/s from (down) to (across); @ is up to {}{}", what,
                              in_bytes ? bytes_text(most) : count_text(most),
                              side == 1 ? "" : fmt::format(", {} ranks a cell", side)));
  const bool numbers = side == 1 && kLabel + 7 * cells <= columns;
  std::string across(kLabel, ' ');
  for (std::size_t to = 0; numbers && to < cells; ++to) across += fmt::format("{:>7}", to);
  lines.push_back(numbers ? across : std::string());
  for (std::size_t from = 0; from < cells; ++from) {
    const std::size_t last = std::min(ranks, (from + 1) * side) - 1;
    std::string line =
        side == 1 ? fmt::format("{:>9} ", from) : fmt::format("{:>4}-{:<4} ", from * side, last);
    for (std::size_t to = 0; to < cells; ++to) {
      const double value = sums[from * cells + to];
      if (numbers) {
        line += fmt::format("{:>7}", value <= 0 ? "."
                                     : in_bytes ? bytes_text(value)
                                                : count_text(value));
      } else {
        line += shade(value, most);
      }
    }
    lines.push_back(without_trailing_blanks(line));
  }
  return lines;
}

std::vector<std::string> details(const look& l, unsigned rank) {
  const rank_sample& r = l.now.ranks[rank];
  const monitor::rates& rate = l.rates[rank];
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("rank {} on node {}, process {}: {}", rank, r.node, r.pid, name_of(r.does)));
  lines.push_back(fmt::format("{} threads, {:.0f} % of a processor, {} resident", r.threads,
                              rate.cpu * 100, bytes_text(double(r.resident_bytes))));
  lines.push_back(fmt::format("sent {} ({}/s), handled {} ({}/s), {} in a handler", r.out.sent,
                              count_text(rate.sent), r.in.handled, count_text(rate.handled),
                              r.in_handler));
  lines.push_back(fmt::format("queued for it {}, chained here {}, lanes without credit {}",
                              r.queued, r.chained, r.full_lanes));
  lines.push_back("");
  lines.push_back("what it waits for:");
  for (const std::string& line : chain_of_waits(l.now, rank)) lines.push_back("  " + line);
  for (unsigned e = 0; e < l.now.waits.endpoints && !l.now.waits.ports.empty(); ++e) {
    const unsigned at = rank * l.now.waits.endpoints + e;
    const auto& port = l.now.waits.ports[at];
    if (l.now.waits.endpoints == 1 || !port.open) continue;
    lines.push_back(fmt::format("  endpoint {}: {}", e,
                                port.coprocessor        ? std::string("co-processor")
                                : l.now.waits.waits(at) ? "waits in " + port.described_call()
                                                        : std::string("in no wait")));
  }
  lines.push_back("");
  lines.push_back(fmt::format("{:>7} {:>12} {:>9} {:>9} {:>8} {:>8} | {:>12} {:>9} {:>9} {:>8}",
                              "peer", "sent", "sent/s", "bytes/s", "queued", "chained", "received",
                              "rcvd/s", "bytes/s", "queued"));
  const monitor::pair_sample nothing;
  for (unsigned peer = 0; peer < l.now.ranks.size(); ++peer) {
    const auto out = l.now.pairs.find({rank, peer}), in = l.now.pairs.find({peer, rank});
    if (out == l.now.pairs.end() && in == l.now.pairs.end()) continue;
    const auto& to = out == l.now.pairs.end() ? nothing : out->second;
    const auto& from = in == l.now.pairs.end() ? nothing : in->second;
    const auto rate_of = [&l](unsigned a, unsigned b) {
      const auto found = l.pairs.find({a, b});
      return found == l.pairs.end() ? monitor::pair_rates{} : found->second;
    };
    const auto out_rate = rate_of(rank, peer), in_rate = rate_of(peer, rank);
    lines.push_back(fmt::format(
        "{:>7} {:>12} {:>9} {:>9} {:>8} {:>8} | {:>12} {:>9} {:>9} {:>8}", peer, to.moved.sent,
        count_text(out_rate.sent), bytes_text(out_rate.bytes), to.queued, to.chained,
        from.moved.handled, count_text(in_rate.sent), bytes_text(in_rate.bytes), from.queued));
  }
  return lines;
}

}  // namespace tools::top
