// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_values(std::span<int>) {}

void send(std::span<int> v) { ramjet::request<on_values>(0, v); }
