// expect: reply, reply_medium and reply_long go with handlers
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_block(ramjet::reply_token, ramjet::payload) {}

void on_ask(ramjet::request_token token) { ramjet::reply<on_block>(std::move(token)); }
