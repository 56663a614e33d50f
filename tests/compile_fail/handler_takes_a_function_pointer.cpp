// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_work(void (*)(int)) {}

void send(void (*f)(int)) { ramjet::request<on_work>(0, f); }
