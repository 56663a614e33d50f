// expect: trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <vector>

void on_values(std::vector<int>) {}

void send() { ramjet::request<on_values>(0, std::vector<int>(3)); }
