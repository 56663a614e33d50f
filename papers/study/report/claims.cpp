// SPDX-License-Identifier: Apache-2.0
#include "papers/study/report/claims.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "papers/study/geometric_mean.hpp"
#include "papers/study/report/output.hpp"

namespace study {
namespace {

constexpr double kAboutEven = 0.05;

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), value < 100 ? "%.2f" : "%.0f", value);
  return text.data();
}

cache_shape shape(std::uint32_t bytes, std::uint32_t ways) { return {bytes, ways, kBlockBytes}; }

// Of the geometric means (or another curve) over the sizes.
struct curve {
  std::vector<double> at;
  double least() const { return *std::min_element(at.begin(), at.end()); }
  double most() const { return *std::max_element(at.begin(), at.end()); }
};

std::string said(const curve& c) { return number(c.least()) + " to " + number(c.most()); }

curve means(const study_result& s, std::uint32_t ways, double miss, std::string_view without = {},
            ratio_function of = ratio) {
  curve c;
  for (const std::uint32_t bytes : sizes())
    c.at.push_back(mean_ratio(s, shape(bytes, ways), miss, without, of));
  return c;
}

curve ratios(const program_result& p, std::uint32_t ways, double miss) {
  curve c;
  for (const std::uint32_t bytes : sizes()) c.at.push_back(ratio(p, shape(bytes, ways), miss));
  return c;
}

claim below_one_at_12_and_24(const study_result& s) {
  claim c{"3.3, Figure 3",
          "MD's geometric mean is better in all caches when a miss costs 12 or 24"};
  double most = 0;
  for (const std::uint32_t ways : cache_sweep::kWays)
    for (const double miss : {12.0, 24.0}) most = std::max(most, means(s, ways, miss).most());
  c.holds = most < 1;
  c.evidence = "the greatest is " + number(most);
  return c;
}

claim below_one_when_large(const study_result& s) {
  claim c{"3.3, Figure 3", "and in large caches at all costs"};
  double most = 0;
  for (const std::uint32_t ways : cache_sweep::kWays)
    for (const double miss : kMissCycles)
      most = std::max(most, mean_ratio(s, shape(sizes().back(), ways), miss));
  c.holds = most < 1;
  c.evidence = "at 128 KB the greatest is " + number(most);
  return c;
}

claim direct_mapped_at_48(const study_result& s) {
  claim c{"3.3, Figure 3", "at 48 MD is better in direct-mapped caches"};
  const curve means_1 = means(s, 1, 48);
  c.holds = means_1.most() < 1;
  c.evidence = said(means_1);
  return c;
}

claim no_winner_at_48(const study_result& s) {
  claim c{"3.3, Figure 3", "at 48 there is no clear winner with 2 and 4 ways"};
  const curve two = means(s, 2, 48), four = means(s, 4, 48);
  c.holds = two.least() < 1 && two.most() > 1 && four.least() < 1 && four.most() > 1;
  c.evidence = "2 ways " + said(two) + ", 4 ways " + said(four);
  return c;
}

claim two_ways_are_as_four(const study_result& s) {
  claim c{"3.3", "2 and 4 ways differ little, direct-mapped caches differ from both"};
  double two = 0, one = 0;
  for (const double miss : kMissCycles) {
    const curve four = means(s, 4, miss);
    for (std::size_t i = 0; i < four.at.size(); ++i) {
      two = std::max(two, std::abs(means(s, 2, miss).at[i] / four.at[i] - 1));
      one = std::max(one, std::abs(means(s, 1, miss).at[i] / four.at[i] - 1));
    }
  }
  c.holds = two < one;
  c.evidence = "from 4 ways 2 differ by " + number(100 * two) + " %, 1 by " + number(100 * one) +
               " % at most";
  return c;
}

claim lowest_at_the_ends(const study_result& s) {
  claim c{"3.3.1", "with 4 ways the mean is lowest in small and large caches"};
  c.holds = true;
  for (const double miss : kMissCycles) {
    const curve m = means(s, 4, miss);
    const auto top = std::max_element(m.at.begin(), m.at.end());
    c.holds = c.holds && top != m.at.begin() && top != m.at.end() - 1;
    c.evidence += (c.evidence.empty() ? "" : "; ") + number(miss) + ": " + number(m.at.front()) +
                  ", " + number(*top) + " at " +
                  std::to_string(sizes()[std::size_t(top - m.at.begin())] / 1024) + " KB, " +
                  number(m.at.back());
  }
  return c;
}

claim fewer_data_misses(const study_result& s) {
  claim c{"3.3.1", "AM has fewer misses of data in medium caches"};
  geometric_mean mean;
  for (const program_result& p : s.programs)
    for (const std::uint32_t bytes : {4096u, 8192u, 16384u}) {
      const auto misses = [&](const outcome& o) {
        return double(o.caches->data().of(shape(bytes, 4)).misses());
      };
      mean.add(misses(p.md) / misses(p.am));
    }
  c.holds = mean.value() > 1;
  c.evidence = "MD/AM at 4 to 16 KB, 4 ways, in the mean " + number(mean.value());
  return c;
}

