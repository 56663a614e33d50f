// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

#include <vector>

void on_place(std::vector<int>::iterator) {}

void send(std::vector<int>& v) { ramjet::request<on_place>(0, v.begin()); }
