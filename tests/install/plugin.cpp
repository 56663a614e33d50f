// SPDX-License-Identifier: Apache-2.0
// A shared object that uses Ramjet, as a plugin or an extension module does. Loaded by plugin.py.
#include <ramjet/ramjet.hpp>

namespace {

int answered = 0;

void on_answer(ramjet::reply_token, int rank) { answered = rank + 1; }
void on_question(ramjet::request_token t) {
  ramjet::reply<on_answer>(std::move(t), ramjet::rank());
}

}  // namespace

// Asks the next rank for its number and returns it.
extern "C" int number_of_next_rank() {
  int argc = 0;
  char** argv = nullptr;
  ramjet::init(argc, argv);
  const int next = (ramjet::rank() + 1) % ramjet::size();
  ramjet::request<on_question>(next);
  if (ramjet::wait_until([] { return answered != 0; }) != ramjet::status::ok) return -1;
  ramjet::finalize();
  return answered - 1;
}
