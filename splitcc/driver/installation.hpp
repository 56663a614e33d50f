// SPDX-License-Identifier: Apache-2.0
// Where the headers and libraries are, and which C compiler is called.
#ifndef SPLITCC_DRIVER_INSTALLATION_HPP
#define SPLITCC_DRIVER_INSTALLATION_HPP

#include <string>
#include <vector>

namespace splitcc::driver {

struct installation {
  std::vector<std::string> include_dirs;
  std::vector<std::string> library_dirs;
  std::string placement_dir;  // of `flags`: how a program's data comes into its segment
  std::vector<std::string> c_compiler;  // a command: a program and its first arguments
};

// Beside the executable `splitcc.places` says it in a build tree: lines `include DIR`,
// `library DIR`, `placement DIR`. Else the executable stands in PREFIX/bin, and the rest below
// PREFIX.
// SPLITCC_CC names the C compiler.
installation find_installation();

}  // namespace splitcc::driver

#endif
