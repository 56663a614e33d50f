// SPDX-License-Identifier: Apache-2.0
#include "papers/study/report/study.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>

#include "languages/support/failure.hpp"
#include "languages/support/files.hpp"
#include "languages/support/toolchain/processes.hpp"
#include "papers/study/geometric_mean.hpp"
#include "papers/study/report/embedded.hpp"

namespace study {
namespace {

// A first level and a second one of today.
constexpr cache_levels kLevelsToday = {
    .code = {32 * 1024, 8, 64}, .data = {32 * 1024, 8, 64}, .behind = {1024 * 1024, 16, 64}};

struct task {
  const study_program* program;
  program_result* result;
  discipline how;
};

std::string said(const task& t, const outcome& o) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), "%-10s %-10s %8.2f million instructions, %5.1f s",
                t.program->name.c_str(), std::string(name_of(t.how)).c_str(),
                double(o.counts.instructions()) / 1e6, o.seconds);
  return line.data();
}

struct source {
  std::string text, file;
};

source source_of(const study_program& p, const study_options& options) {
  if (options.programs.empty()) return {std::string(embedded(p.file)), p.file};
  const std::string file = options.programs + "/" + p.file;
  return {frontend::read_file(file), file};
}

// What --size gives, else these.
std::vector<std::string> arguments_of(const study_program& p, const study_options& options,
                                      const std::vector<std::string>& usual) {
  std::vector<std::string> found = options.is_quick ? p.quick_arguments : usual;
  for (const auto& [name, arguments] : options.arguments)
    if (name == p.name) found = arguments;
  return found;
}

outcome execute(const task& t, const study_options& options) {
  const source from = source_of(*t.program, options);
  const tl0::program p = program_of(from.text, from.file);
  experiment_options how{.first_ready_first = options.first_ready_first};
  if (t.how == discipline::am_enabled) {
    how.sweep.reset();
  } else {
    how.levels = kLevelsToday;
    how.by_region = kTableShape;
  }
  if (how.sweep && !options.has_all_blocks) how.sweep->block_bytes = {kBlockBytes};
  return execute(p, words_of(p, t.result->arguments), t.how, how);
}

void finish(const task& t, outcome o) {
  switch (t.how) {
    case discipline::am:
      t.result->am = std::move(o);
      return;
    case discipline::am_enabled:
      t.result->enabled = std::move(o);
      return;
    case discipline::md:
      t.result->md = std::move(o);
  }
}

// Runs all tasks on `options.threads` threads; one that fails ends it. Of several the first of the
// list is reported: tasks are begun in their order, so those before it have been begun, and end.
void work(std::vector<task>& tasks, const study_options& options) {
  std::atomic<std::size_t> next{0};
  std::mutex lock;
  std::exception_ptr failed;
  std::size_t failed_at = tasks.size();
  const auto worker = [&] {
    for (std::size_t i; (i = next++) < tasks.size();) {
      try {
        outcome done = execute(tasks[i], options);
        const std::lock_guard guard(lock);
        if (options.progress) options.progress(said(tasks[i], done));
        finish(tasks[i], std::move(done));
      } catch (...) {
        const std::lock_guard guard(lock);
        if (i < failed_at) {
          failed_at = i;
          failed = std::current_exception();
        }
        next = tasks.size();
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 1; i < options.threads; ++i) workers.emplace_back(worker);
    worker();
  }
  if (failed) std::rethrow_exception(failed);
}

// The calls of a program in Id go to all ranks; those of the programs by hand stay where they are.
source translated(const study_program& p, const study_options& options) {
  if (::access(options.idc.c_str(), X_OK) != 0)
    throw program_error(options.idc +
                        " is not there, which compiles the programs that run on several ranks; "
                        "--ranks 1 does without");
  const std::string file = p.file.substr(0, p.file.rfind('.')) + ".id";
  const std::string text(embedded(file));
  const frontend::run_result done = frontend::run({options.idc, "-S", "-"}, true, &text);
  if (done.status != 0) throw program_error(file + " cannot be translated:\n" + done.errors);
  return {done.output, file};
}

native_study run_native(const study_options& options) {
  const bool is_own = options.programs.empty();
  std::vector<native_program> alone, on_ranks;
  for (const study_program& p : study_programs()) {
    source from = source_of(p, options);
    alone.push_back({p.name, std::move(from.text), std::move(from.file),
                     arguments_of(p, options, p.native_arguments)});
    if (options.native.ranks.empty()) continue;
    on_ranks.push_back(alone.back());
    if (!is_own) continue;
    from = translated(p, options);
    on_ranks.back() = {p.name, std::move(from.text), std::move(from.file),
                       arguments_of(p, options, p.id_arguments)};
    on_ranks.back().arguments.resize(p.id_arguments.size());
  }
  native_options how = options.native;
  how.progress = options.progress;
  return run_native(alone, on_ranks, how);
}

}  // namespace

