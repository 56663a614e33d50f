// SPDX-License-Identifier: Apache-2.0
// How long does a message take there and back? Short ones, and blocks of growing size.
//
//   ramjet run -n 2 ping_pong
#include <chrono>
#include <cstdio>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kRounds = 20'000;
int returned = 0;
std::size_t bytes_returned = 0;

void on_pong(ramjet::reply_token, int round) { returned = round + 1; }
void on_ping(ramjet::request_token token, int round) {
  ramjet::reply<on_pong>(std::move(token), round);
}

// A payload is whole and contiguous, and valid until its handler returns.
void on_block_back(ramjet::reply_token, ramjet::payload block) {
  ++returned;
  bytes_returned = block.size();
}
void on_block(ramjet::request_token token, ramjet::payload block) {
  ramjet::reply_medium<on_block_back>(std::move(token), block.data(), block.size());
}

template <class Send>
double nanoseconds_a_round(int rounds, Send send) {
  returned = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    send(i);
    ramjet::wait_until([i] { return returned == i + 1; });
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / rounds;
}

int measure(int peer) {
  std::printf("short message: %8.0f ns there and back\n",
              nanoseconds_a_round(kRounds, [=](int i) { ramjet::request<on_ping>(peer, i); }));
  std::vector<char> block(ramjet::medium_bytes_max, 'x');
  for (std::size_t bytes = 64; bytes <= block.size(); bytes *= 8) {
    const double ns = nanoseconds_a_round(
        kRounds / 20, [&](int) { ramjet::request_medium<on_block>(peer, block.data(), bytes); });
    std::printf("%6zu bytes:  %8.0f ns\n", bytes, ns);
    if (bytes_returned != bytes) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int last = ramjet::size() - 1;  // with one rank: to itself
  const int result = ramjet::rank() == 0 ? measure(last) : 0;
  ramjet::barrier();  // the others serve while they wait here
  ramjet::finalize();
  return result;
}
