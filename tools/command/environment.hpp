// SPDX-License-Identifier: Apache-2.0
// What a job finds on this machine: gathered when asked, read-only.
#pragma once

#include <cstdint>
#include <string>

#include "tools/cli/json.hpp"

namespace tools {

// Groups "build", "machine", "limits", "kernel" and "ranks"; sizes in bytes, null where there is no
// limit or the system does not say.
console::json describe_environment();

// "64 KiB", "1.5 GiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace tools
