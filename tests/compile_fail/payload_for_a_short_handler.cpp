// expect: this handler takes no payload
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(ramjet::request_token, int) {}

void send() { ramjet::request_medium<on_ask>(0, "block", 5, 1); }
