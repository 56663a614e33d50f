// SPDX-License-Identifier: Apache-2.0
// Whether memory of this process lies in huge pages.
#pragma once

#include <cstddef>

namespace characterize {

// All of it, as /proc/self/smaps says.
bool lies_in_huge_pages(const std::byte* begin, std::size_t bytes);

}  // namespace characterize
