// SPDX-License-Identifier: Apache-2.0
// What the place that we write to can show, and bars for it.
#pragma once

#include <string>

namespace kmer {

// The width of the terminal behind standard output (1) or standard error (2); 0 if there is none.
// A launcher that forwards our output to its terminal gives that one's width in
// RAMJET_STDOUT_COLUMNS and RAMJET_STDERR_COLUMNS.
int columns_of(int descriptor);
// Whether that terminal shows more than ASCII: whether the locale is one of UTF-8.
bool unicode_on(int descriptor);

// A bar of part * width columns, 0 <= part <= 1; any part above 0 is seen.
std::string bar_of(double part, int width, bool unicode);
// A bar in a frame of `width` columns, for what grows until it is full.
std::string framed_bar(double part, int width, bool unicode);

}  // namespace kmer
