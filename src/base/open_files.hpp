// SPDX-License-Identifier: Apache-2.0
// How many descriptors this process may have, and has.
#pragma once

#include <cstdint>

namespace ramjet::base {

// Raises the soft limit of open files to the hard one; the limit that then holds. The process's
// own: not for a thread that forks beside others.
std::uint64_t raise_open_files() noexcept;

// Descriptors that this process has open; 0 where /proc does not say.
std::uint64_t count_open_files() noexcept;

}  // namespace ramjet::base
