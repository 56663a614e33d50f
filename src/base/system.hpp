// SPDX-License-Identifier: Apache-2.0
// What several rooms ask of the system in the same way.
#pragma once

#include <string>

namespace ramjet::base {

// "what: the meaning of errno".
std::string os_error(const char* what);

// A file in memory that only descriptors name, for the ranks of a job; -1 and errno if there can be
// none. Closed on exec, may be sealed, is not to be executed.
int open_memory_file() noexcept;

}  // namespace ramjet::base
