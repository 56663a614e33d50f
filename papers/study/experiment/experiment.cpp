// SPDX-License-Identifier: Apache-2.0
#include "papers/study/experiment/experiment.hpp"

#include <chrono>

#include "languages/support/failure.hpp"
#include "languages/support/messages.hpp"
#include "languages/tam/tl0/parse/parser.hpp"
#include "languages/tam/tl0/run/arguments.hpp"
#include "languages/tam/tl0/verify/verify.hpp"

namespace study {
namespace {

constexpr std::uint32_t kQueueBytesMax = 1u << 28;

void add_line(void* to, std::string_view line) { static_cast<std::string*>(to)->append(line); }

// One run with queues of this size; false if they are too small.
bool attempt(const tl0::program& p, const target_code& code, const std::vector<word>& arguments,
             const experiment_options& options, outcome& result) {
  std::shared_ptr<cache_sink> caches;
  if (options.sweep)
    caches = std::make_shared<cache_sink>(*options.sweep, options.levels, options.by_region);
  result.output.clear();
  counted_machine machine(p, code,
                          {.queue_bytes = result.queue_bytes,
                           .first_ready_first = options.first_ready_first,
                           .sink = caches.get()},
                          add_line, &result.output);
  const auto begin = std::chrono::steady_clock::now();
  try {
    machine.run(arguments);
  } catch (const queue_overflow&) {
    return false;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.counts = machine.counted();
  result.caches = caches;
  return true;
}

}  // namespace

tl0::program program_of(const std::string& text, const std::string& file) {
  frontend::messages report({});
  report.lines().add(file, text);
  try {
    std::optional<tl0::program> made = tl0::assemble(tl0::lex(text, file, report), report);
    if (made && report.errors() == 0 && tl0::verify(*made, report)) return std::move(*made);
  } catch (const frontend::too_many_errors&) {
  }
  throw program_error(file + " is not a program that can be executed");
}

std::vector<word> words_of(const tl0::program& p, const std::vector<std::string>& arguments) {
  try {
    return tl0::argument_words(p, arguments);
  } catch (const frontend::usage_error& wrong) {
    throw program_error(wrong.what());
  }
}

std::uint64_t outcome::misses(const cache_shape& shape) const {
  return caches->code().of(shape).misses() + caches->data().of(shape).misses();
}

double outcome::cycles(const cache_shape& shape, double miss_cycles) const {
  return double(counts.instructions()) + miss_cycles * double(misses(shape));
}

outcome execute(const tl0::program& p, const std::vector<word>& arguments, discipline how,
                const experiment_options& options) {
  const target_code code = lower(p, how);
  outcome result;
  result.how = how;
  for (result.queue_bytes = kQueueBytes; result.queue_bytes <= kQueueBytesMax;
       result.queue_bytes *= 2) {
    try {
      if (attempt(p, code, arguments, options, result)) return result;
    } catch (const tl0::execution_error& wrong) {
      throw program_error(spelling(p, wrong.at()) + ": " + wrong.what());
    }
  }
  throw program_error("the messages of the program do not fit into " +
                      std::to_string(kQueueBytesMax) + " bytes");
}

}  // namespace study
