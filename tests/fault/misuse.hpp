// SPDX-License-Identifier: Apache-2.0
// The mistakes of misuse.cpp that are made before init.
#pragma once

#include <string>

// Makes the mistake of that name, or returns false if it is none of these.
bool breaks_before_init(const std::string& what);
