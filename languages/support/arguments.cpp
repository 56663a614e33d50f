// SPDX-License-Identifier: Apache-2.0
#include "languages/support/arguments.hpp"

#include <charconv>

#include "languages/support/failure.hpp"

namespace frontend {
namespace {

[[noreturn]] void refuse(const std::string& word, const char* wanted) {
  throw usage_error("the argument '" + word + "' is not " + wanted);
}

template <class T>
T number(const std::string& word, const char* wanted) {
  T n{};
  const auto [end, wrong] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (wrong != std::errc() || end != word.data() + word.size()) refuse(word, wanted);
  return n;
}

}  // namespace

std::int64_t int_argument(const std::string& word) { return number<std::int64_t>(word, "an int"); }

double float_argument(const std::string& word) { return number<double>(word, "a float"); }

bool bool_argument(const std::string& word) {
  if (word != "true" && word != "false") refuse(word, "a bool: true or false");
  return word == "true";
}

void check_argument_count(const std::vector<std::string>& words,
                          const std::vector<std::string>& types) {
  if (words.size() == types.size()) return;
  std::string text = "the program takes " + std::to_string(types.size()) +
                     (types.size() == 1 ? " argument" : " arguments");
  for (std::size_t i = 0; i < types.size(); ++i) text += (i == 0 ? ": " : ", ") + types[i];
  throw usage_error(text);
}

}  // namespace frontend
