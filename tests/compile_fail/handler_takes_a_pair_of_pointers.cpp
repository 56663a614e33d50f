// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <utility>

void on_nodes(std::pair<int, const char*>) {}

void send() { ramjet::request<on_nodes>(0, std::pair<int, const char*>(1, "one")); }
