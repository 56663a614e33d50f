// SPDX-License-Identifier: Apache-2.0
// Where in the program's sources an address of its code is: the line table that the compiler wrote
// for debuggers (DWARF 2 to 5, section .debug_line) is read when a report needs it.
//
// Threads: the main thread.
#pragma once

#include <string>

namespace ramjet::splitc::check {

// Behind a call: where that call returns to. Null: not known.
using site = const void*;

// "FILE:LINE" as the compiler was given the file; empty if the code has no line table.
std::string line_of(site at);
// The same, or the function's name, or the address.
std::string shown(site at);

}  // namespace ramjet::splitc::check
