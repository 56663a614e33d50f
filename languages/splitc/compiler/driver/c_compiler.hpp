// SPDX-License-Identifier: Apache-2.0
// The commands of the C compiler: for the front end's output, for sources of its own, for linking.
#ifndef SPLITCC_DRIVER_C_COMPILER_HPP
#define SPLITCC_DRIVER_C_COMPILER_HPP

#include "languages/splitc/compiler/driver/command_line.hpp"
#include "languages/splitc/compiler/driver/toolchain.hpp"

namespace splitcc::driver {

// `translation`: the front end's output. Ends at -S or -c.
command c_command(const options& o, const installation& places, const std::string& translation,
                  const std::string& output);

command foreign_command(const options& o, const installation& places, const input& source,
                        const std::string& output);

// Changes a finished object as the options say.
command objcopy_command(const installation& places, const std::vector<std::string>& options,
                        const std::string& object);

// `objects`: objects, archives and the linker's options, in their order.
command link_command(const options& o, const installation& places, const command& objects,
                     const std::string& output);

}  // namespace splitcc::driver

#endif
