// SPDX-License-Identifier: Apache-2.0
// A letter goes around the ring of ranks. Each one's handler signs it and sends it on.
//
//   ramjet run -n 4 chain_letter
#include <algorithm>
#include <cstdio>
#include <string>

#include "ramjet/ramjet.hpp"

namespace {

std::string received;  // at rank 0: the letter when it is back

// A handler may not wait, so it may not request. chain_medium never waits: it copies the payload,
// and queues it where there is no room.
void on_letter(ramjet::payload letter) {
  const auto text = letter.as<const char>();
  std::string copy(text.begin(), text.end());
  copy += "  rank " + std::to_string(ramjet::rank()) + "\n";
  if (ramjet::rank() == 0) {
    received = copy;
  } else {
    ramjet::chain_medium<on_letter>((ramjet::rank() + 1) % ramjet::size(), copy.data(),
                                    copy.size());
  }
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  int result = 0;
  if (ramjet::rank() == 0) {
    const std::string letter = "Please sign and send on:\n";
    ramjet::request_medium<on_letter>(1 % ramjet::size(), letter.data(), letter.size());
    ramjet::wait_until([] { return !received.empty(); });
    std::printf("%s", received.c_str());
    result = std::count(received.begin(), received.end(), '\n') == 1 + ramjet::size() ? 0 : 1;
  }
  ramjet::barrier();  // the others sign while they wait here
  ramjet::finalize();
  return result;
}
