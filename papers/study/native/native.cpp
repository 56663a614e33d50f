// SPDX-License-Identifier: Apache-2.0
#include "papers/study/native/native.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "languages/support/failure.hpp"
#include "languages/support/toolchain/processes.hpp"
#include "languages/support/toolchain/tam_program.hpp"
#include "languages/support/toolchain/temporary_files.hpp"
#include "languages/tam/tl0/emit/emit.hpp"
#include "papers/study/experiment/experiment.hpp"
#include "papers/study/geometric_mean.hpp"

namespace study {
namespace {

constexpr const char* kTool = "ramjet tam";
constexpr const char* kJobSecondsMax = "600";

using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

double seconds_of(const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); }

// Of all children that have ended.
double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

using executables = std::array<std::string, kSchedulers.size()>;

// What has been compiled, by its text: a program can be in both parts of the study.
class workshop {
 public:
  explicit workshop(const native_options& options) : options_(options), files_(kTool) {}

  const executables& compiled(const native_program& of) {
    const auto [at, is_new] = made_.try_emplace(of.source);
    if (!is_new) return at->second;
    if (options_.progress) options_.progress("compiling " + of.file);
    const std::string unit = tl0::emit(program_of(of.source, of.file));
    for (std::size_t s = 0; s < kSchedulers.size(); ++s) {
      at->second[s] =
          files_.name(fmt::format("{}_{}_{}", of.name, made_.size(), kSchedulers[s]), "");
      frontend::tam_program_options how;
      how.scheduler = kSchedulers[s];
      if (!frontend::make_tam_program(kTool, unit, of.file, how, at->second[s], files_))
        throw frontend::failure(of.file + " cannot be compiled for the scheduler " + how.scheduler);
    }
    return at->second;
  }

