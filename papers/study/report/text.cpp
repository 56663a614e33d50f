// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "papers/study/report/claims.hpp"
#include "papers/study/report/embedded.hpp"
#include "papers/study/report/output.hpp"

namespace study {
namespace {

using console::json;

constexpr std::string_view kAccesses[] = {"fetches", "reads", "writes"};

// Three digits or so.
std::string rounded(double value) {
  return fmt::format("{:.{}f}", value, value < 10 ? 2 : value < 100 ? 1 : 0);
}

const json& paper(std::string_view table) { return papers().at("spertus_dally_1995").at(table); }
const json& messages_paper() { return papers().at("von_eicken_1992"); }

std::string granularity_table(const study_result& s) {
  std::string text = "Granularity: ours | " + paper("table_2").at("place").as_text() + "\n" +
                     fmt::format("{:<10}", "");
  for (const json& column : paper("table_2").at("columns").elements())
    if (column.as_text().size() > 2) text += fmt::format(" {:>16}", column.as_text());
  for (const program_result& p : s.programs) {
    const auto& theirs = paper("table_2").at(p.name).elements();
    const double ours[] = {threads_a_quantum(p.md),      threads_a_quantum(p.am),
                           instructions_a_thread(p.md),  instructions_a_thread(p.am),
                           instructions_a_quantum(p.md), instructions_a_quantum(p.am)};
    text += fmt::format("\n{:<10}", p.name);
    for (std::size_t i = 0; i < std::size(ours); ++i)
      text += fmt::format(" {:>7} | {:>6}", rounded(ours[i]), rounded(theirs[i].as_double()));
  }
  return text + "\n\n";
}

std::string cycles_table(const study_result& s) {
  std::string text =
      fmt::format("MD/AM cycles by what a miss costs: ours | {}; and as memory is today\n{:<10}",
                  paper("table_2").at("place").as_text(), "");
  for (const double miss : kMissCycles) text += fmt::format(" {:>13}", miss);
  text += fmt::format(" {:>8}", kMissCyclesToday);
  for (const program_result& p : s.programs) {
    const auto& theirs = paper("table_2").at(p.name).elements();
    text += fmt::format("\n{:<10}", p.name);
    for (std::size_t i = 0; i < std::size(kMissCycles); ++i)
      text += fmt::format(" {:>5.2f} | {:>5.2f}", ratio(p, kTableShape, kMissCycles[i]),
                          theirs[6 + i].as_double());
    text += fmt::format(" {:>8.2f}", ratio(p, kTableShape, kMissCyclesToday));
  }
  const comparison c = compare(s);
  text += fmt::format("\n{:<10}", "mean");
  for (std::size_t i = 0; i < std::size(kMissCycles); ++i)
    text += fmt::format(" {:>5.2f} | {:>5.2f}", c.ours[i], c.theirs[i]);
  return text + fmt::format("\non the same side of 1 as theirs: {} of {}\n\n", c.same_sides,
                            s.programs.size() * std::size(kMissCycles));
}

std::string accesses_table(const study_result& s) {
  const json& theirs = paper("average_ratios_percent");
  std::string text =
      fmt::format("MD/AM accesses in percent: ours | {}\n{:<10}", theirs.at("place").as_text(), "");
  for (const std::string_view name : kAccesses) text += fmt::format(" {:>9}", name);
  for (const program_result& p : s.programs) {
    text += fmt::format("\n{:<10}", p.name);
    for (const access a : {access::fetch, access::read, access::write})
      text += fmt::format(" {:>4.0f}     ",
                          100 * double(p.md.counts.of(a)) / double(p.am.counts.of(a)));
  }
  text += fmt::format("\n{:<10}", "mean");
  for (const access a : {access::fetch, access::read, access::write})
    text += fmt::format(" {:>4.0f} | {:>2.0f}", 100 * mean_accesses(s, a),
                        theirs.at(kAccesses[static_cast<unsigned>(a)]).as_double());
  return text + "\n\n";
}

std::string regions_table(const study_result& s) {
  std::string text = fmt::format("Thousands of accesses\n{:<22}", "");
  for (unsigned r = 0; r < kRegions; ++r)
    text += fmt::format(" {:>11}", name_of(static_cast<region>(r)));
  for (const program_result& p : s.programs)
    for (const outcome* o : {&p.am, &p.md})
      for (const access a : {access::fetch, access::read, access::write}) {
        text += fmt::format("\n{:<10} {:<3} {:<7}", p.name, name_of(o->how),
                            kAccesses[static_cast<unsigned>(a)]);
        for (const std::uint64_t n : o->counts.accesses[static_cast<unsigned>(a)])
          text += fmt::format(" {:>11.1f}", double(n) / 1e3);
      }
  return text + "\n\n";
}

// `of` a program, and what the paper has.
template <class Of>
std::string message_row(const study_result& s, std::string_view name, const json& theirs, Of of) {
  std::string row = fmt::format("\n{:<14}", name);
  for (const program_result& p : s.programs)
    row += fmt::format(" {:>9.1f}", of(p.am.counts) / double(p.am.counts.messages_sent()));
  return row + (theirs.is_null() ? "" : fmt::format(" {:>9}", theirs.as_double()));
}

std::string messages_table(const study_result& s) {
  std::string text =
      fmt::format("Messages: percent of each kind, instructions a message; ours, {}\n{:<14}",
                  messages_paper().at("source").as_text(), "");
  for (const program_result& p : s.programs) text += fmt::format(" {:>9}", p.name);
  text += fmt::format(" {:>9}", "Table 3");
  for (unsigned k = 0; k < kMessageKinds; ++k) {
    const std::string_view kind = name_of(static_cast<message_kind>(k));
    const json& table = messages_paper().at("table_3");
    text += message_row(s, kind, table[kind],
                        [k](const machine_counts& c) { return 100 * double(c.messages[k]); });
  }
  text += message_row(s, "of TL0", messages_paper().at("tl0_instructions_a_message"),
                      [](const machine_counts& c) { return double(c.tl0_instructions); });
  text += message_row(s, "of AM", messages_paper().at("risc_instructions_a_message"),
                      [](const machine_counts& c) { return double(c.instructions()); });
  return text + "\n\n";
}

template <class Of>
std::string curve_row(const std::string& name, Of of) {
  std::string row = fmt::format("\n  {:<20}", name);
  for (const std::uint32_t bytes : sizes()) row += fmt::format(" {:>7.3f}", of(bytes));
  return row;
}

std::string head_of_sizes(std::string_view name) {
  std::string text = fmt::format("{:<22}", name);
  for (const std::uint32_t bytes : sizes()) text += fmt::format(" {:>4} KB", bytes / 1024);
  return text;
}

std::string figures(const study_result& s) {
  std::string text = "MD/AM cycles by size of the caches, blocks of 64 bytes\n";
  text += head_of_sizes("Figure 3: means");
  for (const double miss : kMissCycles)
    for (const std::uint32_t ways : cache_sweep::kWays)
      text += curve_row(fmt::format("{} cycles, {} ways", miss, ways), [&](std::uint32_t bytes) {
        return mean_ratio(s, {bytes, ways, kBlockBytes}, miss);
      });
  for (const std::uint32_t ways : {4u, 1u}) {
    text += "\n" + head_of_sizes(ways == 4 ? "Figure 4: 4 ways" : "Figure 5: direct");
    for (const double miss : kMissCycles)
      for (const program_result& p : s.programs)
        text += curve_row(fmt::format("{} cycles, {}", miss, p.name), [&](std::uint32_t bytes) {
          return ratio(p, {bytes, ways, kBlockBytes}, miss);
        });
  }
  text += "\n" + head_of_sizes("Figure 6: without SS");
  for (const double miss : kMissCycles)
    text += curve_row(fmt::format("{} cycles, direct", miss), [&](std::uint32_t bytes) {
      return mean_ratio(s, {bytes, 1, kBlockBytes}, miss, "SS");
    });
  return text + "\n\n";
}

std::string levels_of_today(const study_result& s) {
  std::string text = fmt::format(
      "MD/AM cycles with 32 KB of 8 ways for code and data each and 1 MB "
      "behind them;\n{} cycles to those, {} behind them\n",
      kSecondLevelCycles, kMissCyclesToday);
  for (const program_result& p : s.programs)
    text += fmt::format("{:<10} {:>6.2f}\n", p.name, ratio_of_levels(p));
  return text + "\n";
}

std::string claims(const study_result& s) {
  std::string text = fmt::format("What is said of them, and whether it holds of ours: {}\n",
                                 papers().at("spertus_dally_1995").at("source").as_text());
  int holds = 0, count = 0;
  for (const claim& c : claims_of(s)) {
    text += fmt::format("{:<15} {:<16} {}\n{:33}{}\n", c.holds ? "reproduced" : "not reproduced",
                        c.place, c.text, "", c.evidence);
    holds += c.holds;
    ++count;
  }
  return text + fmt::format("{} of {} reproduced\n", holds, count);
}

}  // namespace

const json& papers() {
  static const json read = *json::parse(embedded("papers.json"));
  return read;
}

std::string text_of(const study_result& s) {
  return granularity_table(s) + cycles_table(s) + accesses_table(s) + regions_table(s) +
         parts_text(s) + messages_table(s) + figures(s) + levels_of_today(s) + native_text(s) +
         claims(s);
}

}  // namespace study
