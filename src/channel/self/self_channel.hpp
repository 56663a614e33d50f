// SPDX-License-Identifier: Apache-2.0
// The lane of a port to itself: one ring in private memory, written and read by the same thread.
#pragma once

#include "channel/channel.hpp"

namespace ramjet::channel {

class self_channel final : public channel {
 public:
  // Ends with an empty link from connect() if memory cannot be had.
  explicit self_channel(unsigned port) : port_(port) {}
  ~self_channel() override;
  const char* name() const noexcept override { return "self"; }
  link connect(unsigned peer) override;

 private:
  unsigned port_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace ramjet::channel
