// expect: a payload or deposit is the last parameter of a handler
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_block(ramjet::request_token, ramjet::payload, int) {}

void send() { ramjet::request_medium<on_block>(0, "block", 5, 1); }
