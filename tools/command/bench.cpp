// SPDX-License-Identifier: Apache-2.0
// `ramjet bench`: starts jobs of its own executable, one for each record, and prints what their
// rank 0 reports. The benchmarks themselves are in bench/.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/cpus.hpp"
#include "harness/benchmark.hpp"
#include "harness/process.hpp"
#include "harness/report.hpp"
#include "harness/worker.hpp"
#include "launch/cores.hpp"
#include "launch/launch.hpp"
#include "tools/command/affinity.hpp"
#include "tools/command/bench_compare.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/environment.hpp"
#include "tools/command/output.hpp"

namespace {

using bench::benchmark;
using bench::effort;
using bench::json;
using bench::record;

constexpr const char* kName = "ramjet bench";
constexpr double kJobSecondsMax = 300;
constexpr unsigned kRepeatsMax = 1'000'000;

// --- Machine ------------------------------------------------------------------------------------

std::string own_path() {
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  const bool whole = length > 0 && length < ssize_t(sizeof path);
  const std::string name = whole ? std::string(path, std::size_t(length)) : "";
  // A binary that was replaced meanwhile can still be started by its link.
  return ::access(name.c_str(), X_OK) == 0 ? name : "/proc/self/exe";
}

json provenance() {
  const json all = tools::describe_environment();
  return {{"commit", all["build"]["commit"]},
          {"processor", all["machine"]["processor"]},
          {"usable_cores", all["limits"]["usable_cores"]},
          {"compiler", all["build"]["compiler"]},
          {"flags", all["build"]["flags"]},
          {"kernel", all["kernel"]["release"]}};
}

// `cores` of the CPUs that this process may use, spread over the cores; empty for 0: all.
std::vector<int> some_cpus(unsigned cores) {
  if (cores == 0) return {};
  return ramjet::launcher::spread_over_cores(ramjet::base::allowed_cpus(), cores);
}

// Zeroed memory that the ranks of a job can open, as long as this lives.
class shared_file {
 public:
  explicit shared_file(std::size_t bytes) {
    if (bytes == 0) return;
    fd_ = ::memfd_create("ramjet bench", MFD_CLOEXEC);
    if (::ftruncate(fd_, off_t(bytes)) != 0) fd_ = -1;
  }
  ~shared_file() {
    if (fd_ >= 0) ::close(fd_);
  }
  shared_file(const shared_file&) = delete;
  shared_file& operator=(const shared_file&) = delete;

  std::string path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_); }

 private:
  int fd_ = -1;
};

// --- Running ------------------------------------------------------------------------------------

class runner {
 public:
  runner(const effort& how_much, std::string wrapper)
      : how_much_(how_much),
        wrapper_(std::move(wrapper)),
        program_(own_path()),
        cores_(ramjet::base::usable_cpus()) {}

  // Adds the benchmark's records. A failure has been reported on standard error.
  void run(const benchmark& b, std::vector<record>& records);

  int exit_status() const { return exit_status_; }
  bool interrupted() const { return exit_status_ >= 128; }

 private:
  std::optional<record> run_job(const benchmark& b, unsigned ranks);
  std::optional<record> run_command(const benchmark& b);
  void compare(record& r, const bench::comparison& with, const std::vector<record>& before);
  void fail(const benchmark& b, const std::string& why, int status);

  effort how_much_;
  std::string wrapper_;  // command that starts each rank's; empty: none
  std::string program_;
  unsigned cores_;
  int exit_status_ = 0;
};

void runner::fail(const benchmark& b, const std::string& why, int status) {
  bench::show_progress("");
  fmt::print(stderr, "ramjet bench: {} gave no result: {}\n", b.name, why);
  if (exit_status_ == 0 || status >= 128) exit_status_ = status;
}

void runner::run(const benchmark& b, std::vector<record>& records) {
  if (b.command) {
    if (auto r = run_command(b)) records.push_back(*r);
    return;
  }
  std::vector<unsigned> sizes;
  for (unsigned ranks : b.ranks) {
    if (ranks == bench::kAllCores) ranks = std::max(2u, cores_);
    if (std::find(sizes.begin(), sizes.end(), ranks) == sizes.end()) sizes.push_back(ranks);
  }
  for (unsigned ranks : sizes) {
    if (interrupted()) return;
    auto r = run_job(b, ranks);
    if (!r) continue;
    if (b.compared.with != nullptr) compare(*r, b.compared, records);
    records.push_back(*r);
  }
}

