// SPDX-License-Identifier: Apache-2.0
// How much memory a rank may take.
#pragma once

#include <cstdint>

namespace kmer {

// The least that a rank can work with.
inline constexpr std::uint64_t kRankMemoryMin = std::uint64_t{16} << 20;

}  // namespace kmer
