// SPDX-License-Identifier: Apache-2.0
// The study's programs against the same in plain C++.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "papers/study/experiment/experiment.hpp"
#include "papers/study/report/embedded.hpp"

namespace {

// The last word of what the program prints.
double printed(const std::string& file, const std::vector<std::string>& arguments) {
  const tl0::program p = study::program_of(std::string(study::embedded(file)), file);
  const study::outcome o = study::execute(p, study::words_of(p, arguments), study::discipline::md,
                                          {.sweep = std::nullopt});
  return std::strtod(o.output.c_str() + o.output.rfind(' '), nullptr);
}

double product(int n) {
  double sum = 0;
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j)
      for (int k = 1; k <= n; ++k) sum += (i + k) * (j - k);
  return sum;
}

double sorted_sum(int n) {
  std::vector<std::int64_t> xs;
  for (std::int64_t x = 7; std::int64_t(xs.size()) < n;)
    xs.push_back(x = (x * 1103 + 12345) % 65536);
  std::sort(xs.begin(), xs.end());
  double sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) sum += double(std::int64_t(i + 1) * xs[i]);
  return sum;
}

double warp(std::size_t n, double step) {
  std::vector<std::vector<double>> w(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double cost = std::abs(std::sin(double(i + 1) * 0.3) - std::sin(double(j + 1) * step));
      const double least = i == 0 && j == 0 ? 0
                           : i == 0         ? w[i][j - 1]
                           : j == 0         ? w[i - 1][j]
                                            : std::min({w[i - 1][j - 1], w[i - 1][j], w[i][j - 1]});
      w[i][j] = cost + least;
    }
  return w[n - 1][n - 1];
}

double best_warp(std::size_t n, int words) {
  double best = warp(n, 0.35);
  for (int k = 1; k < words; ++k) best = std::min(best, warp(n, 0.35 - 0.005 * k));
  return best;
}

double wave(std::size_t n, int steps) {
  std::vector<double> old(n * n, 1.0);
  for (; steps > 0; --steps) {
    std::vector<double> now(n * n, 1.0);
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t j = 1; j < n; ++j)
        now[i * n + j] = (now[i * n + j - 1] + now[(i - 1) * n + j] + old[i * n + j - 1] +
                          old[(i - 1) * n + j]) /
                             4.0 +
                         0.001 * double(i * j);
    old = now;
  }
  return old.back();
}

// How many ways there are to choose `count` of `kinds`, any of them more than once.
std::int64_t choices(std::int64_t kinds, int count) {
  std::int64_t ways = 1;
  for (int k = 0; k < count; ++k) ways = ways * (kinds + k) / (k + 1);
  return ways;
}

// Multisets of `count` radicals of `atoms` in all, of at most `most` atoms each.
std::int64_t groups(const std::vector<std::int64_t>& radicals, int count, int atoms, int most) {
  if (count == 0) return atoms == 0;
  if (most < 0 || atoms < 0) return 0;
  std::int64_t ways = 0;
  for (int of = 0; of <= count && of * most <= atoms; ++of)
    ways += choices(radicals[std::size_t(most)], of) *
            groups(radicals, count - of, atoms - of * most, most - 1);
  return ways;
}

double paraffins(int n) {
  std::vector<std::int64_t> radicals(std::size_t(n / 2) + 1);
  radicals[0] = 1;
  for (int k = 1; k <= n / 2; ++k) radicals[std::size_t(k)] = groups(radicals, 3, k - 1, k - 1);
  std::int64_t all = 0;
  for (int k = 1; k <= n; ++k) {
    all += groups(radicals, 4, k - 1, (k - 1) / 2);
    if (k % 2 == 0) all += choices(radicals[std::size_t(k / 2)], 2);
  }
  return double(all);
}

}  // namespace

TEST(StudyPrograms, Mmt) {
  for (const int n : {1, 3, 8}) EXPECT_EQ(printed("mmt.tl0", {std::to_string(n)}), product(n));
}

TEST(StudyPrograms, Quicksort) {
  for (const int n : {0, 1, 2, 17, 100})
    EXPECT_EQ(printed("quicksort.tl0", {std::to_string(n)}), sorted_sum(n));
}

TEST(StudyPrograms, Dtw) {
  for (const int words : {1, 2, 10})
    for (const std::size_t n : {1u, 2u, 5u, 10u})
      EXPECT_DOUBLE_EQ(printed("dtw.tl0", {std::to_string(n), std::to_string(words)}),
                       best_warp(n, words));
}

TEST(StudyPrograms, Wavefront) {
  for (const int steps : {1, 3})
    for (const std::size_t n : {1u, 2u, 12u})
      EXPECT_DOUBLE_EQ(printed("wavefront.tl0", {std::to_string(n), std::to_string(steps)}),
                       wave(n, steps));
}

TEST(StudyPrograms, SelectionSort) {
  for (const int n : {1, 2, 9, 30})
    EXPECT_EQ(printed("selection_sort.tl0", {std::to_string(n)}), n * (n + 1) * (2 * n + 1) / 6);
}

TEST(StudyPrograms, Paraffins) {
  for (const int n : {1, 2, 5, 9, 13})
    EXPECT_EQ(printed("paraffins.tl0", {std::to_string(n)}), paraffins(n)) << n;
}
