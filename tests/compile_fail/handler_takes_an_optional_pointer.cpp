// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <array>
#include <optional>

void on_node(std::optional<std::array<const int*, 1>>) {}

void send(const int& i) { ramjet::request<on_node>(0, std::array{&i}); }
