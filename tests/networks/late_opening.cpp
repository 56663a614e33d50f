// SPDX-License-Identifier: Apache-2.0
// Rank 1 opens an endpoint once the endpoint of rank 0 that has sent to it is closed. It gets all,
// in order, while rank 0's main thread waits.
#include <cstdio>
#include <thread>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kCount = 100;
constexpr std::size_t kBlockBytes = 3000;

int arrived = 0;
bool in_order = true, block_came = false, is_closed = false, is_over = false;

void on_item(int i) { in_order &= i == arrived++; }
void on_block(ramjet::payload p) {
  block_came = p.size() == kBlockBytes && static_cast<const char*>(p.data())[kBlockBytes - 1] == 7;
}
void on_closed() { is_closed = true; }
void on_end() { is_over = true; }

void send() {
  const ramjet::endpoint own(1);
  for (int i = 0; i < kCount; ++i) ramjet::request<on_item>(ramjet::address(1, 2), i);
  const std::vector<char> block(kBlockBytes, 7);
  static_cast<void>(
      ramjet::request_medium<on_block>(ramjet::address(1, 2), block.data(), kBlockBytes));
}

void take() {
  const ramjet::endpoint own(2);
  static_cast<void>(ramjet::wait_until([] { return arrived == kCount && block_came; }));
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.endpoints = 3;
  ramjet::init(argc, argv, wanted);
  if (ramjet::rank() == 0) {
    std::thread(send).join();
    ramjet::request<on_closed>(1);
    static_cast<void>(ramjet::wait_until([] { return is_over; }));
  } else if (ramjet::rank() == 1) {
    static_cast<void>(ramjet::wait_until([] { return is_closed; }));
    std::thread(take).join();
    ramjet::request<on_end>(0);
    if (!in_order) std::printf("messages have changed their order\n");
  }
  ramjet::finalize();
  return in_order ? 0 : 1;
}
