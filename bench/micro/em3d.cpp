// SPDX-License-Identifier: Apache-2.0
// `ramjet run -n 2 em3d`, all versions with 0 and 20 % of remote edges, again and again: what the
// program itself times, per edge. The value is that of version bulk at 20 %; the limit is its plain
// serial loop over an all-local graph, taken in turns in the same runs. The program checks every
// run, and ends with an error if a field is wrong.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "harness/process.hpp"
#include "micro/bodies.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kRanks = 2, kRemotePercent = 20;

struct times {
  samples serial;
  std::map<std::string, samples> local, remote;  // by version
  std::vector<std::string> versions;  // in the program's order
};

std::vector<std::string> words_of(const command_context& c, const fs::path& em3d) {
  // A core for each rank, and short runs: what others do on the machine disturbs few of them.
  std::vector<std::string> words = {c.program,      "run",
                                    "-n",           std::to_string(kRanks),
                                    "--bind",       "core",
                                    em3d.string(),  "--json",
                                    "--remote",     fmt::format("0,{}", kRemotePercent),
                                    "--iterations", "20",
                                    "--repeats",    "15"};
  if (c.how_much.quick)
    words.insert(words.end(), {"--repeats", "1", "--iterations", "10", "--nodes", "100"});
  return words;
}

void run_once(const std::vector<std::string>& words, times& t) {
  const json out = report_of(words, "em3d");
  t.serial.add(out.at("serial_ns_per_edge").at("median").as_double());
  t.versions.clear();
  for (const json& r : out.at("results").elements()) {
    const std::string version = r.at("version").as_text();
    const bool local = r.at("remote_percent") == json(0);
    (local ? t.local : t.remote)[version].add(r.at("ns_per_edge").at("median").as_double());
    if (local) t.versions.push_back(version);
  }
}

record record_of(const times& t) {
  record r;
  const samples& bulk = t.remote.at("bulk");
  const double local = t.local.at("bulk").median();
  r.value = bulk.median();
  r.limit = t.serial.median();
  r.params = {{"ranks", kRanks},
              {"repeats", bulk.count()},
              {"spread", bulk.spread()},
              {"limit_spread", t.serial.spread()},
              {"remote_percent", kRemotePercent},
              {"local_ns", local},
              {"local_vs_limit", local / *r.limit}};
  add_note(r, fmt::format("all local {:.2f} ns ({:.2f} of the limit)", local, local / *r.limit));
  for (const std::string& version : t.versions) {
    const double ns = t.remote.at(version).median();
    r.params[version + "_ns"] = ns;
    if (version != "bulk") add_note(r, fmt::format("{} {:.2f}", version, ns));
  }
  return r;
}

}  // namespace

std::optional<record> measure_em3d(const command_context& c, std::string& missing) {
  const fs::path em3d = fs::path(c.program).parent_path() / "em3d";
  if (!fs::exists(em3d)) {
    missing = em3d.string() + " is not there";
    return std::nullopt;
  }
  const std::vector<std::string> words = words_of(c, em3d);
  times t;
  const double end = now_ns() + c.how_much.seconds * 1e9;
  for (unsigned i = 0; i < c.how_much.repeats; ++i) {
    if (i > 0 && c.how_much.seconds > 0 && now_ns() > end) break;
    run_once(words, t);
  }
  return record_of(t);
}

}  // namespace bench
