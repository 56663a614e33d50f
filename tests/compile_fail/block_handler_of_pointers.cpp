// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_all(std::span<int* const>) {}

void send(int* p) { ramjet::request<&on_all>(0, p); }
