// SPDX-License-Identifier: Apache-2.0
#include "micro/programs.hpp"

#include <algorithm>
#include <filesystem>

#include "harness/process.hpp"

namespace bench {

namespace fs = std::filesystem;

std::optional<program> program_of(const command_context& c, const std::string& name,
                                  job_shape shape, const std::vector<std::string>& arguments,
                                  std::string& missing) {
  const fs::path path = fs::path(c.program).parent_path() / name;
  if (!fs::exists(path)) {
    missing = path.string() + " is not there";
    return std::nullopt;
  }
  program p{name,
            {c.program, "run", "-n", std::to_string(shape.ranks), "--nodes",
             std::to_string(shape.nodes), "--bind", "core"},
            {}};
  if (shape.nodes > 1 && !c.wrapper.empty()) p.words.push_back(c.wrapper);
  p.words.insert(p.words.end(), {path.string(), "--json"});
  p.words.insert(p.words.end(), arguments.begin(), arguments.end());
  return p;
}

unsigned run_in_turns(const effort& how_much, reader read,
                      std::initializer_list<program*> programs) {
  constexpr unsigned kRunsMost = 9;
  const double end = now_ns() + how_much.seconds * 1e9;
  const unsigned most = std::min(how_much.repeats, kRunsMost);
  unsigned runs = 0;
  do {
    for (program* p : programs) read(report_of(p->words, p->name), p->found);
    ++runs;
  } while (runs < most && (how_much.seconds <= 0 || now_ns() < end));
  return runs;
}

}  // namespace bench
