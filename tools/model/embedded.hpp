// SPDX-License-Identifier: Apache-2.0
// The skeletons that come with the command.
#pragma once

#include <string_view>

namespace loggp {

// The text of a file of skeletons/; empty if there is none of that name.
std::string_view embedded(std::string_view file);

inline constexpr std::string_view kShipped[] = {"alltoall", "em3d", "exchange",
                                                "kmer",     "ring", "stencil"};

}  // namespace loggp
