// SPDX-License-Identifier: Apache-2.0
// One kind of network as one port sees it: where a net_channel gets its streams. One thread.
#pragma once

#include <memory>

#include "channel/net/stream.hpp"

namespace ramjet::channel {

class network {
 public:
  network() = default;
  network(const network&) = delete;
  network& operator=(const network&) = delete;
  virtual ~network() = default;

  virtual const char* name() const noexcept = 0;
  // Begins to make a stream to the port; it comes by take(). A peer that cannot be reached is found
  // dead by the mesh.
  virtual void want(unsigned peer) = 0;
  // A proven stream that has come, because this side or the peer wanted it; null if there is none.
  // A port may get two to the same peer, if both did at once: it sends on one and receives on both.
  virtual std::unique_ptr<stream> take(unsigned& peer) = 0;
  // Whether it finds out which streams have something to receive more cheaply than by trying each.
  virtual bool can_tell() const noexcept { return false; }
  // Called before streams are tried.
  virtual void progress() {}
  // The peer's stream broke, or it sent what makes no sense: by default the mesh is notified.
  virtual void give_up(unsigned peer, const char* why);
  // The port is about to sleep: wakes it when something comes, or a stream that is full has room
  // again. False if that is not possible.
  virtual bool wake_when_ready() = 0;
};

}  // namespace ramjet::channel
