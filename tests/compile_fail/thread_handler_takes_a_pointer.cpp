// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <ramjet/threads.hpp>

void on_job(ramjet::thread_token, int*) {}

void send(int& i) { ramjet::spawn_request<on_job>(0, &i); }
