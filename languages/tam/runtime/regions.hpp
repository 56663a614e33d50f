// SPDX-License-Identifier: Apache-2.0
// Arrays whose storage is given back together, when the program ends their region.
#pragma once

#include "ramjet/tam.h"

namespace ramjet::tam {

void open_regions();
void close_regions() noexcept;
// Calls f(array, with) for each array of a region that has not ended.
void each_in_regions(void (*f)(tam_array_head*, void*), void* with);

}  // namespace ramjet::tam
