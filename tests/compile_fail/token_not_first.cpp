// expect: the token is the first parameter of a handler
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_ask(int, ramjet::reply_token) {}

void ask(ramjet::request_token token) { ramjet::reply<on_ask>(std::move(token), 1); }