std::optional<record> runner::run_job(const benchmark& b, unsigned ranks) {
  bench::show_progress(b.alone ? b.name : fmt::format("{} on {} ranks", b.name, ranks));
  const tools::affinity_limit limit(some_cpus(b.cores));
  ramjet::launcher::launch_options options;
  if (!wrapper_.empty()) options.command = {wrapper_};
  options.command.insert(options.command.end(), {program_, "bench", "--worker"});
  for (std::string& word : bench::worker_arguments(b.name, how_much_))
    options.command.push_back(std::move(word));
  options.ranks = ranks;
  // Ranks 0 and 1 get a core each even if there are more ranks; a crowd on two cores is left alone.
  const bool core_each = b.alone ? b.cores == 1 : b.cores == 0 || ranks <= b.cores;
  if (core_each && !b.coproc) options.bind = ramjet::launcher::binding::core;
  // The workers of a lone process have a core each, which it binds them to by itself.
  if (b.alone && b.cores != 1) options.bind = ramjet::launcher::binding::none;
  if (b.coproc) options.environment = {"RAMJET_PROGRESS=coproc"};
  options.timeout_s = kJobSecondsMax;
  options.forward_input = false;
  options.nodes = b.machines;
  const shared_file area(b.machines > 1 ? sizeof(bench::shared_area) : 0);
  if (b.machines > 1)
    options.environment.push_back(std::string(bench::kAreaVariable) + "=" + area.path());
  std::string line;
  options.on_stdout = [&line](int rank, std::string_view text) {
    if (rank == 0) line = text;
  };
  const int status = ramjet::launcher::launch(options);
  if (status != 0) {
    fail(b, fmt::format("its job of {} ranks ended with status {}", ranks, status), status);
    return std::nullopt;
  }
  const std::optional<const json> parsed = json::parse(line);
  if (!parsed || !(*parsed)["value"].is_number()) {
    fail(b, "rank 0 reported none", 1);
    return std::nullopt;
  }
  const json& out = *parsed;
  record r{b.name,       out["value"].as_double(), b.unit, b.lower_is_better, std::nullopt,
           out["params"]};
  if (out["limit"].is_number()) r.limit = out["limit"].as_double();
  if (cores_ < (b.alone ? b.cores : 2))
    bench::add_note(
        r, fmt::format("one usable core: the {} take turns", b.alone ? "workers" : "ranks"));
  return r;
}

std::optional<record> runner::run_command(const benchmark& b) {
  bench::show_progress(b.name);
  std::string missing;
  std::optional<record> r;
  try {
    r = b.command({program_, how_much_, cores_, wrapper_}, missing);
  } catch (const bench::interrupted& i) {
    fail(b, "interrupted", 128 + i.signal);
    return std::nullopt;
  } catch (const std::exception& e) {
    fail(b, e.what(), 1);
    return std::nullopt;
  }
  if (!r) {
    bench::show_progress("");
    fmt::print(stderr, "ramjet bench: {} is left out: {}\n", b.name, missing);
    return std::nullopt;
  }
  r->name = b.name;
  r->unit = b.unit;
  r->lower_is_better = b.lower_is_better;
  return r;
}

// The machine may have changed its pace between the two jobs; the ratio of the ratios to the raw
// limit tells.
void runner::compare(record& r, const bench::comparison& with, const std::vector<record>& before) {
  const auto same = std::find_if(before.begin(), before.end(),
                                 [&](const record& each) { return each.name == with.with; });
  const std::optional<record> base =
      same != before.end() ? *same : run_job(*bench::find_benchmark(with.with), 2);
  if (!base || !r.limit || !base->limit) return;
  const double ratio = r.value / base->value;
  r.params[with.key] = ratio;
  r.params[std::string(with.key) + "_by_limit"] =
      (r.value / *r.limit) / (base->value / *base->limit);
  bench::add_note(r, fmt::format("{:.2f} x {}", ratio, with.with));
}

// --- Command line -------------------------------------------------------------------------------

// Letters to insert, remove or change to make one word of the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

// Names that were perhaps meant: those that contain the word, else the nearest by spelling.
std::string nearest(const std::string& word) {
  std::vector<std::pair<std::size_t, std::string>> known;
  for (const benchmark& b : bench::suite()) {
    const std::string name = b.name;
    known.emplace_back(name.find(word) != name.npos ? 0 : distance(word, name), name);
  }
  std::stable_sort(known.begin(), known.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string names;
  for (std::size_t i = 0; i < 3; ++i) names += (i == 0 ? "" : ", ") + known[i].second;
  return names;
}

std::string json_list() {
  console::json all = console::json::array();
  for (const benchmark& b : bench::suite())
    all.push_back({{"name", b.name}, {"unit", b.unit}, {"what", b.what}});
  return all.dump(1) + "\n";
}

std::string list() {
  std::string lines;
  for (const benchmark& b : bench::suite())
    lines += fmt::format("{:<20}  {:<5} {}\n", b.name, b.unit, b.what);
  return lines;
}

constexpr const char* kFooter = R"(
Without names all benchmarks run, in about seven minutes. Where there is a limit, it is what bare
loads and stores need for the same thing; it is taken in turns with ours, block by block, by the
same processes on the same cores. Machines drift: believe ratios rather than times. The exit status
is 1 if a benchmark failed or a message arrived wrong; with --compare, 3 if a row is worse than
before, 4 if none can be compared.

  ramjet bench am_round_trip am_rate
  ramjet bench --json > before.json
  ramjet bench --compare before.json)";

