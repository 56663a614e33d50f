// SPDX-License-Identifier: Apache-2.0
#include "channel/self/self_channel.hpp"

#include "channel/shm/shm_channel.hpp"
#include "ramjet/detail/check.hpp"

namespace ramjet::channel {

link self_channel::connect(unsigned peer) {
  RAMJET_CHECK(peer == port_, "the self channel reaches its own port only");
  if (!lane_) lane_.emplace(shared_lane(port_, port_));
  return {lane_->get(), lane_->get()};
}

}  // namespace ramjet::channel
