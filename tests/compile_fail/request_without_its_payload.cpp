// expect: this handler takes a payload or a deposit
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_block(ramjet::request_token, int, ramjet::payload) {}

void send() { ramjet::request<on_block>(0, 1); }