struct request {
  std::vector<std::string> names;
  effort how_much;
  bool as_json = false;
  bool list = false;
  std::string wrapper;
  tools::comparison_request compared;
};

// Fills in the request, or returns the exit status.
std::optional<int> read_command_line(int argc, char** argv, request& out) {
  console::command_line line(kName,
                             "Measures this machine's message costs beside their raw limits.",
                             "usage: ramjet bench [options] [NAME...]", kFooter);
  line.positional("NAME", "which benchmarks; all of them without this", out.names);
  line.flag("--list", "print the names and what they mean", out.list);
  line.flag("--json", "print one JSON array of records, or with --list of what there is",
            out.as_json);
  line.flag("--quick", "only see that everything runs; the figures mean nothing",
            out.how_much.quick);
  line.word("--wrapper", "COMMAND",
            "start each rank by this command, followed by its own: to put it on another network, "
            "by RAMJET_NODE and RAMJET_INTERFACE",
            out.wrapper);
  std::string repeats;
  line.word("--repeats", "R",
            fmt::format("blocks whose median is reported; without this {}, or as many as fit into "
                        "{} s",
                        effort::kRepeats, effort::kSeconds),
            repeats);
  std::string percent;
  tools::add_options(line, out.compared, percent);
  if (const auto status = tools::read(kName, line, argc, argv)) return status;
  if (const auto status = tools::check_options(kName, percent, out.compared)) return status;
  for (const std::string& name : out.names)
    if (bench::find_benchmark(name) == nullptr)
      return tools::refuse(
          kName, fmt::format("there is no benchmark '{}'; near it: {}", name, nearest(name)));
  if (!out.compared.new_file.empty() &&
      (out.how_much.quick || !repeats.empty() || !out.wrapper.empty()))
    return tools::refuse(kName,
                         "--with compares two files, and --quick, --repeats and --wrapper "
                         "are of a run: leave them out");
  if (!repeats.empty()) {
    long long number = 0;
    if (!console::read_number(repeats, number) || number < 1 || number > kRepeatsMax)
      return tools::refuse(
          kName, fmt::format("--repeats {}: give a number from 1 to {}", repeats, kRepeatsMax));
    out.how_much.repeats = unsigned(number);
    out.how_much.seconds = 0;
  } else if (out.how_much.quick) {
    out.how_much.repeats = 2;
  }
  return std::nullopt;
}

bool wanted(const request& wish, const benchmark& b) {
  return wish.names.empty() ||
         std::find(wish.names.begin(), wish.names.end(), b.name) != wish.names.end();
}

// Adds the names of the earlier run, if there are none: those that are still known.
void add_names(const pages::input& old_run, request& wish) {
  const std::vector<std::string> names = tools::names_of(old_run);
  if (!wish.names.empty()) return;
  for (const std::string& name : names)
    if (bench::find_benchmark(name) != nullptr) wish.names.push_back(name);
  if (wish.names.empty()) pages::refuse_input(old_run, "none of its benchmarks is known");
}

int run_all(const request& wish, const std::optional<pages::input>& old_run) {
  runner all(wish.how_much, wish.wrapper);
  std::vector<record> records;
  for (const benchmark& b : bench::suite()) {
    if (wanted(wish, b)) all.run(b, records);
    if (all.interrupted()) return all.exit_status();
  }
  bench::show_progress("");
  if (old_run) {
    if (records.empty()) return all.exit_status() != 0 ? all.exit_status() : 1;
    const pages::input now = pages::input_of("this run", bench::as_json(records, provenance()));
    const int found = tools::print_comparison(*old_run, now, wish.compared, wish.as_json);
    return all.exit_status() != 0 ? all.exit_status() : found;
  }
  const int written = tools::print(wish.as_json ? bench::as_json(records, provenance())
                                                : bench::as_table(records, provenance()));
  return all.exit_status() != 0 ? all.exit_status() : written;
}

int run_compared(request& wish) {
  try {
    const pages::input old_run = tools::only(pages::read_input(wish.compared.old_file), wish.names);
    if (!wish.compared.new_file.empty())
      return tools::print_comparison(
          old_run, tools::only(pages::read_input(wish.compared.new_file), wish.names),
          wish.compared, wish.as_json);
    add_names(old_run, wish);
    return run_all(wish, old_run);
  } catch (const pages::input_error& wrong) {
    return tools::fail(kName, wrong.what());
  } catch (const console::json::wrong_kind& wrong) {
    return tools::fail(
        kName, fmt::format("a run that is compared is not what it seems ({})", wrong.what()));
  }
}

}  // namespace

int bench_command(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--worker") == 0)
    return bench::run_worker(argc - 2, argv + 2);
  request wish;
  if (const auto status = read_command_line(argc, argv, wish)) return *status;
  if (wish.list) return tools::print(wish.as_json ? json_list() : list());
  return wish.compared.old_file.empty() ? run_all(wish, std::nullopt) : run_compared(wish);
}
