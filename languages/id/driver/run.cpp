// SPDX-License-Identifier: Apache-2.0
#include "languages/id/driver/run.hpp"

#include <algorithm>
#include <bit>

#include "languages/id/driver/command_line.hpp"
#include "languages/id/interpret/machine.hpp"
#include "languages/support/arguments.hpp"
#include "languages/support/files.hpp"

namespace idc::driver {
namespace {

constexpr std::size_t kBlockedShown = 8;

interpret::value argument(const std::string& word, const type& t) {
  switch (t.is) {
    case type_kind::integer:
      return std::bit_cast<interpret::value>(frontend::int_argument(word));
    case type_kind::real:
      return std::bit_cast<interpret::value>(frontend::float_argument(word));
    case type_kind::boolean:
      return frontend::bool_argument(word);
    case type_kind::string:
      return std::bit_cast<interpret::value>(&word);
    default:
      throw usage_error("main takes int, float, bool and string");  // check_parameters
  }
}

// false, always: the result is not there.
bool report_deadlock(front_end& program, const interpret::machine& m) {
  frontend::messages& report = program.report();
  const frontend::place main = program.place_of(program.core().main->where);
  report.error(main, "deadlock: the result of 'main' never comes");
  for (const interpret::blocked& b : m.deadlock(kBlockedShown))
    report.note(program.place_of(b.where), b.text);
  return false;
}

}  // namespace

bool check_parameters(front_end& program) {
  const auto& functions = program.tree().functions;
  const auto is_main = [](const function* f) { return f->name == "main"; };
  const auto main = std::ranges::find_if(functions, is_main);
  if (main == functions.end()) return true;  // lower() says so
  type* left = (*main)->named->known_as.body;
  bool good = true;
  for (const pattern* parameter : (*main)->clauses.front()->parameters) {
    left = resolved(left);
    type* const t = resolved(left->parts[0]);
    left = left->parts[1];
    if (t->is >= type_kind::integer && t->is <= type_kind::string) continue;
    std::string text =
        "a parameter of main comes from the command line, as int, float, bool or "
        "string, and this is " +
        type_words()(t);
    if (t->is == type_kind::variable)
      text =
          "the type of this parameter of main is not known: say it, as in 'typeof main = int -> "
          "...'";
    program.report().error(program.place_of(parameter->where), text);
    good = false;
  }
  return good;
}

std::vector<std::uint64_t> argument_words(front_end& program,
                                          const std::vector<std::string>& arguments) {
  const auto& wanted = program.core().main_parameters;
  std::vector<std::string> types;
  for (type* t : wanted) types.push_back(type_words()(t));
  frontend::check_argument_count(arguments, types);
  std::vector<interpret::value> values;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    values.push_back(argument(arguments[i], *resolved(wanted[i])));
  return values;
}

bool run(front_end& program, const std::vector<std::string>& arguments) {
  const core::program& core = program.core();
  const std::vector<interpret::value> values = argument_words(program, arguments);
  interpret::machine m(core);
  try {
    const interpret::cell& result = m.run(values);
    std::string text;
    if (!interpret::print(result, core.main_result, program.types(), text))
      return report_deadlock(program, m);
    frontend::write_file("-", text + "\n");
    return true;
  } catch (const interpret::run_error& wrong) {
    program.report().error(program.place_of(wrong.where), wrong.text);
    return false;
  }
}

}  // namespace idc::driver
