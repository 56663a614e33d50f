// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_answer(ramjet::reply_token, int*) {}
void on_ask(ramjet::request_token t) {
  ramjet::reply<on_answer>(std::move(t), static_cast<int*>(nullptr));
}

void ask() { ramjet::request<on_ask>(0); }
