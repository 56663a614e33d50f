// SPDX-License-Identifier: Apache-2.0
// The C compiler and how it is run, under the driver's names.
#ifndef SPLITCC_DRIVER_TOOLCHAIN_HPP
#define SPLITCC_DRIVER_TOOLCHAIN_HPP

#include "frontend/toolchain/installation.hpp"
#include "frontend/toolchain/processes.hpp"
#include "frontend/toolchain/temporary_files.hpp"

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
