// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "failure.hpp"
#include "terminal.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/printable.hpp"

namespace kmer {
namespace {

using std::uint64_t;

// A row of the table: k-mers that occur from..to times.
struct row {
  uint64_t from = 0, to = 0;
  uint64_t number = 0;
};

constexpr uint64_t kSingleRowsMax = 20;  // with more different counts, the greater share rows
constexpr int kBarColumnsMax = 56;

// 1234567 as 1,234,567.
std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

// The last count of the row that begins behind `count`: 30, 40, ... 100, 200, 300, ... 1000, 2000.
uint64_t next_edge(uint64_t count) {
  uint64_t step = 10;
  while (step * 10 <= count) step *= 10;
  return count / step * step + step;
}

std::vector<row> rows_of(const spectrum& s) {
  const std::vector<spectrum::part> parts = s.parts();
  const bool every_count = parts.size() <= 2 * kSingleRowsMax;
  std::vector<row> rows;
  uint64_t edge = kSingleRowsMax;  // the last count of the present row
  for (const spectrum::part& p : parts) {
    if (every_count || p.count <= kSingleRowsMax || p.count > s.count_max()) {
      rows.push_back({p.count, p.count, p.number});
      continue;
    }
    if (p.count > edge) {
      while (p.count > edge) edge = next_edge(edge);
      rows.push_back({p.count, p.count, 0});
    }
    rows.back().to = p.count;
    rows.back().number += p.number;
  }
  return rows;
}

std::string label_of(const row& r, const spectrum& s) {
  if (r.from > s.count_max()) return fmt::format("> {}", s.count_max());
  return r.from == r.to ? fmt::format("{}", r.from) : fmt::format("{}-{}", r.from, r.to);
}

void print_table(const spectrum& s, bool linear) {
  const bool unicode = unicode_on(STDOUT_FILENO);
  const std::vector<row> rows = rows_of(s);
  uint64_t most = 1;
  std::size_t label_width = 6, number_width = 7;
  for (const row& r : rows) {
    most = std::max(most, r.number);
    label_width = std::max(label_width, label_of(r, s).size());
    number_width = std::max(number_width, grouped(r.number).size());
  }
  const int columns = columns_of(STDOUT_FILENO);
  const int room = columns - static_cast<int>(label_width + number_width) - 8;
  const int width = columns == 0 ? kBarColumnsMax : std::clamp(room, 10, kBarColumnsMax);
  const auto height = [linear](uint64_t number) {
    return linear ? static_cast<double>(number) : std::log1p(static_cast<double>(number));
  };
  fmt::print("\n  {:>{}}  {:>{}}  {}\n", "occurs", label_width, "k-mers", number_width,
             linear ? "" : "(logarithmic scale)");
  for (const row& r : rows) {
    fmt::print("  {:>{}}  {:>{}}  {}\n", label_of(r, s), label_width, grouped(r.number),
               number_width, bar_of(height(r.number) / height(most), width, unicode));
  }
}

uint64_t unique_of(const spectrum& s) { return s.number(1); }

void print_text(const options& o, const spectrum& s, const run_facts& run) {
  const spectrum::sums& all = s.all();
  const std::string what = o.files.size() == 1 ? console::printable(o.files.front())
                                               : fmt::format("{} files", o.files.size());
  fmt::print("{}-mers of {}\n\n", o.k, what);
  const std::size_t width = grouped(all.total).size();
  const auto line = [width](const char* name, uint64_t value, const std::string& remark) {
    fmt::print("  {:<10} {:>{}}  {}\n", name, grouped(value), width, remark);
  };
  line("total", all.total,
       fmt::format("in {:.3f} s by {} rank{}: {:.1f} million a second", run.seconds, run.ranks,
                   run.ranks == 1 ? "" : "s", static_cast<double>(all.total) / run.seconds * 1e-6));
  line("distinct", all.distinct, "different ones");
  line("unique", unique_of(s), "occur once");
  line("max count", all.greatest, "occurrences of the most frequent one");
  if (all.distinct > 0) print_table(s, o.linear_bars);
}

void print_json(const options& o, const spectrum& s, const run_facts& run) {
  console::json histogram = console::json::array();
  for (const spectrum::part& p : s.parts()) {
    if (p.count <= s.count_max()) histogram.push_back({p.count, p.number});
  }
  const console::json result = {
      {"k", o.k},
      {"files", console::json::array(o.files)},
      {"ranks", run.ranks},
      {"seconds", run.seconds},
      {"total", s.all().total},
      {"distinct", s.all().distinct},
      {"unique", unique_of(s)},
      {"max_count", s.all().greatest},
      {"histogram_max", s.count_max()},
      {"above_histogram_max", s.above()},
      {"histogram", histogram},
  };
  fmt::print("{}\n", result.dump());
}

void print_histogram(const spectrum& s) {
  for (const spectrum::part& p : s.parts()) fmt::print("{} {}\n", p.count, p.number);
}

void print(const options& o, const spectrum& s, const run_facts& run) {
  switch (o.form) {
    case output_form::text:
      return print_text(o, s, run);
    case output_form::json:
      return print_json(o, s, run);
    case output_form::histogram:
      return print_histogram(s);
    case output_form::dump:
      return;
  }
}

}  // namespace

void report(const options& o, const spectrum& s, const run_facts& run) {
  try {
    print(o, s, run);
    if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
  } catch (const std::system_error& e) {  // fmt::print throws it too
    throw output_error("cannot write standard output: " + e.code().message());
  }
}

}  // namespace kmer
