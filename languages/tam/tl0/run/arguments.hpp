// SPDX-License-Identifier: Apache-2.0
// The words of a command line as those that main's inlet takes.
#ifndef TL0_RUN_ARGUMENTS_HPP
#define TL0_RUN_ARGUMENTS_HPP

#include <string>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"
#include "languages/tam/tl0/run/values.hpp"

namespace tl0 {

// Throws usage_error if they are others than it takes.
std::vector<word> argument_words(const program& p, const std::vector<std::string>& arguments);

}  // namespace tl0

#endif
