// expect: a handler is a plain function
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

struct node {
  void on_value(int);
};

void send() { ramjet::request<&node::on_value>(0, 1); }
