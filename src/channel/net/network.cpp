// SPDX-License-Identifier: Apache-2.0
#include "channel/net/network.hpp"

#include "job/join.hpp"
#include "mesh/mesh.hpp"

namespace ramjet::channel {

void network::give_up(unsigned peer, const char* why) {
  mesh::give_up(peer / job::self().layout.endpoints, why);
}

}  // namespace ramjet::channel
