// SPDX-License-Identifier: Apache-2.0
// The mistakes of misuse.cpp that stand elsewhere: those made before init, and with endpoints.
#pragma once

#include <span>
#include <string>

// Makes the mistake of that name, or returns false if it is none of these.
bool breaks_before_init(const std::string& what);

struct mistake {
  const char* name;
  void (*make)();
};
std::span<const mistake> endpoint_mistakes();
