// SPDX-License-Identifier: Apache-2.0
// The rank that shows the progress, gets the spectrum of all ranks, and reports.
#pragma once

namespace kmer {

inline constexpr int kRoot = 0;

}  // namespace kmer
