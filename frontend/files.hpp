// SPDX-License-Identifier: Apache-2.0
// Reading and writing whole files; each throws failure, in one sentence.
#ifndef FRONTEND_FILES_HPP
#define FRONTEND_FILES_HPP

#include <string>
#include <string_view>

#include "frontend/failure.hpp"

namespace frontend {

std::string read_file(const std::string& name);
std::string read_standard_input();
// "-": standard output. A file that could not be written in whole is removed.
void write_file(const std::string& name, std::string_view text);

// A file that can be opened, and is no folder.
void check_readable(const std::string& name);
// That a file of this name can be made or written over; it stays as it is.
void check_writable(const std::string& name);

}  // namespace frontend

#endif
