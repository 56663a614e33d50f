// SPDX-License-Identifier: Apache-2.0
// The C compiler and how it is run, under the driver's names.
#ifndef SPLITCC_DRIVER_TOOLCHAIN_HPP
#define SPLITCC_DRIVER_TOOLCHAIN_HPP

#include "languages/support/toolchain/installation.hpp"
#include "languages/support/toolchain/processes.hpp"
#include "languages/support/toolchain/temporary_files.hpp"

namespace splitcc::driver {

using frontend::command;
using frontend::find_installation;
using frontend::in_shell_words;
using frontend::installation;
using frontend::run;
using frontend::run_result;
using frontend::temporary_files;

}  // namespace splitcc::driver

#endif
