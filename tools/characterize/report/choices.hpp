// SPDX-License-Identifier: Apache-2.0
// What a machine's profile chooses, in words and small tables, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "base/profile_file.hpp"
#include "tools/characterize/choices/comparison.hpp"

namespace characterize {

// With all samples, on a machine that kept its pace: what other measurements do not replace.
bool is_whole_and_steady(const ramjet::base::profile_quality& quality);

// Which mechanism is used between which sizes, and whether that was measured or is built in.
std::string choices_text(const ramjet::base::found_profile& found);
// The same, and where the profile comes from.
std::string text_of(const ramjet::base::found_profile& found);
console::json as_json(const ramjet::base::found_profile& found);

// The profile's choice beside each value that was forced, at each size.
std::string check_text(const std::vector<comparison>& all);

}  // namespace characterize
