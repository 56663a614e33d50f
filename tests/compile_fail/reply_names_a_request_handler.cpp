// expect: reply names a handler that takes a reply_token
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_other(ramjet::request_token, int) {}

void on_ask(ramjet::request_token token) { ramjet::reply<on_other>(std::move(token), 1); }
