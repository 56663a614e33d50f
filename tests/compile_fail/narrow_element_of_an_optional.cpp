// expect: may_lose_its_value.*argument = 1.*given = .*long.*parameter = std::optional<int>
// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <ramjet/ramjet.hpp>

void on_maybe(std::optional<int>) {}

void send(std::size_t much) { ramjet::request<on_maybe>(0, much); }
