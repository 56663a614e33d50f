// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string_view>

void on_text(std::string_view) {}

void send() { ramjet::request<on_text>(0, std::string_view("text")); }
