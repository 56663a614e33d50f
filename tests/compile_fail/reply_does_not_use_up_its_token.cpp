// expect: request_token
// SPDX-License-Identifier: Apache-2.0
// The token is given up with std::move, which makes a second reply visible to the reader.
#include <ramjet/ramjet.hpp>

void on_answer(ramjet::reply_token, int) {}

void on_ask(ramjet::request_token token, int key) { ramjet::reply<on_answer>(token, key); }
