// expect: constraints not satisfied|no matching function
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string>

void tell(std::string& text) { static_cast<void>(ramjet::broadcast(text)); }
