// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tools/cli/json.hpp"

namespace agenda_matmul {
namespace {

std::string json_of(const options& o, const findings& found, int ranks) {
  using console::json;
  json rows = json::array(), sizes = json::array();
  for (const row& r : found.rows)
    rows.push_back({{"size", r.size},
                    {"ranks", r.by.ranks},
                    {"granularity", r.by.granularity},
                    {"concurrency", r.by.concurrency},
                    {"seconds", r.seconds},
                    {"alone_seconds", r.alone_seconds},
                    {"speedup", r.speedup()},
                    {"gflops", r.gflops()}});
  for (std::size_t i = 0; i < o.sizes.size(); ++i)
    sizes.push_back(
        {{"size", o.sizes[i]}, {"checksum", fmt::format("{:016x}", found.checksums[i])}});
  const json object = {{"ranks", ranks},       {"kernel", name_of(o.by)}, {"seed", o.seed},
                       {"repeats", o.repeats}, {"products", sizes},       {"rows", rows}};
  return object.dump() + "\n";
}

// The fastest for each size and number of ranks.
std::vector<row> best_of(const std::vector<row>& rows) {
  std::vector<row> best;
  for (const row& r : rows) {
    if (best.empty() || best.back().size != r.size || best.back().by.ranks != r.by.ranks)
      best.push_back(r);
    else if (r.seconds < best.back().seconds)
      best.back() = r;
  }
  return best;
}

// Speed-ups of a size and a number of ranks, for every granularity and concurrency.
std::string table_of(const options& o, const std::vector<row>& rows, const row& like) {
  std::string text = fmt::format("\nSpeed-up, size {}, {} rank{} at work\n\n  granularity",
                                 like.size, like.by.ranks, like.by.ranks == 1 ? "" : "s");
  for (const std::uint64_t c : o.concurrencies)
    text += fmt::format("{:>8}", fmt::format("c={}", c));
  for (const row& r : rows) {
    if (r.size != like.size || r.by.ranks != like.by.ranks) continue;
    if (r.by.concurrency == o.concurrencies.front())
      text += fmt::format("\n{:13}", r.by.granularity);
    text += fmt::format("{:8.2f}", r.speedup());
  }
  return text + "\n";
}

}  // namespace

std::string report(const options& o, const findings& found, int ranks) {
  if (o.json) return json_of(o, found, ranks);
  std::string text = fmt::format(
      "C = A B by an agenda on {} rank{}, kernel {}, seed {}\n\n"
      "     size  ranks  granularity  concurrency      ms  GFLOP/s  alone, ms  speed-up\n",
      ranks, ranks == 1 ? "" : "s", name_of(o.by), o.seed);
  const std::vector<row> best = best_of(found.rows);
  for (const row& r : best)
    text += fmt::format("{:9}{:7}{:13}{:13}{:8.2f}{:9.2f}{:11.2f}{:10.2f}\n", r.size, r.by.ranks,
                        r.by.granularity, r.by.concurrency, r.seconds * 1e3, r.gflops(),
                        r.alone_seconds * 1e3, r.speedup());
  if (best.size() != found.rows.size())
    for (const row& r : best) text += table_of(o, found.rows, r);
  return text + "\nEvery product passed the check.\n";
}

}  // namespace agenda_matmul
