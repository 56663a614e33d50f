// SPDX-License-Identifier: Apache-2.0
// Arrays whose storage is given back together, when the program ends their region.
#pragma once

#include "ramjet/tam.h"

namespace ramjet::tam {

void open_regions();
void close_regions() noexcept;
// The last array of each region; then by `previous`.
void each_region(void (*f)(tam_array_head* last, void* with), void* with);

}  // namespace ramjet::tam
