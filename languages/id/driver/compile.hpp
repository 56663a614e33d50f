// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_DRIVER_COMPILE_HPP
#define IDC_DRIVER_COMPILE_HPP

#include "languages/id/driver/command_line.hpp"
#include "languages/id/driver/front_end.hpp"

namespace idc::driver {

// The stages behind the kernel language, as far as is asked for. False: the program has errors, or
// made some, which are reported.
bool compile(front_end& program, const options& asked);

}  // namespace idc::driver

#endif
