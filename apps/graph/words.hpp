// SPDX-License-Identifier: Apache-2.0
// The words and numbers of the lines of a text file. What is wrong is thrown as measured::failure
// with the file and the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text_lines.hpp"

namespace graph {

// Cuts the first word off the line; empty if there is none.
std::string_view take_word(std::string_view& line);

// The same for a whole number from 0 on; `what` says what it stands for.
std::uint64_t take_number(const text_lines& lines, std::string_view& line, const char* what);

// The number that the word stands for; a plus sign, and the D of Fortran's exponents, are allowed.
// `is_whole`: a whole number of any size.
double value_of(const text_lines& lines, std::string_view word, bool is_whole);

// Fails if there is more on the line, behind `what`.
void check_end(const text_lines& lines, std::string_view line, const char* what);

bool is_blank(std::string_view line);
// Whether the line begins with % or #.
bool is_comment(std::string_view line);

}  // namespace graph
