// expect: a handler in a thread is a plain function
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <ramjet/threads.hpp>

void send() {
  ramjet::spawn_request<[](ramjet::thread_token, int) {}>(0, 1);
}
