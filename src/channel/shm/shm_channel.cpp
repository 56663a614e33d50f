// SPDX-License-Identifier: Apache-2.0
#include "channel/shm/shm_channel.hpp"

#include "lane/shared_lane.hpp"

namespace ramjet::channel {

link shm_channel::connect(unsigned peer) {
  return {lane::shared_lane(port_, peer), lane::shared_lane(peer, port_)};
}

}  // namespace ramjet::channel
