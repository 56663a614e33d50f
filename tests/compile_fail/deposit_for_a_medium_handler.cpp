// expect: this handler takes no deposit
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_block(ramjet::request_token, ramjet::payload) {}

void send() { ramjet::request_long<on_block>(0, ramjet::segment_begin(0), "row", 3); }
