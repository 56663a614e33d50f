// expect: passed by value|arguments of a call are copyable bytes
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string>

int length(const std::string& text) { return int(text.size()); }

int ask() { return ramjet::call<length>(0, std::string("text")).get(); }
