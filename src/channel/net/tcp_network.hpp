// SPDX-License-Identifier: Apache-2.0
// TCP connections that the mesh has made and proved (mesh/mesh.hpp), as streams.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "channel/net/network.hpp"

namespace ramjet::channel {

class tcp_stream;

class tcp_network final : public network {
 public:
  explicit tcp_network(unsigned port);
  ~tcp_network() override;
  const char* name() const noexcept override { return "tcp"; }
  void want(unsigned peer) override;
  std::unique_ptr<stream> take(unsigned& peer) override;
  // A port of this rank that takes no streams any more: peers that make one read a bye from it.
  // Returns those whose streams have come and were not taken.
  static std::vector<std::uint32_t> refuse_streams(unsigned port);
  bool can_tell() const noexcept override { return open_ > kFewStreams; }
  void progress() override;
  bool wake_when_ready() override;

 private:
  friend class tcp_stream;
  void stop_watching_room();
  static constexpr unsigned kFewStreams = 3;  // reading these costs less than epoll_wait

  unsigned port_;
  int set_ = -1;  // epoll set of all streams
  std::vector<tcp_stream*> room_watched_;  // all that are full, and some that are so no more
  unsigned open_ = 0;
  unsigned holding_ = 0;  // streams that hold bytes which have come and were not taken
  std::uint32_t taken_ = 0;
};

}  // namespace ramjet::channel
