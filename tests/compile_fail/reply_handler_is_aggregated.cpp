// expect: a reply handler is not aggregated
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_answer(ramjet::reply_token, std::span<const int>) {}
void on_ask(ramjet::request_token t) { ramjet::reply<&on_answer>(std::move(t), 1); }

void send() { ramjet::request<&on_ask>(0); }
