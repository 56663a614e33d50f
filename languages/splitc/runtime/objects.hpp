// SPDX-License-Identifier: Apache-2.0
// Which splitcc made the objects of this process: their notes (splitc_start.h).
#pragma once

#include <string>

namespace ramjet::splitc {

// A sentence, if an object of the program, or of what is loaded with it, comes from a splitcc whose
// output may not fit this library; else empty. Any thread.
std::string object_of_another_version();

}  // namespace ramjet::splitc
