// SPDX-License-Identifier: Apache-2.0
// The table of Split-C programs by main processor and co-processor (scripts/splitc-table --json).
#include <fmt/format.h>

#include "tools/pages/content.hpp"

namespace pages {

using console::json;

section programs_section(const json& run) {
  section s{"Split-C programs by main processor and co-processor", {}, {}, {}};
  const auto& places = run["places"].elements();
  table t{"Seconds: main processor, co-processor, the first over the second", {"program"}, {}};
  for (const json& place : places) t.head.push_back("ranks: " + place.as_text());
  t.head.emplace_back("the paper's, 16 nodes");
  const auto shown = [](const json& pair) -> std::string {
    const auto& both = pair.elements();
    if (both.size() != 2 || !both[0].is_number() || !both[1].is_number()) return "-";
    const double main = both[0].as_double(), coproc = both[1].as_double();
    return fmt::format("{} | {} | {:.2f}", number(main), number(coproc),
                       coproc > 0 ? main / coproc : 0);
  };
  unsigned sides = 0, compared = 0;
  for (const auto& [title, pairs] : run["seconds"].members()) {
    std::vector<cell> row = {title};
    for (std::size_t i = 0; i < places.size(); ++i)
      row.emplace_back(i < pairs.elements().size() ? shown(pairs.elements()[i]) : "-");
    const json& theirs = run["paper"][title];
    row.emplace_back(shown(theirs));
    t.rows.push_back(row);
    if (shown(theirs) == "-" || pairs.elements().empty()) continue;
    const auto faster_by_main = [](const json& pair) {
      return pair.elements().at(0).as_double() < pair.elements().at(1).as_double();
    };
    ++compared;
    sides += faster_by_main(pairs.elements().front()) == faster_by_main(theirs);
  }
  s.sentences.push_back(fmt::format(
      "On {} the faster side is the paper's in {} of {} programs; problem sizes are others.",
      places.empty() ? "" : places.front().as_text() + " ranks", sides, compared));
  s.tables.push_back(t);
  return s;
}

}  // namespace pages
