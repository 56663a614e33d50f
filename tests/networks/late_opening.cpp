// SPDX-License-Identifier: Apache-2.0
// late_opening [busy]
// Rank 1 opens an endpoint after one of rank 0 has sent to it and has closed. It gets all, in
// order. busy: the thread that has opened it computes for a while before it takes anything.
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kCount = 100;
constexpr std::size_t kBlockBytes = 3000;
constexpr std::chrono::seconds kBusy{3};

int arrived = 0;
bool in_order = true, block_came = false, is_sent = false;

void on_item(int i) { in_order &= i == arrived++; }
void on_block(ramjet::payload p) {
  block_came = p.size() == kBlockBytes && static_cast<const char*>(p.data())[kBlockBytes - 1] == 7;
}
void on_sent() { is_sent = true; }

void send() {
  const ramjet::endpoint own(1);
  for (int i = 0; i < kCount; ++i) ramjet::request<on_item>(ramjet::address(1, 2), i);
  const std::vector<char> block(kBlockBytes, 7);
  static_cast<void>(
      ramjet::request_medium<on_block>(ramjet::address(1, 2), block.data(), kBlockBytes));
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
    std::thread(send).join();
    ramjet::request<on_sent>(1);
  } else if (ramjet::rank() == 1) {
    static_cast<void>(ramjet::wait_until([] { return is_sent; }));
    std::thread(take, argc > 1).join();
    if (!in_order) std::printf("messages have changed their order\n");
  }
  ramjet::finalize();
  return in_order ? 0 : 1;
}
