// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

void on_node(ramjet::request_token, const int*) {}

void send(const int& i) { ramjet::request<on_node>(0, &i); }
