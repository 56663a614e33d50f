// SPDX-License-Identifier: Apache-2.0
// Sizes and times as people read them.
#pragma once

#include <string>

namespace characterize {

std::string bytes_text(double bytes);  // "64 KiB"
std::string ns_text(double ns);        // "1.5 us"

}  // namespace characterize
