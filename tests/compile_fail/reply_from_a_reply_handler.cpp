// expect: reply_token
// SPDX-License-Identifier: Apache-2.0
// A reply handler has nothing that could be replied to.
#include <ramjet/ramjet.hpp>

void on_answer(ramjet::reply_token token, int key) {
  ramjet::reply<on_answer>(std::move(token), key);
}
