// SPDX-License-Identifier: Apache-2.0
// A job to look at: every rank sends to the next, a short message and one with a payload in turn,
// and goes on when what the one before has sent is there. It ends after a number of rounds, or when
// stopped. With `stay` it says when all is done, and stays until it is ended.
//
//   chatter [ROUNDS [stay]]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

std::uint64_t heard = 0;

void on_short(std::uint64_t) { ++heard; }
void on_payload(ramjet::payload) { ++heard; }

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const std::uint64_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : UINT64_MAX;
  const int next = (ramjet::rank() + 1) % ramjet::size();
  const std::vector<char> payload(1024);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (ramjet::request<on_short>(next, round) != ramjet::status::ok) return 1;
    if (ramjet::request_medium<on_payload>(next, payload.data(), payload.size()) !=
        ramjet::status::ok)
      return 1;
    const std::uint64_t expected = 2 * (round + 1);
    ramjet::wait_until([expected] { return heard >= expected; }, "the one before");
    // What rank 0 hears in this round shows that each rank has sent.
    if (round == static_cast<std::uint64_t>(ramjet::size()) && ramjet::rank() == 0) {
      std::printf("chatting\n");
      std::fflush(stdout);
    }
  }
  if (argc > 2) {
    ramjet::barrier();
    if (ramjet::rank() == 0) std::printf("done\n");
    std::fflush(stdout);
    ramjet::wait_until([] { return false; }, "the end");
  }
  ramjet::finalize();
}
