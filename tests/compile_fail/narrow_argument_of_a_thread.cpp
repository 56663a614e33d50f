// expect: may_lose_its_value.*argument = 1.*given = (long unsigned|unsigned long).*parameter = int
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <ramjet/threads.hpp>

void on_job(ramjet::thread_token, int) {}

void start(std::size_t much) { ramjet::spawn_request<on_job>(0, much); }
