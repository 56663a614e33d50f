// SPDX-License-Identifier: Apache-2.0
#include "languages/id/driver/compile.hpp"

#include <bit>
#include <charconv>
#include <cstdio>

#include "languages/id/driver/run.hpp"
#include "languages/id/emit/emit.hpp"
#include "languages/id/graph/graph.hpp"
#include "languages/id/partition/partition.hpp"
#include "languages/support/files.hpp"
#include "languages/tam/tl0/emit/emit.hpp"
#include "languages/tam/tl0/print/print.hpp"
#include "languages/tam/tl0/run/machine.hpp"
#include "languages/tam/tl0/verify/verify.hpp"

namespace idc::driver {
namespace {

void write_line(void*, std::string_view line) { std::fwrite(line.data(), 1, line.size(), stdout); }

bool run_tl0(front_end& program, const tl0::program& p, const std::vector<std::string>& arguments) {
  const std::vector<std::uint64_t> words = argument_words(program, arguments);
  tl0::machine m(p, write_line, nullptr);
  try {
    m.run(words);
  } catch (const tl0::execution_error& wrong) {
    std::fflush(stdout);
    program.report().error(tl0::place_of(p, wrong.at(), program.report()), wrong.what());
    return false;
  }
  return std::fflush(stdout) == 0;
}

// Which loops have their rounds in one activation is known when threads are made. Of one round in
// flight all are to be so; those that cannot, and any of which each round is an activation, are
// limited otherwise, which may be news for others.
graph::program limited(front_end& program, int rounds) {
  graph::loop_limit limit;
  limit.rounds = rounds;
  for (;;) {
    graph::program made = graph::build(program.core(), program.types(), limit);
    bool is_news = false;
    partition::planner plans(made);
    for (partition::plan p; plans.next(p);) {
      const graph::function& f = *p.of->of;
      if (!f.rounds_of || p.is_loop || p.is_first) continue;
      is_news |= (f.in_turn ? limit.not_in_turn : limit.chained).insert(f.rounds_of).second;
    }
    if (!is_news) return made;
  }
}

bool compile_all(front_end& program, const options& asked) {
  const graph::program graphs = asked.loop_bound == 0
                                    ? graph::build(program.core(), program.types())
                                    : limited(program, asked.loop_bound);
  if (asked.what == action::graph) return frontend::write_file("-", print(graphs)), true;
  if (asked.what == action::threads)
    return frontend::write_file("-", partition::print(graphs)), true;
  const auto line_of = [&](position p) { return program.line_of(p); };
  const tl0::program made = emit::emit(graphs, line_of);
  if (asked.what == action::tl0) return frontend::write_file(asked.output, tl0::print(made)), true;
  if (!tl0::verify(made, program.report())) return false;
  if (asked.what == action::run_tl0) return run_tl0(program, made, asked.arguments);
  return frontend::make_tam_program("idc", tl0::emit(made), asked.file, asked.program,
                                    asked.output);
}

}  // namespace

bool compile(front_end& program, const options& asked) {
  try {
    return compile_all(program, asked);
  } catch (const graph::unsupported& missing) {
    program.report().error(program.place_of(missing.where), missing.text);
    return false;
  }
}

}  // namespace idc::driver
