// expect: wrong number of arguments for this handler
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(ramjet::request_token, int) {}

void ask() { ramjet::request<on_ask>(0, 1, 2); }
