// SPDX-License-Identifier: Apache-2.0
// What a program takes from the command line: words that are numbers and truth values.
#ifndef FRONTEND_ARGUMENTS_HPP
#define FRONTEND_ARGUMENTS_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace frontend {

// Of the whole word. Throw usage_error, in which the word stands, if it is none.
std::int64_t int_argument(const std::string& word);
double float_argument(const std::string& word);
bool bool_argument(const std::string& word);

// Throws usage_error, in which the types stand, unless there are as many words as those.
void check_argument_count(const std::vector<std::string>& words,
                          const std::vector<std::string>& types);

}  // namespace frontend

#endif
