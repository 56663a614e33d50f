// SPDX-License-Identifier: Apache-2.0
// Rank 0 sends more than a connection holds to rank 1, which computes for MS milliseconds and reads
// nothing meanwhile; then all has to arrive.
//
//   silent_peer MS
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kMessages = 64;
constexpr std::size_t kBytes = 1 << 20;
int arrived = 0;

void on_block(ramjet::request_token, ramjet::deposit) { ++arrived; }

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.segment_bytes = 64 << 20;
  ramjet::init(argc, argv, wanted);
  if (argc != 2 || ramjet::size() != 2) return 2;
  const auto room = ramjet::segment_array<std::byte>(kBytes);
  std::byte* const there =
      ramjet::segment_begin(1) + (room.data() - ramjet::segment_begin(ramjet::rank()));
  ramjet::barrier();
  ramjet::status s = ramjet::status::ok;
  if (ramjet::rank() == 0) {
    const std::vector<char> block(kBytes, 1);
    for (int i = 0; i < kMessages && s == ramjet::status::ok; ++i)
      s = ramjet::request_long<on_block>(1, there, block.data(), kBytes);
  } else {
    using clock = std::chrono::steady_clock;
    const auto until = clock::now() + std::chrono::milliseconds(std::atoi(argv[1]));
    while (clock::now() < until) {
    }
    s = ramjet::wait_until([] { return arrived == kMessages; });
    std::printf("%s\n", s == ramjet::status::ok ? "all arrived" : ramjet::to_string(s));
  }
  ramjet::finalize();
  return s == ramjet::status::ok ? 0 : 1;
}
