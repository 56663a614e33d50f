// SPDX-License-Identifier: Apache-2.0
// Every rank greets rank 0, and rank 0 answers.
//
//   ramjet run -n 4 hello
#include <cstdio>

#include "ramjet/ramjet.hpp"

namespace {

int greetings = 0;
int welcomes = 0;

// Runs at the rank that asked, when the reply is there.
void on_welcome(ramjet::reply_token) { ++welcomes; }

// Runs at rank 0, once for each greeting. The token is the right to answer, once.
void on_greeting(ramjet::request_token token, int number) {
  ++greetings;
  std::printf("rank 0 hears from rank %d: \"my lucky number is %d\"\n", token.rank(), number);
  ramjet::reply<on_welcome>(std::move(token));
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);

  // The message names its handler; the arguments are checked when this is compiled.
  const int lucky = 7 * (ramjet::rank() + 1);
  ramjet::request<on_greeting>(0, lucky);

  // Handlers run while a rank waits (or polls, or sends).
  ramjet::wait_until([] { return welcomes == 1; });
  if (ramjet::rank() == 0) ramjet::wait_until([] { return greetings == ramjet::size(); });

  ramjet::finalize();
}
