// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_DRIVER_RUN_HPP
#define IDC_DRIVER_RUN_HPP

#include <cstdint>
#include <vector>

#include "languages/id/driver/front_end.hpp"

namespace idc::driver {

// Of the command line, as values. Throws usage_error.
std::vector<std::uint64_t> argument_words(front_end& program,
                                          const std::vector<std::string>& arguments);

// Before the program is lowered: that main's parameters are of types that words of the command line
// can have. False: one is not, which is reported.
bool check_parameters(front_end& program);

// Interprets a program that was lowered, and prints what main gives. False: it did something wrong,
// which is reported.
bool run(front_end& program, const std::vector<std::string>& arguments);

}  // namespace idc::driver

#endif
