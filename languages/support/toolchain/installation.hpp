// SPDX-License-Identifier: Apache-2.0
// Where the headers and libraries are, and which C compiler is called.
#ifndef FRONTEND_TOOLCHAIN_INSTALLATION_HPP
#define FRONTEND_TOOLCHAIN_INSTALLATION_HPP

#include <string>
#include <vector>

namespace frontend {

struct installation {
  std::vector<std::string> include_dirs;
  std::vector<std::string> library_dirs;
  std::string placement_dir;  // of `flags`: how a program's data comes into its segment
  std::vector<std::string> c_compiler;  // a command: a program and its first arguments
};

// Beside the executable `compilers.places` says it in a build tree: lines `include DIR`,
// `library DIR`, `placement DIR`. Else the executable stands in PREFIX/bin, and the rest below
// PREFIX.
// RAMJET_CC names the C compiler.
installation find_installation();

// That the archive is there. Throws failure. Where the system's own folders are looked into, the
// linker says it.
void check_library(const installation& places, const std::string& archive);

// Of the whole program. Those of the library alone are four fifths of a small program's size, and
// half of the time to link it.
enum class debugger_tables { kept, left_out };

// The last words of the linker's command: these archives of Ramjet's, and what they need.
std::vector<std::string> library_words(const installation& places,
                                       const std::vector<std::string>& archives,
                                       debugger_tables tables);

}  // namespace frontend

#endif
