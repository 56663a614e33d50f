// expect: trivially copyable
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <string>

void on_ask(ramjet::request_token, std::string) {}

void ask() { ramjet::request<on_ask>(0, std::string("key")); }
