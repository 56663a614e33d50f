// SPDX-License-Identifier: Apache-2.0
// The programs on this processor as tables: times beside the counted machine, what the processor
// counts, and times by ranks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "papers/study/report/output.hpp"

namespace study {
namespace {

// Of the counted machine: by what a miss costs, and with caches of today.
template <class Of>
std::string counted_columns(Of of, double today) {
  std::string row = " |";
  for (const double miss : kMissCyclesNow) row += fmt::format(" {:>5.2f}", of(miss));
  return row + fmt::format(" {:>5.2f}", today);
}

std::string native_table(const study_result& s) {
  std::string text = fmt::format(
      "Today: milliseconds of processor time, medians of {} runs, and MD/AM; beside it MD/AM of "
      "the\ncounted machine: with {} KB caches of {} ways by what a miss costs, and with caches as "
      "they are today\n{:<10} {:<12}",
      s.native.alone[0].by[0].seconds.size(), kTableBytes / 1024, kTableWays, "", "");
  for (const std::string_view scheduler : kSchedulers) text += fmt::format(" {:>10}", scheduler);
  text += fmt::format(" {:>6} |", "MD/AM");
  for (const double miss : kMissCyclesNow) text += fmt::format(" {:>5}", miss);
  text += " today";
  for (std::size_t i = 0; i < s.native.alone.size(); ++i) {
    const native_result& n = s.native.alone[i];
    text += fmt::format("\n{:<10} {:<12}", n.name, fmt::format("{}", fmt::join(n.arguments, " ")));
    for (const native_times& t : n.by) text += fmt::format(" {:>10.1f}", 1e3 * t.median());
    text += fmt::format(" {:>6.2f}", n.ratio(kNativeMd));
    text += counted_columns([&](double miss) { return ratio(s.programs[i], kTableShape, miss); },
                            ratio_of_levels(s.programs[i]));
  }
  text += fmt::format("\n{:<23}", "mean, of AM's");
  for (std::size_t by = 0; by < kSchedulers.size(); ++by)
    text += fmt::format(" {:>10.2f}", mean_native_ratio(s, by));
  text += fmt::format(" {:>6.2f}", mean_native_ratio(s, kNativeMd));
  return text +
         counted_columns([&](double miss) { return mean_ratio(s, kTableShape, miss); },
                         mean_ratio_of_levels(s)) +
         "\n\n";
}

std::string counts_row(const native_result& n, std::size_t scheduler) {
  const hardware_counts& counts = n.counts[scheduler];
  std::string row = fmt::format("\n{:<10} {:<12}", n.name, kSchedulers[scheduler]);
  for (std::size_t e = 0; e < kHardwareEvents; ++e)
    row += counts[e] ? fmt::format(" {:>13.2f}", *counts[e] / 1e6) : fmt::format(" {:>13}", "-");
  const bool has_both = counts[kCycles] && counts[kInstructions] && *counts[kInstructions] > 0;
  return row + (has_both ? fmt::format(" {:>10.2f}", *counts[kCycles] / *counts[kInstructions])
                         : fmt::format(" {:>10}", "-"));
}

std::string counts_table(const native_study& s) {
  std::string text;
  if (!s.counts_missing.empty())
    text = fmt::format("Not counted by this kernel and processor: {}\n", s.counts_missing);
  const auto is_counted = [](const native_result& n) { return n.counts[0] != hardware_counts{}; };
  if (std::none_of(s.alone.begin(), s.alone.end(), is_counted)) return text + "\n";
  text += fmt::format("What this processor counts, in millions, in user mode\n{:<23}", "");
  for (const char* name : {"cycles", "instructions", "L1 data miss", "last l. miss"})
    text += fmt::format(" {:>13}", name);
  text += fmt::format(" {:>10}", "cycles/ins");
  for (const native_result& n : s.alone)
    for (std::size_t by = 0; by < kSchedulers.size(); ++by) text += counts_row(n, by);
  return text + "\n\n";
}

std::string ranks_table(const native_study& s) {
  if (s.on_ranks.empty()) return "";
  std::string text = fmt::format(
      "On ranks: milliseconds from the start of ramjet run to its end, medians of up to {} runs\n"
      "{:<10} {:<6} {:>5}",
      s.on_ranks[0].by_ranks[0][0].seconds.size(), "", "", "ranks");
  for (const std::string_view scheduler : kSchedulers) text += fmt::format(" {:>10}", scheduler);
  for (const ranks_result& n : s.on_ranks)
    for (std::size_t at = 0; at < s.ranks.size(); ++at) {
      text +=
          fmt::format("\n{:<10} {:<6} {:>5}", at == 0 ? n.name : "",
                      at == 0 ? fmt::format("{}", fmt::join(n.arguments, " ")) : "", s.ranks[at]);
      for (const native_times& t : n.by_ranks[at])
        text += fmt::format(" {:>10.1f}", 1e3 * t.median());
    }
  for (std::size_t at = 1; at < s.ranks.size(); ++at) {
    text += fmt::format("\n{:<17} {:>5}", at == 1 ? "mean speed-up" : "", s.ranks[at]);
    for (std::size_t by = 0; by < kSchedulers.size(); ++by)
      text += fmt::format(" {:>10.2f}", s.mean_speed_up(at, by));
  }
  return text + "\n\n";
}

}  // namespace

std::string native_text(const study_result& s) {
  if (s.native.alone.empty()) return "";
  return native_table(s) + counts_table(s.native) + ranks_table(s.native);
}

}  // namespace study