// Which programs are above 1 and which below, in the table's cache.
claim signs(const study_result& s, double miss, const std::vector<std::string_view>& above,
            const std::vector<std::string_view>& even, claim c) {
  c.holds = true;
  for (const program_result& p : s.programs) {
    const double r = ratio(p, shape(kTableBytes, kTableWays), miss);
    const auto is_in = [&](const auto& list) {
      return std::find(list.begin(), list.end(), p.name) != list.end();
    };
    const bool holds = is_in(above) ? r > 1 : is_in(even) ? std::abs(r - 1) < kAboutEven : r < 1;
    c.holds = c.holds && holds;
    c.evidence += (c.evidence.empty() ? "" : ", ") + p.name + " " + number(r);
  }
  return c;
}

// Spearman's correlation of ranks.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto ranks = [](const std::vector<double>& values) {
    std::vector<double> r;
    for (const double v : values)
      r.push_back(double(
          std::count_if(values.begin(), values.end(), [v](double other) { return other < v; })));
    return r;
  };
  const std::vector<double> x = ranks(a), y = ranks(b);
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) squares += (x[i] - y[i]) * (x[i] - y[i]);
  const double n = double(x.size());
  return 1 - 6 * squares / (n * (n * n - 1));
}

claim follows_granularity(const study_result& s, std::uint32_t ways, claim c) {
  std::vector<double> quanta, cycles;
  for (const program_result& p : s.programs) {
    quanta.push_back(threads_a_quantum(p.am));
    double sum = 0;
    for (const double miss : kMissCycles) sum += std::log(ratio(p, shape(kTableBytes, ways), miss));
    cycles.push_back(sum);
  }
  const double found = rank_correlation(quanta, cycles);
  c.holds = found <= -0.8;
  c.evidence = "the ranks of threads a quantum and of the ratio correlate by " + number(found);
  return c;
}

claim all_below_at_12(const study_result& s) {
  claim c{"3.3.2", "direct-mapped, at 12 all programs are better by MD"};
  double most = 0;
  for (const program_result& p : s.programs) most = std::max(most, ratios(p, 1, 12).most());
  c.holds = most < 1;
  c.evidence = "the greatest is " + number(most);
  return c;
}

claim some_sizes_above(const study_result& s, double miss,
                       const std::vector<std::string_view>& wanted, claim c) {
  c.holds = true;
  for (const program_result& p : s.programs) {
    const bool is_wanted = std::find(wanted.begin(), wanted.end(), p.name) != wanted.end();
    const double most = ratios(p, 1, miss).most();
    c.holds = c.holds && is_wanted == (most > 1);
    c.evidence += (c.evidence.empty() ? "" : ", ") + p.name + " " + number(most);
  }
  c.evidence = "the greatest: " + c.evidence;
  return c;
}

// Lower than on both sides; the depth below the lower of them.
double dip(const curve& c, std::uint32_t from_bytes, std::uint32_t to_bytes) {
  const std::vector<std::uint32_t> all = sizes();
  const auto index = [&](std::uint32_t bytes) {
    return std::size_t(std::find(all.begin(), all.end(), bytes) - all.begin());
  };
  double least = 10;
  for (std::size_t i = index(from_bytes); i <= index(to_bytes); ++i)
    least = std::min(least, c.at[i]);
  return std::min(c.at[index(from_bytes / 2)], c.at[index(to_bytes * 2)]) - least;
}

claim dip_when_direct_mapped(const study_result& s) {
  claim c{"3.3.2", "direct-mapped, the mean dips at 8 to 16 KB"};
  c.holds = true;
  for (const double miss : kMissCycles) {
    const double depth = dip(means(s, 1, miss), 8192, 16384);
    c.holds = c.holds && depth > 0;
    c.evidence += (c.evidence.empty() ? "below 4 and 32 KB by " : ", ") + number(depth);
  }
  return c;
}

claim dip_is_of_code(const study_result& s) {
  claim c{"3.3.2", "the dip comes from AM's misses of code"};
  c.holds = true;
  for (const double miss : kMissCycles) {
    const double with = dip(means(s, 1, miss), 8192, 16384);
    const double without = dip(means(s, 1, miss, {}, ratio_without_code_misses), 8192, 16384);
    c.holds = c.holds && with > 0 && without < with;
    c.evidence += (c.evidence.empty() ? "without them the depth is " : ", ") + number(without) +
                  " in place of " + number(with);
  }
  return c;
}

claim without_the_outlier(const study_result& s) {
  claim c{"3.3.2, Figure 6", "direct-mapped without SS, MD is better at 12 and 24"};
  const curve at_12 = means(s, 1, 12, "SS"), at_24 = means(s, 1, 24, "SS");
  c.holds = at_12.most() < 1 && at_24.most() < 1;
  c.evidence = "12: " + said(at_12) + ", 24: " + said(at_24);
  return c;
}

