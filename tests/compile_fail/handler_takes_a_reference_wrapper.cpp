// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <functional>

void on_node(std::reference_wrapper<int>) {}

void send(int& i) { ramjet::request<on_node>(0, std::ref(i)); }
