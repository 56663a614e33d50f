// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/run/arguments.hpp"

#include <bit>

#include "languages/support/arguments.hpp"

namespace tl0 {
namespace {

word word_of(const std::string& argument, kind is) {
  if (is == kind::integer) return std::bit_cast<word>(frontend::int_argument(argument));
  if (is == kind::real) return std::bit_cast<word>(frontend::float_argument(argument));
  return frontend::bool_argument(argument);
}

}  // namespace

std::vector<word> argument_words(const program& p, const std::vector<std::string>& arguments) {
  const inlet& main = *p.find_inlet(p.main, kMainInlet);
  std::vector<std::string> types;
  for (index i = main.parameters.first; i < main.parameters.end(); ++i)
    types.push_back(spelling(p, p.parameters[i].type));
  frontend::check_argument_count(arguments, types);
  std::vector<word> words;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    words.push_back(
        word_of(arguments[i], p.types[p.parameters[main.parameters.first + i].type].is));
  return words;
}

}  // namespace tl0
