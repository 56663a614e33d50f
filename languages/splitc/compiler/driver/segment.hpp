// SPDX-License-Identifier: Apache-2.0
// A program's file-scope and static data lie in its processor's segment, where others reach them:
// the options of the C compiler, of objcopy and of the linker that put them there.
#ifndef SPLITCC_DRIVER_SEGMENT_HPP
#define SPLITCC_DRIVER_SEGMENT_HPP

#include <string>
#include <vector>

#include "languages/splitc/compiler/driver/command_line.hpp"
#include "languages/splitc/compiler/driver/toolchain.hpp"

namespace splitcc::driver {

// Nothing for position-independent code: shared objects have their data where the loader says.
std::vector<std::string> placement_for_compiler(const options& o, const installation& places);
std::vector<std::string> placement_of_object(const options& o, const installation& places);
std::vector<std::string> placement_for_linker(const options& o, const installation& places);

}  // namespace splitcc::driver

#endif
