// expect: takes nothing else but a request_token
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_adds(int, std::span<const int>) {}

void send() { ramjet::request<&on_adds>(0, 1); }
