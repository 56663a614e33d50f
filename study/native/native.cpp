// SPDX-License-Identifier: Apache-2.0
#include "study/native/native.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

#include "frontend/failure.hpp"
#include "frontend/toolchain/processes.hpp"
#include "frontend/toolchain/tam_program.hpp"
#include "frontend/toolchain/temporary_files.hpp"
#include "study/experiment/experiment.hpp"
#include "tl0/emit/emit.hpp"

namespace study {
namespace {

constexpr const char* kTool = "ramjet tam";

double seconds_of(const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); }

// Of all children that have ended.
double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

using executables = std::array<std::string, kSchedulers.size()>;

executables compiled(const native_program& of, frontend::temporary_files& files) {
  const std::string unit = tl0::emit(program_of(of.source, of.file));
  executables made;
  for (std::size_t s = 0; s < made.size(); ++s) {
    made[s] = files.name(of.name + "_" + std::string(kSchedulers[s]), "");
    frontend::tam_program_options how;
    how.scheduler = kSchedulers[s];
    if (!frontend::make_tam_program(kTool, unit, of.file, how, made[s], files))
      throw frontend::failure(of.file + " cannot be compiled for the scheduler " + how.scheduler);
  }
  return made;
}

void run_once(native_result& of, std::size_t scheduler, const std::string& executable) {
  frontend::command words{executable};
  words.insert(words.end(), of.arguments.begin(), of.arguments.end());
  const double before = processor_seconds();
  const frontend::run_result done = frontend::run(words, true);
  of.by[scheduler].seconds.push_back(processor_seconds() - before);
  const std::string how = fmt::format("{} by the scheduler {}", of.name, kSchedulers[scheduler]);
  if (done.status != 0)
    throw program_error(
        fmt::format("{} ends with status {}:\n{}", how, done.status, done.errors + done.output));
  if (of.output.empty()) of.output = done.output;
  if (of.output != done.output)
    throw program_error(how + " prints other things than by " + std::string(kSchedulers[0]) +
                        ":\n" + done.output + of.output);
}

std::string said(const native_result& of, std::size_t scheduler) {
  return fmt::format("{:<10} {:<10} {:8.1f} ms", of.name, kSchedulers[scheduler],
                     1e3 * of.by[scheduler].seconds.back());
}

}  // namespace

double native_times::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double native_result::ratio(std::size_t scheduler) const {
  return by[scheduler].median() / by[kNativeAm].median();
}

std::vector<native_result> run_native(const std::vector<native_program>& programs,
                                      const native_options& options) try {
  frontend::temporary_files files(kTool);
  std::vector<executables> ready;
  std::vector<native_result> results;
  for (const native_program& p : programs) {
    if (options.progress) options.progress("compiling " + p.name);
    ready.push_back(compiled(p, files));
    results.push_back({p.name, p.arguments, {}, {}});
  }
  for (int repeat = 0; repeat < options.repeats; ++repeat)
    for (std::size_t i = 0; i < results.size(); ++i)
      for (std::size_t s = 0; s < kSchedulers.size(); ++s) {
        run_once(results[i], s, ready[i][s]);
        if (options.progress) options.progress(said(results[i], s));
      }
  return results;
} catch (const frontend::failure& wrong) {
  throw program_error(wrong.what());
}

}  // namespace study
