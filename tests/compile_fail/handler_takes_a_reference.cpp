// expect: passed by value
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(ramjet::request_token, const int& key) { static_cast<void>(key); }

void ask() { ramjet::request<on_ask>(0, 1); }