 private:
  const native_options& options_;
  frontend::temporary_files files_;
  std::map<std::string, executables> made_;
};

// Runs it, and compares what it prints with what it printed before.
void run(const frontend::command& words, const std::string& how, std::string& output) {
  const frontend::run_result done = frontend::run(words, true);
  if (done.status != 0)
    throw program_error(
        fmt::format("{} ends with status {}:\n{}", how, done.status, done.errors + done.output));
  if (output.empty()) output = done.output;
  if (output != done.output)
    throw program_error(how + " prints other things than by " + std::string(kSchedulers[0]) +
                        ":\n" + done.output + output);
}

std::string name_of_run(const std::string& name, std::size_t scheduler) {
  return fmt::format("{} by the scheduler {}", name, kSchedulers[scheduler]);
}

void say(const native_options& options, const std::string& name, std::size_t scheduler,
         const std::string& where, double seconds) {
  if (options.progress)
    options.progress(fmt::format("{:<10} {:<10} {:<8} {:8.1f} ms", name, kSchedulers[scheduler],
                                 where, 1e3 * seconds));
}

frontend::command with_arguments(frontend::command words,
                                 const std::vector<std::string>& arguments) {
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

// Each by itself, without a launcher.
class alone_runs {
 public:
  alone_runs(native_study& to, const native_options& options) : to_(to), options_(options) {
    to_.counts_missing = counters_.missing();
  }

  void add(const native_program& p, const executables& made) {
    to_.alone.push_back({p.name, p.arguments, {}, {}, {}});
    made_.push_back(made);
    counts_.emplace_back();
  }

  void run_all() {
    for (int repeat = 0; repeat < options_.repeats; ++repeat)
      for (std::size_t i = 0; i < made_.size(); ++i)
        for (std::size_t s = 0; s < kSchedulers.size(); ++s) run_once(i, s);
    for (std::size_t i = 0; i < made_.size(); ++i)
      for (std::size_t s = 0; s < kSchedulers.size(); ++s)
        for (std::size_t e = 0; e < kHardwareEvents; ++e)
          if (std::vector<double>& all = counts_[i][s][e]; !all.empty())
            to_.alone[i].counts[s][e] = median_of(std::move(all));
  }

 private:
  void run_once(std::size_t i, std::size_t s) {
    native_result& of = to_.alone[i];
    counters_.take();
    const double before = processor_seconds();
    run(with_arguments({made_[i][s]}, of.arguments), name_of_run(of.name, s), of.output);
    of.by[s].seconds.push_back(processor_seconds() - before);
    const hardware_counts counted = counters_.take();
    for (std::size_t e = 0; e < kHardwareEvents; ++e)
      if (counted[e]) counts_[i][s][e].push_back(*counted[e]);
    say(options_, of.name, s, "", of.by[s].seconds.back());
  }

  native_study& to_;
  const native_options& options_;
  hardware_counters counters_;
  std::vector<executables> made_;
  // Of each program, by scheduler and event: those of all runs.
  std::vector<std::array<std::array<std::vector<double>, kHardwareEvents>, kSchedulers.size()>>
      counts_;
};

// By the launcher. The first of the repeats decides on how many ranks there is time to run.
class ranks_runs {
 public:
  ranks_runs(native_study& to, const native_options& options)
      : to_(to), options_(options), begin_(steady_clock::now()) {}

  void add(const native_program& p, const executables& made) {
    to_.on_ranks.push_back({p.name, p.arguments, {}, {}});
    made_.push_back(made);
  }

  void run_all() {
    for (const unsigned ranks : options_.ranks) {
      if (!run_on(ranks, to_.ranks.size())) break;
      to_.ranks.push_back(ranks);
    }
    for (ranks_result& each : to_.on_ranks) each.by_ranks.resize(to_.ranks.size());
    for (int repeat = 1; repeat < options_.repeats; ++repeat)
      for (std::size_t at = 0; at < to_.ranks.size(); ++at)
        if (!run_on(to_.ranks[at], at)) return;
  }

 private:
  bool has_time() const { return seconds_since(begin_) < options_.ranks_seconds; }

  // False: the time was up before all had run.
  bool run_on(unsigned ranks, std::size_t at) {
    for (std::size_t i = 0; i < made_.size(); ++i)
      for (std::size_t s = 0; s < kSchedulers.size(); ++s) {
        if (!to_.ranks.empty() && !has_time()) return false;
        ranks_result& of = to_.on_ranks[i];
        of.by_ranks.resize(std::max(of.by_ranks.size(), at + 1));
        const auto begin = steady_clock::now();
        run(with_arguments({options_.launcher, "run", "--timeout", kJobSecondsMax, "-n",
                            std::to_string(ranks), made_[i][s]},
                           of.arguments),
            fmt::format("{} on {} ranks", name_of_run(of.name, s), ranks), of.output);
        of.by_ranks[at][s].seconds.push_back(seconds_since(begin));
        say(options_, of.name, s, fmt::format("{} ranks", ranks),
            of.by_ranks[at][s].seconds.back());
      }
    return true;
  }

  native_study& to_;
  const native_options& options_;
  const steady_clock::time_point begin_;
  std::vector<executables> made_;
};

}  // namespace

double native_times::median() const { return median_of(seconds); }

double native_result::ratio(std::size_t scheduler) const {
  return by[scheduler].median() / by[kNativeAm].median();
}

double ranks_result::speed_up(std::size_t ranks_index, std::size_t scheduler) const {
  return by_ranks[0][scheduler].median() / by_ranks[ranks_index][scheduler].median();
}

double native_study::mean_speed_up(std::size_t ranks_index, std::size_t scheduler) const {
  geometric_mean mean;
  for (const ranks_result& each : on_ranks) mean.add(each.speed_up(ranks_index, scheduler));
  return mean.value();
}

native_study run_native(const std::vector<native_program>& alone,
                        const std::vector<native_program>& on_ranks,
                        const native_options& options) try {
  workshop compiler(options);
  native_study made;
  alone_runs first(made, options);
  for (const native_program& p : alone) first.add(p, compiler.compiled(p));
  first.run_all();
  if (options.ranks.empty()) return made;
  std::vector<executables> ready;
  for (const native_program& p : on_ranks) ready.push_back(compiler.compiled(p));
  ranks_runs second(made, options);
  for (std::size_t i = 0; i < on_ranks.size(); ++i) second.add(on_ranks[i], ready[i]);
  second.run_all();
  return made;
} catch (const frontend::failure& wrong) {
  throw program_error(wrong.what());
}

}  // namespace study
