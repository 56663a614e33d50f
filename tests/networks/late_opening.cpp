// SPDX-License-Identifier: Apache-2.0
// late_opening [busy]
// Rank 1 opens an endpoint a while after one of rank 0 has sent to it and has begun to close. It
// gets all, in order. busy: the thread that has opened it computes for longer than a closing
// endpoint waits for openings before it takes anything.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kCount = 100;
constexpr std::size_t kBlockBytes = 3000;
constexpr std::uint64_t kLateMs = 300;
constexpr std::chrono::seconds kBusy{12};

int arrived = 0;
bool in_order = true, block_came = false, is_sent = false, is_over = false;
std::atomic<bool> all_begun{false};

void on_item(int i) { in_order &= i == arrived++; }
void on_block(ramjet::payload p) {
  block_came = p.size() == kBlockBytes && static_cast<const char*>(p.data())[kBlockBytes - 1] == 7;
}
void on_sent() { is_sent = true; }
void on_end() { is_over = true; }

void send() {
  const ramjet::endpoint own(1);
  for (int i = 0; i < kCount; ++i) ramjet::request<on_item>(ramjet::address(1, 2), i);
  const std::vector<char> block(kBlockBytes, 7);
  static_cast<void>(
      ramjet::request_medium<on_block>(ramjet::address(1, 2), block.data(), kBlockBytes));
  all_begun = true;
}

void take(bool computes) {
  const ramjet::endpoint own(2);
  if (computes) std::this_thread::sleep_for(kBusy);
  static_cast<void>(ramjet::wait_until([] { return arrived == kCount && block_came; }));
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.endpoints = 3;
  ramjet::init(argc, argv, wanted);
  if (ramjet::rank() == 0) {
    std::thread sender(send);
    static_cast<void>(ramjet::wait_until([] { return all_begun.load(); }));
    ramjet::request<on_sent>(1);
    static_cast<void>(ramjet::wait_until([] { return is_over; }));
    sender.join();
  } else if (ramjet::rank() == 1) {
    static_cast<void>(ramjet::wait_until([] { return is_sent; }));
    static_cast<void>(ramjet::wait_for(kLateMs, [] { return false; }));
    std::thread(take, argc > 1).join();
    ramjet::request<on_end>(0);
    if (!in_order) std::printf("messages have changed their order\n");
  }
  ramjet::finalize();
  return in_order ? 0 : 1;
}