const std::vector<study_program>& study_programs() {
  static const std::vector<study_program> programs = {
      {"MMT", "mmt.tl0", {"50"}, {"8"}, {"300"}, {"300"}},
      {"QS", "quicksort.tl0", {"100"}, {"20"}, {"100000"}, {"100000"}},
      {"DTW", "dtw.tl0", {"10", "10"}, {"6", "2"}, {"2000", "1"}, {"1000"}},
      {"paraffins", "paraffins.tl0", {"13"}, {"8"}, {"20"}, {"20"}},
      {"wavefront", "wavefront.tl0", {"40", "4"}, {"10", "2"}, {"400", "100"}, {"1000"}},
      {"SS", "selection_sort.tl0", {"100"}, {"20"}, {"3000"}, {"2000"}},
  };
  return programs;
}

const program_result* study_result::find(std::string_view name) const {
  const auto at = std::find_if(programs.begin(), programs.end(),
                               [name](const program_result& p) { return p.name == name; });
  return at == programs.end() ? nullptr : &*at;
}

study_result run_study(const study_options& options) {
  study_result result;
  result.has_all_blocks = options.has_all_blocks;
  for (const study_program& p : study_programs()) {
    program_result made;
    made.name = p.name;
    made.arguments = arguments_of(p, options, p.arguments);
    result.programs.push_back(std::move(made));
  }
  std::vector<task> tasks;
  for (const discipline how : kDisciplines)
    for (std::size_t i = 0; i < result.programs.size(); ++i)
      tasks.push_back({&study_programs()[i], &result.programs[i], how});
  work(tasks, options);
  for (const program_result& p : result.programs)
    if (p.am.output != p.md.output || p.am.output != p.enabled.output)
      throw program_error(p.name + " prints other things by MD than by AM:\n" + p.am.output +
                          p.md.output + p.enabled.output);
  if (options.is_native) result.native = run_native(options);
  return result;
}

double ratio(const program_result& p, const cache_shape& shape, double miss_cycles) {
  return p.md.cycles(shape, miss_cycles) / p.am.cycles(shape, miss_cycles);
}

double ratio_without_code_misses(const program_result& p, const cache_shape& shape,
                                 double miss_cycles) {
  const auto cycles = [&](const outcome& o) {
    return double(o.counts.instructions()) +
           miss_cycles * double(o.caches->data().of(shape).misses());
  };
  return cycles(p.md) / cycles(p.am);
}

double ratio_of_levels(const program_result& p) {
  const auto cycles = [](const outcome& o) {
    const std::uint64_t first = o.caches->code_level().misses() + o.caches->data_level().misses();
    return double(o.counts.instructions()) + kSecondLevelCycles * double(first) +
           kMissCyclesToday * double(o.caches->level_behind().read_misses);
  };
  return cycles(p.md) / cycles(p.am);
}

double mean_ratio_of_levels(const study_result& s) {
  geometric_mean mean;
  for (const program_result& p : s.programs) mean.add(ratio_of_levels(p));
  return mean.value();
}

double mean_native_ratio(const study_result& s, std::size_t scheduler) {
  geometric_mean mean;
  for (const native_result& n : s.native.alone) mean.add(n.ratio(scheduler));
  return mean.value();
}

double mean_ratio(const study_result& s, const cache_shape& shape, double miss_cycles,
                  std::string_view without, ratio_function of) {
  geometric_mean mean;
  for (const program_result& p : s.programs)
    if (p.name != without) mean.add(of(p, shape, miss_cycles));
  return mean.value();
}

std::vector<std::uint32_t> sizes() {
  std::vector<std::uint32_t> all;
  const sweep_range range;
  for (std::uint32_t bytes = range.bytes_min; bytes <= range.bytes_max; bytes *= 2)
    all.push_back(bytes);
  return all;
}

double threads_a_quantum(const outcome& o) {
  return double(o.counts.threads) / double(o.counts.quanta);
}
double instructions_a_thread(const outcome& o) {
  return double(o.counts.instructions()) / double(o.counts.threads);
}
double instructions_a_quantum(const outcome& o) {
  return double(o.counts.instructions()) / double(o.counts.quanta);
}

double mean_accesses(const study_result& s, access a) {
  double sum = 0;
  for (const program_result& p : s.programs)
    sum += double(p.md.counts.of(a)) / double(p.am.counts.of(a));
  return sum / double(s.programs.size());
}

}  // namespace study
