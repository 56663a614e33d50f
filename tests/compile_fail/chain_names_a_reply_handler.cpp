// expect: a reply handler is named by reply, not by a request
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_answer(ramjet::reply_token, int) {}

void on_ask(ramjet::request_token) { ramjet::chain<on_answer>(0, 1); }
