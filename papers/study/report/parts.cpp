// SPDX-License-Identifier: Apache-2.0
// What cycles are made of: instructions and misses of each region. The paper gives ratios of cycles
// at three costs m of a miss, (r + b m) / (1 + a m), where r are MD's instructions, and a and b the
// misses of AM and MD, all for one instruction of AM: r, a and b follow from its three ratios, as
// exactly as these are printed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "papers/study/report/output.hpp"

namespace study {
namespace {

using three_ratios = std::array<double, std::size(kMissCycles)>;

struct parts {
  double instructions = 0, am_misses = 0, md_misses = 0;
};

constexpr double kRounding = 0.005;  // of a printed ratio
constexpr int kSteps = 20;  // in which a ratio's interval is gone through
constexpr double kMissesMost = 0.05;  // an instruction: more would be no cache

// Of r + b m - a m q = q for each cost m and its ratio q; the first equation, subtracted from the
// two others, leaves two with b and a.
std::optional<parts> solve(const three_ratios& q) {
  const auto& m = kMissCycles;
  const double b1 = m[1] - m[0], a1 = m[0] * q[0] - m[1] * q[1], q1 = q[1] - q[0];
  const double b2 = m[2] - m[0], a2 = m[0] * q[0] - m[2] * q[2], q2 = q[2] - q[0];
  const double determinant = b1 * a2 - b2 * a1;
  if (std::abs(determinant) < 1e-9) return {};
  const double b = (q1 * a2 - q2 * a1) / determinant;
  const double a = (b1 * q2 - b2 * q1) / determinant;
  if (a < 0 || b < 0 || a > kMissesMost || b > kMissesMost) return {};
  return parts{q[0] + a * m[0] * q[0] - b * m[0], a + 0.0, b + 0.0};  // 0 has no sign
}

// The least and the most of all that the ratios, before they were rounded, may have been.
struct range {
  bool is_known = false;
  parts least, most;

  // Nothing but kMissesMost bounds it: then it says nothing of the ratios.
  bool is_capped() const { return std::max(most.am_misses, most.md_misses) > 0.95 * kMissesMost; }
  void add(const parts& p) {
    if (!is_known) least = most = p;
    is_known = true;
    for (double parts::* const each :
         {&parts::instructions, &parts::am_misses, &parts::md_misses}) {
      least.*each = std::min(least.*each, p.*each);
      most.*each = std::max(most.*each, p.*each);
    }
  }
};

range range_of(const three_ratios& printed) {
  const auto at = [](double ratio, int step) {
    return ratio + kRounding * (2.0 * step / kSteps - 1);
  };
  range found;
  for (int i = 0; i <= kSteps; ++i)
    for (int j = 0; j <= kSteps; ++j)
      for (int k = 0; k <= kSteps; ++k)
        if (const auto p = solve({at(printed[0], i), at(printed[1], j), at(printed[2], k)}))
          found.add(*p);
  return found;
}

std::string theirs(const std::string& name) {
  const auto& row = papers().at("spertus_dally_1995").at("table_2").at(name).elements();
  three_ratios printed{};
  for (std::size_t i = 0; i < printed.size(); ++i) printed[i] = row[6 + i].as_double();
  const range found = range_of(printed);
  if (!found.is_known || found.is_capped())
    return fmt::format(" {:>13} {:>13} {:>13}", "-", "-", "-");
  const auto pair = [&](double parts::* of, double times, int digits) {
    return fmt::format(" {:>13}", fmt::format("{:.{}f} to {:.{}f}", times * (found.least.*of),
                                              digits, times * (found.most.*of), digits));
  };
  return pair(&parts::instructions, 1, 2) + pair(&parts::am_misses, 1e3, 0) +
         pair(&parts::md_misses, 1e3, 0);
}

std::string row_of(const program_result& p, const outcome& o) {
  const double unit = double(p.am.counts.instructions()) / 1e3;
  std::string row = fmt::format("\n{:<10} {:<3}", p.name, name_of(o.how));
  for (const bool is_of_system : {false, true})
    row += fmt::format(" {:>7.0f}", double(o.counts.of(access::fetch, is_of_system)) / unit);
  row += fmt::format(" | {:>5.2f}", double(o.misses(kTableShape)) / unit);
  for (unsigned r = 0; r < kRegions; ++r)
    row +=
        fmt::format(" {:>11.2f}", double(o.caches->by_region().of(static_cast<region>(r))) / unit);
  return row;
}

}  // namespace

std::string parts_text(const study_result& s) {
  std::string text = fmt::format(
      "Instructions of the user and of the system, and misses of {} bytes, {} ways, blocks of {}:\n"
      "for 1000 instructions of AM\n{:<14} {:>7} {:>7} | {:>5}",
      kTableBytes, kTableWays, kBlockBytes, "", "user", "system", "all");
  for (unsigned r = 0; r < kRegions; ++r)
    text += fmt::format(" {:>11}", name_of(static_cast<region>(r)));
  for (const program_result& p : s.programs) text += row_of(p, p.am) + row_of(p, p.md);
  text += fmt::format(
      "\n\nInstructions, MD/AM, and misses for 1000 instructions of AM: ours | what follows from "
      "the ratios of Table 2\n{:<10} {:>6} {:>6} {:>6}   {:>13} {:>13} {:>13}",
      "", "MD/AM", "AM", "MD", "MD/AM", "AM", "MD");
  for (const program_result& p : s.programs) {
    const double instructions = double(p.am.counts.instructions());
    text += fmt::format("\n{:<10} {:>6.2f} {:>6.1f} {:>6.1f} |", p.name,
                        double(p.md.counts.instructions()) / instructions,
                        1e3 * double(p.am.misses(kTableShape)) / instructions,
                        1e3 * double(p.md.misses(kTableShape)) / instructions) +
            theirs(p.name);
  }
  return text + "\n\n";
}

}  // namespace study
