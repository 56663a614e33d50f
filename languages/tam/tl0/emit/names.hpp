// SPDX-License-Identifier: Apache-2.0
// Names and types in the output. A name has the number of what it names, so that no two are alike,
// and the name in the program, for those who read it.
#ifndef TL0_EMIT_NAMES_HPP
#define TL0_EMIT_NAMES_HPP

#include <string>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

// b0_main, main_i0_args, main_t0_start; slots s_n, counts c_add
std::string block_name(const program& p, index block);
std::string inlet_name(const program& p, index inlet);
std::string thread_name(const program& p, index thread);
std::string slot_name(const program& p, index slot);
std::string count_name(const program& p, index thread);

// int64_t, double, ...
std::string c_type(const program& p, index type);
// A value as a word of a message, and back.
std::string as_word(const program& p, index type, const std::string& value);
std::string from_word(const program& p, index type, const std::string& word);

// "FILE:LINE", quoted
std::string site(const program& p, const position& where);
std::string quoted(const std::string& text);

}  // namespace tl0

#endif
