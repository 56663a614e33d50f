// expect: a handler returns void
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

int on_ask(ramjet::request_token, int key) { return key; }

void ask() { ramjet::request<on_ask>(0, 1); }
