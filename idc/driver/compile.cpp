// SPDX-License-Identifier: Apache-2.0
#include "idc/driver/compile.hpp"

#include <bit>
#include <charconv>
#include <cstdio>

#include "frontend/files.hpp"
#include "idc/driver/run.hpp"
#include "idc/emit/emit.hpp"
#include "idc/graph/graph.hpp"
#include "idc/partition/partition.hpp"
#include "tl0/emit/emit.hpp"
#include "tl0/print/print.hpp"
#include "tl0/run/machine.hpp"
#include "tl0/verify/verify.hpp"

namespace idc::driver {
namespace {

// The process ends when its program is made, so what it is made from is not freed piece by piece.
template <class T>
const T& kept(T made) {
  static const T* last = nullptr;
  last = new T(std::move(made));
  return *last;
}

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

bool compile_all(front_end& program, const options& asked) {
  const graph::program& graphs = kept(graph::build(program.core(), program.types()));
  if (asked.what == action::graph) return frontend::write_file("-", print(graphs)), true;
  const partition::plans& plans = kept(partition::partition(graphs));
  if (asked.what == action::threads) return frontend::write_file("-", print(plans)), true;
  const auto line_of = [&](position p) {
    const frontend::place found = program.place_of(p);
    return emit::line_of_source{found.file, found.line, found.column};
  };
  const tl0::program& made = kept(emit::emit(plans, graphs, line_of));
  if (!tl0::verify(made, program.report())) {
    if (asked.what == action::tl0) frontend::write_file(asked.output, tl0::print(made));
    return false;
  }
  if (asked.what == action::run_tl0) return run_tl0(program, made, asked.arguments);
  if (asked.what == action::compile)
    return frontend::make_tam_program("idc", tl0::emit(made), asked.file, asked.program,
                                      asked.output);
  frontend::write_file(asked.output, tl0::print(made));
  return true;
}

}  // namespace

bool compile(front_end& program, const options& asked) {
  try {
    return compile_all(program, asked);
  } catch (const graph::not_done& missing) {
    program.report().error(program.place_of(missing.where), missing.text);
    return false;
  }
}

}  // namespace idc::driver
