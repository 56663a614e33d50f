// SPDX-License-Identifier: Apache-2.0
// An endpoint says good-bye to a peer, which reads that and closes, too, while the endpoint still
// waits for the way to another peer: no message is lost, and none is reported as lost. Three ranks,
// each on a node of its own, with endpoints 1:
//
//   rank 0: sends to 1, fills the way to 2, closes; that takes as long as rank 2 computes
//   rank 1: computes, reads rank 0's message and its good-bye at once, closes
//   rank 2: computes, then takes its messages
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr std::size_t kBlockBytes = 4000;
constexpr unsigned kEndpoints = 24;  // the more, the less a way over libfabric holds
constexpr std::uint64_t kFillMs = 200;
constexpr std::chrono::milliseconds kShortWork{600}, kLongWork{1500};

thread_local int hits = 0, blocks = 0;
void on_hit() { ++hits; }
void on_block(ramjet::payload) { ++blocks; }

std::atomic<int> sent{-1};  // blocks by rank 0
void on_sent(int count) { sent = count; }

// Until the way is full and stays so.
int fill_the_way_to(const ramjet::address& there) {
  const std::vector<char> block(kBlockBytes, 1);
  int count = 0;
  static_cast<void>(ramjet::wait_for(kFillMs, [&] {
    while (ramjet::try_request_medium<on_block>(there, block.data(), kBlockBytes) ==
           ramjet::status::ok)
      ++count;
    return false;
  }));
  return count;
}

void talk() {
  const ramjet::endpoint own(1);
  static_cast<void>(ramjet::barrier());
  if (ramjet::rank() == 0) {
    ramjet::request<on_hit>(ramjet::address(1, 1));
    sent = fill_the_way_to(ramjet::address(2, 1));
  } else if (ramjet::rank() == 1) {
    std::this_thread::sleep_for(kShortWork);
    static_cast<void>(ramjet::wait_until([] { return hits == 1; }));
  } else {
    std::this_thread::sleep_for(kLongWork);
    static_cast<void>(ramjet::wait_until([] { return blocks == sent; }));
  }
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.endpoints = kEndpoints;
  ramjet::init(argc, argv, wanted);
  std::thread thread(talk);
  if (ramjet::rank() == 0) {
    static_cast<void>(ramjet::wait_until([] { return sent >= 0; }));
    ramjet::request<on_sent>(2, sent.load());
  }
  if (ramjet::rank() == 2) static_cast<void>(ramjet::wait_until([] { return sent >= 0; }));
  thread.join();
  ramjet::finalize();
  return 0;
}
