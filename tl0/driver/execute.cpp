// SPDX-License-Identifier: Apache-2.0
#include "tl0/driver/execute.hpp"

#include <bit>
#include <charconv>
#include <cstdio>

#include "tl0/run/machine.hpp"
#include "tl0/verify/verify.hpp"

namespace tl0::driver {
namespace {

template <class T>
T number_of(const std::string& text, const std::string& wanted) {
  T number{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size() || text.empty())
    throw usage_error("the argument '" + text + "' is not " + wanted);
  return number;
}

word word_of(const std::string& text, kind is) {
  if (is == kind::integer) return static_cast<word>(number_of<std::int64_t>(text, "an int"));
  if (is == kind::real) return std::bit_cast<word>(number_of<double>(text, "a float"));
  if (text != "true" && text != "false")
    throw usage_error("the argument '" + text + "' is not a bool: true or false");
  return text == "true";
}

std::vector<word> words_of(const program& p, const options& o) {
  const inlet& args = *p.find_inlet(p.main, kMainInlet);
  if (o.arguments.size() != args.parameters.count) {
    std::string types;
    for (index i = args.parameters.first; i < args.parameters.end(); ++i)
      types += (types.empty() ? ": " : ", ") + spelling(p, p.parameters[i].type);
    throw usage_error("the program takes " + std::to_string(args.parameters.count) +
                      (args.parameters.count == 1 ? " argument" : " arguments") + types);
  }
  std::vector<word> words;
  for (std::size_t i = 0; i < o.arguments.size(); ++i)
    words.push_back(
        word_of(o.arguments[i], p.types[p.parameters[args.parameters.first + i].type].is));
  return words;
}

void write_line(void*, std::string_view line) { std::fwrite(line.data(), 1, line.size(), stdout); }

void say_counts(const counts& c) {
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::fprintf(stderr,
               "instructions %llu, threads %llu, quanta %llu, messages %llu, activations %llu (at "
               "most %llu at a time)\n",
               number(c.instructions), number(c.threads), number(c.quanta), number(c.messages),
               number(c.activations), number(c.frames_max));
}

}  // namespace

int execute(const program& p, const options& o, frontend::messages& report) {
  const std::vector<word> words = words_of(p, o);
  machine m(p, write_line, nullptr);
  int status = 0;
  try {
    m.run(words);
  } catch (const execution_error& wrong) {
    std::fflush(stdout);
    report.error(place_of(p, wrong.at(), report), wrong.what());
    status = 1;
  }
  if (std::fflush(stdout) != 0) {
    std::fputs("tl0: error: the standard output cannot be written\n", stderr);
    status = 1;
  }
  if (o.with_counts) say_counts(m.counted());
  return status;
}

}  // namespace tl0::driver
