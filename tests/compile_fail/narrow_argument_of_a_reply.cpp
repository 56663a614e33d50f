// expect: may_lose_its_value.*argument = 1.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_answer(ramjet::reply_token, int) {}

void on_ask(ramjet::request_token token, std::size_t much) {
  ramjet::reply<on_answer>(std::move(token), much);
}
