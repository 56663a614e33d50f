// expect: an argument is an address
// SPDX-License-Identifier: Apache-2.0
#include <ramjet/ramjet.hpp>

namespace {
int here = 0;
auto lambda_of(int* at) {
  return [at] { return *at; };
}
}  // namespace

void on_work(decltype(lambda_of(nullptr)) work) { work(); }

void send() { ramjet::request<on_work>(0, lambda_of(&here)); }
