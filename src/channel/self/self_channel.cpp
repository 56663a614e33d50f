// SPDX-License-Identifier: Apache-2.0
#include "channel/self/self_channel.hpp"

#include "lane/shared_lane.hpp"
#include "ramjet/detail/base/check.hpp"

namespace ramjet::channel {

link self_channel::connect(unsigned peer) {
  RAMJET_CHECK(peer == port_, "the self channel reaches its own port only");
  if (!lane_) lane_.emplace(lane::shared_lane(port_, port_));
  return {lane_->get(), lane_->get()};
}

}  // namespace ramjet::channel
