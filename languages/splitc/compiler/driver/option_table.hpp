// SPDX-License-Identifier: Apache-2.0
// The options that splitcc knows, each with how its value is written and what it does. The help is
// made of the same table.
#ifndef SPLITCC_DRIVER_OPTION_TABLE_HPP
#define SPLITCC_DRIVER_OPTION_TABLE_HPP

#include <span>
#include <string_view>

#include "languages/splitc/compiler/driver/command_line.hpp"

namespace splitcc::driver {

// How an option has its value.
enum class value_form : std::uint8_t {
  none,
  joined,              // `-std=c99`: all that follows the name; may be empty
  separate,            // `-o file`, `-include file`: the next word
  joined_or_separate,  // `-I dir`, `-Idir`
};

struct known_option {
  std::string_view name;
  value_form form;
  void (*apply)(options& o, std::string_view name, const std::string& value);
  std::string_view value_name;  // in the help; both empty: not in the help
  std::string_view help;
};

std::span<const known_option> known_options();

// -f and -fno- options of the optimiser, and others of ours; false: not one of them.
bool apply_feature(options& o, std::string_view name, bool on);
// Throws usage_error for what is nearly one of them: the C compiler would know nothing of it.
void check_spelling(const std::string& word, std::string_view name, bool on);

// What to say of a word that is not an option.
std::string unknown_option(std::string_view word);

// The warnings that the front end has, for telling them from the C compiler's.
bool is_own_warning(std::string_view name);

// For the C compiler, of what comes from the front end: what that has warned of itself.
std::span<const std::string_view> said_already();

// -W options. `name` is what follows -W.
void apply_warning(options& o, const std::string& name);
void turn_passes_off(options& o);  // of the optimiser

}  // namespace splitcc::driver

#endif
