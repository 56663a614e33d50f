// expect: an argument or the result of a call is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string_view>

int length(std::string_view text) { return int(text.size()); }

int ask() { return ramjet::call<length>(0, std::string_view("text")).get(); }
