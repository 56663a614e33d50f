// SPDX-License-Identifier: Apache-2.0
// The raw limits between machines: what plain sockets need for the same thing over the same
// network, with busy polling and no library in between. Ranks 0 and 1; both call the same functions
// in the same order.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

class raw_tcp {
 public:
  // Connects the two over the interface that the job uses. They share `listening`, zero at first:
  // rank 0 writes where it listens.
  raw_tcp(std::atomic<std::uint64_t>& listening, int rank);
  ~raw_tcp();
  raw_tcp(const raw_tcp&) = delete;
  raw_tcp& operator=(const raw_tcp&) = delete;

  // `bytes` there and back, each a send and busy receives; ns at rank 0.
  double round_trip_ns(unsigned count, std::size_t bytes);
  // Rank 0 sends `count` messages of 8 bytes, each by a call of its own.
  void messages(unsigned count);
  // Rank 0 sends `count` blocks, rank 1 answers the last one with a byte.
  void blocks(unsigned count, std::size_t bytes);
  // What can be sent, or received, now; how many bytes.
  std::size_t send_some(const void* from, std::size_t bytes);
  std::size_t receive_some(void* into, std::size_t bytes);

 private:
  void send_all(const void* from, std::size_t bytes);
  void receive_all(void* into, std::size_t bytes);

  int fd_ = -1;
  int rank_;
  std::vector<char> buffer_;
};

}  // namespace bench
