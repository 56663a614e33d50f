// SPDX-License-Identifier: Apache-2.0
// What ranks tell kRoot's progress bar.
#pragma once

#include <cstdint>

#include "progress_bar.hpp"

namespace kmer {

// Which bar shows it: kRoot's, before any rank tells.
void show_progress_on(progress_bar* bar);

// `bytes` more are done. Serves messages.
void report_progress(std::uint64_t bytes);

}  // namespace kmer
