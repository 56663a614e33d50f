// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <array>

void on_nodes(std::array<int*, 2>) {}

void send(int& i) { ramjet::request<on_nodes>(0, std::array{&i, &i}); }
