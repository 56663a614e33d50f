// SPDX-License-Identifier: Apache-2.0
// Mistakes of misuse.cpp that are in other files: before init, with endpoints, with messages.
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
std::span<const mistake> message_mistakes();