claim without_the_outlier_at_48(const study_result& s) {
  claim c{"3.3.2, Figure 6", "and at 48 AM is sometimes better"};
  const curve at_48 = means(s, 1, 48, "SS");
  c.holds = at_48.least() < 1 && at_48.most() > 1;
  c.evidence = said(at_48);
  return c;
}

claim larger_quanta(const study_result& s) {
  claim c{"3.2, Table 2",
          "AM has as many or more threads and instructions a quantum, almost always"};
  std::size_t holds = 0;
  for (const program_result& p : s.programs)
    holds += threads_a_quantum(p.am) >= threads_a_quantum(p.md) &&
             instructions_a_quantum(p.am) >= instructions_a_quantum(p.md);
  c.holds = holds + 1 >= s.programs.size();
  c.evidence =
      "of " + std::to_string(holds) + " of " + std::to_string(s.programs.size()) + " programs";
  return c;
}

claim order_by_quanta(const study_result& s) {
  claim c{"3.2, Table 2",
          "threads a quantum: MMT, QS, DTW, paraffins below wavefront far below SS"};
  double finest = 0;
  for (const std::string_view name : {"MMT", "QS", "DTW", "paraffins"})
    finest = std::max(finest, threads_a_quantum(s.find(name)->am));
  const double wavefront = threads_a_quantum(s.find("wavefront")->am);
  const double sort = threads_a_quantum(s.find("SS")->am);
  c.holds = finest < wavefront && 10 * wavefront < sort;
  c.evidence = number(finest) + ", " + number(wavefront) + ", " + number(sort);
  return c;
}

claim enabled_quanta(const study_result& s) {
  claim c{"2.4", "on one processor the enabled AM has larger quanta"};
  std::size_t holds = 0;
  for (const program_result& p : s.programs)
    holds += threads_a_quantum(p.enabled) >= threads_a_quantum(p.am);
  c.holds = holds == s.programs.size();
  c.evidence =
      "of " + std::to_string(holds) + " of " + std::to_string(s.programs.size()) + " programs";
  return c;
}

claim best_block(const study_result& s) {
  claim c{"3.3", "both do best with blocks of 64 bytes"};
  c.holds = true;
  for (const bool is_md : {false, true}) {
    std::uint32_t best = 0;
    double least = 0;
    for (const std::uint32_t block : {8u, 16u, 32u, 64u}) {
      double sum = 0;
      for (const program_result& p : s.programs)
        sum += std::log((is_md ? p.md : p.am).cycles({kTableBytes, kTableWays, block}, 24));
      if (best == 0 || sum < least) best = block, least = sum;
    }
    c.holds = c.holds && best == 64;
    c.evidence += (is_md ? ", MD " : "AM ") + std::to_string(best);
  }
  return c;
}

}  // namespace

std::vector<claim> claims_of(const study_result& s) {
  std::vector<claim> all = {larger_quanta(s), order_by_quanta(s), enabled_quanta(s)};
  if (s.has_all_blocks) all.push_back(best_block(s));
  for (claim& c : std::vector<claim>{
           below_one_at_12_and_24(s), below_one_when_large(s), direct_mapped_at_48(s),
           no_winner_at_48(s), two_ways_are_as_four(s), lowest_at_the_ends(s), fewer_data_misses(s),
           signs(s, 48, {"MMT", "QS", "DTW"}, {},
                 {"3.3.1, Figure 4",
                  "8 KB, 4 ways, at 48: SS, paraffins, wavefront are best by MD, "
                  "the others by AM"}),
           signs(s, 12, {"MMT"}, {"QS", "DTW"},
                 {"3.3.1, Figure 4", "at 12: MMT is better by AM, QS and DTW about even (5 %)"}),
           follows_granularity(s, 4,
                               {"3.3.1", "as threads a quantum increase, the ratio decreases"}),
           follows_granularity(s, 1, {"3.3.2", "the order is the same in direct-mapped caches"}),
           all_below_at_12(s),
           some_sizes_above(s, 24, {"MMT", "DTW"},
                            {"3.3.2, Figure 5",
                             "at 24 MMT and DTW are better by AM for some sizes, and no others"}),
           some_sizes_above(s, 48, {"MMT", "DTW", "QS"},
                            {"3.3.2, Figure 5", "at 48 MMT, DTW and QS are"}),
           dip_when_direct_mapped(s), dip_is_of_code(s), without_the_outlier(s),
           without_the_outlier_at_48(s)})
    all.push_back(std::move(c));
  return all;
}

comparison compare(const study_result& s) {
  comparison c;
  const console::json& table = papers().at("spertus_dally_1995").at("table_2");
  for (std::size_t i = 0; i < std::size(kMissCycles); ++i) {
    geometric_mean mean;
    for (const program_result& p : s.programs) {
      const double theirs = table.at(p.name).elements()[6 + i].as_double();
      mean.add(theirs);
      c.same_sides +=
          (ratio(p, shape(kTableBytes, kTableWays), kMissCycles[i]) < 1) == (theirs < 1);
    }
    c.theirs[i] = mean.value();
    c.ours[i] = mean_ratio(s, shape(kTableBytes, kTableWays), kMissCycles[i]);
  }
  return c;
}

}  // namespace study
