// SPDX-License-Identifier: Apache-2.0
// The lane of a port to itself: one ring in private memory, written and read by the same thread.
#pragma once

#include <optional>

#include "channel/channel.hpp"
#include "lane/private_lane.hpp"

namespace ramjet::channel {

class self_channel final : public channel {
 public:
  explicit self_channel(unsigned port) : port_(port) {}
  const char* name() const noexcept override { return "self"; }
  // Of the port itself only.
  link connect(unsigned peer) override;

 private:
  unsigned port_;
  std::optional<lane::private_lane> lane_;
};

}  // namespace ramjet::channel
