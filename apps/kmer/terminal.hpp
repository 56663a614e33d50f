// SPDX-License-Identifier: Apache-2.0
// What the place that we write to can show, and bars for it.
#pragma once

#include <string>

namespace kmer {

// Whether a file descriptor is a terminal of a UTF-8 locale.
bool unicode_on(int descriptor);
// The width of a terminal; 80 for anything else.
int columns_of(int descriptor);

// A bar of part * width columns, 0 <= part <= 1; any part above 0 is seen.
std::string bar_of(double part, int width, bool unicode);
// A bar in a frame of `width` columns, for what grows until it is full.
std::string framed_bar(double part, int width, bool unicode);

}  // namespace kmer
