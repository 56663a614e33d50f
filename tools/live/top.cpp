// SPDX-License-Identifier: Apache-2.0
// `ramjet top`: what the ranks of a running job do.
#include "top.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "tools/cli/json.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"

namespace tools::top {

bool live_job::sample(std::string& why) {
  if (job_->is_over()) {
    ended_ = true;
    why = fmt::format("the job of process {} has ended", job_->id());
    return false;
  }
  if (!job_->refresh(why)) {
    why = fmt::format("the memory of the job of process {} is damaged: {}", job_->id(), why);
    return false;
  }
  monitor::job_sample fresh = sampler_.take(job_->readable());
  before_ = now_.ranks.empty() ? fresh : std::move(now_);
  now_ = std::move(fresh);
  return true;
}

namespace {

using console::json;

constexpr const char* kTopName = "ramjet top";
constexpr double kIntervalMin = 0.05, kIntervalMax = 3600;

constexpr const char* kTopFooter = R"(
JOB is the process of `ramjet run`, srun's or mpirun's ranks, or mpirun itself; without it, the only
job of yours that runs on this machine. Of a job on several machines those ranks are seen that run
here. On the screen h shows the keys.

  ramjet top
  ramjet top --once --sort bytes
  ramjet top 4711 --json --interval 5 > job.jsonl)";

// As they were typed.
struct typed {
  std::vector<std::string> job;
  std::string interval, sort, filter;
  bool once = false, as_json = false, list = false;
};

void describe(console::command_line& line, typed& t) {
  line.positional("JOB", "a process of the job", t.job);
  line.flag("--once", "print one table, of what happens within the interval, and end", t.once);
  line.flag("--json",
            "print a JSON object on a line for each interval, until the job ends; with --list an "
            "array of jobs",
            t.as_json);
  line.flag("--list", "print the jobs of yours that run on this machine, and end", t.list);
  line.word("--interval", "S", "seconds between two looks; 1 without this option", t.interval);
  line.word("--sort", "COLUMN", "begin sorted by this column: " + titles(), t.sort);
  line.word("--filter", "TEXT",
            "show the ranks 0-7,12 (numbers), or those whose state or wait contains the text",
            t.filter);
}

std::optional<std::string> interpret(const typed& t, top_options& out, pid_t& pid) {
  if (t.job.size() > 1) return "name one job; '" + t.job[1] + "' is one more";
  long long number = 0;
  if (!t.job.empty()) {
    if (!console::read_number(t.job[0], number) || number < 1 || number > 1LL << 30)
      return "JOB " + t.job[0] + ": give the number of a process of the job";
    pid = pid_t(number);
  }
  if (!t.interval.empty() && (!console::read_number(t.interval, out.interval_s) ||
                              !(out.interval_s >= kIntervalMin) || out.interval_s > kIntervalMax)) {
    return "--interval " + t.interval + ": give seconds from 0.05 to 3600";
  }
  if (!t.sort.empty() && !find_column(t.sort, out.sorting.by))
    return "--sort " + t.sort + ": there is no such column; there are " + titles();
  if (is_wrong_list(t.filter)) return "--filter " + t.filter + ": give ranks as 0-7,12, or a text";
  out.filter = t.filter;
  return {};
}

std::string list_of(const std::vector<std::unique_ptr<monitor::attached_job>>& jobs) {
  std::string out = fmt::format("{:>8} {:>6} {:>6}  {}\n", "JOB", "RANKS", "NODES", "PROGRAM");
  for (const auto& job : jobs)
    out += fmt::format("{:>8} {:>6} {:>6}  {}\n", job->id(), job->ranks(), job->nodes(),
                       job->command());
  return out;
}

std::string json_list_of(const std::vector<std::unique_ptr<monitor::attached_job>>& jobs) {
  json out = json::array();
  for (const auto& job : jobs)
    out.push_back({{"job", std::int64_t{job->id()}},
                   {"ranks", job->ranks()},
                   {"nodes", job->nodes()},
                   {"program", job->command()}});
  return out.dump(1) + "\n";
}

int fail(const std::string& sentence) {
  fmt::print(stderr, "ramjet top: {}\n", sentence);
  return 1;
}

// The job to look at; nullptr after standard error has said why there is none.
std::unique_ptr<monitor::attached_job> choose(pid_t pid) {
  std::string message;
  if (pid != 0) {
    auto job = monitor::find_job_of(pid, message);
    if (job == nullptr) fail(message);
    return job;
  }
  auto jobs = monitor::find_jobs();
  if (jobs.size() == 1) return std::move(jobs.front());
  if (jobs.empty()) {
    fail("no Ramjet job of yours runs on this machine");
    return nullptr;
  }
  for (const auto& job : jobs)
    message += fmt::format("{}{} ({}, {} ranks)", message.empty() ? "" : ", ", job->id(),
                           job->command(), job->ranks());
  fail(fmt::format("{} jobs run, say which: {}", jobs.size(), message));
  return nullptr;
}

json json_of(const look& l, unsigned rank) {
  const monitor::rank_sample& r = l.now.ranks[rank];
  const monitor::rates& rate = l.rates[rank];
  json out = json::object();
  out["rank"] = rank;
  out["node"] = r.node;
  out["seen"] = r.seen;
  out["state"] = name_of(r.does);
  if (!r.seen) return out;
  out["pid"] = std::int64_t{r.pid};
  out["wait"] = r.call.empty() ? json() : json(r.call);
  out["waits_for"] = r.target < 0 ? json() : json(r.target);
  out["waited_ns"] = r.waited_ns;
  out["sent"] = r.out.sent;
  out["handled"] = r.in.handled;
  out["bytes"] = r.out.bytes;
  out["far_sent"] = r.far_sent;
  out["sent_per_s"] = rate.sent;
  out["handled_per_s"] = rate.handled;
  out["bytes_per_s"] = rate.bytes_out;
  out["queued"] = r.queued;
  out["in_handler"] = r.in_handler;
  out["chained"] = r.chained;
  out["full_lanes"] = r.full_lanes;
  out["threads"] = r.threads;
  out["cpu"] = rate.cpu;
  out["resident_bytes"] = r.resident_bytes;
  return out;
}

std::string json_line(const live_job& job, const look& l, const top_options& options) {
  const std::vector<unsigned> chosen = chosen_ranks(l, options.sorting, options.filter);
  std::vector<bool> is_chosen(l.now.ranks.size());
  for (const unsigned rank : chosen) is_chosen[rank] = true;
  json out = json::object();
  out["job"] = std::int64_t{job.attached().id()};
  out["program"] = job.attached().command();
  out["time_ns"] = l.now.taken_ns;
  out["interval_ns"] = l.now.taken_ns - l.before.taken_ns;
  out["nodes"] = l.now.nodes;
  json ranks = json::array();
  for (const unsigned rank : chosen) ranks.push_back(json_of(l, rank));
  out["ranks"] = std::move(ranks);
  json pairs = json::array();
  for (const auto& [key, pair] : l.now.pairs) {
    if (!is_chosen[key.first] && !is_chosen[key.second]) continue;
    json one = json::object();
    one["from"] = key.first;
    one["to"] = key.second;
    one["sent"] = pair.moved.sent;
    one["bytes"] = pair.moved.bytes;
    one["sent_per_s"] = l.pairs.at(key).sent;
    one["bytes_per_s"] = l.pairs.at(key).bytes;
    one["queued"] = pair.queued;
    pairs.push_back(std::move(one));
  }
  out["pairs"] = std::move(pairs);
  return out.dump() + "\n";
}

std::string table_of(const live_job& job, const look& l, const top_options& options) {
  std::string out =
      fmt::format("{} (job {}): {}\n\n", job.attached().command(), job.attached().id(), summary(l));
  out += title_row(l, options.sorting) + "\n";
  for (unsigned rank : chosen_ranks(l, options.sorting, options.filter))
    out += rank_row(l, rank) + "\n";
  return out;
}

void pause_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// Table or lines, without a screen. The first sample has been taken.
int print_looks(live_job& job, const typed& t, const top_options& options) {
  std::string why;
  do {
    pause_for(options.interval_s);
    if (!job.sample(why)) {
      if (!job.has_ended() || t.once) return fail(why);
      fmt::print(stderr, "ramjet top: {}\n", why);
      return 0;
    }
    const look l = job.current();
    const std::string text = t.as_json ? json_line(job, l, options) : table_of(job, l, options);
    if (const int status = tools::print(text); status != 0) return status;
  } while (!t.once);
  return 0;
}

int run_top(int argc, char** argv) {
  console::command_line line(kTopName, "Shows what the ranks of a running job do.",
                             "usage: ramjet top [JOB] [options]", kTopFooter);
  typed t;
  describe(line, t);
  if (const auto status = tools::read(kTopName, line, argc, argv)) return *status;
  top_options options;
  pid_t pid = 0;
  if (auto wrong = interpret(t, options, pid)) return tools::refuse(kTopName, *wrong);
  if (t.list) {
    const auto jobs = monitor::find_jobs();
    return tools::print(t.as_json ? json_list_of(jobs) : list_of(jobs));
  }
  const bool on_screen = !t.once && !t.as_json;
  if (on_screen && (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1))
    return tools::refuse(kTopName, "this is not a terminal: use --once or --json");
  auto found = choose(pid);
  if (found == nullptr) return 1;
  live_job job(std::move(found));
  std::string why;
  if (!job.sample(why)) return fail(why);
  return on_screen ? show_on_screen(job, options) : print_looks(job, t, options);
}

}  // namespace
}  // namespace tools::top

int top_command(int argc, char** argv) { return tools::top::run_top(argc, argv); }
