// SPDX-License-Identifier: Apache-2.0
// Reliable datagrams of libfabric as streams: one to each peer, whichever side wants it first.
#pragma once

#include "channel/net/network.hpp"
#include "channel/net/ofi_transport.hpp"

namespace ramjet::channel {

class ofi_network final : public network {
 public:
  explicit ofi_network(unsigned port) : packets_(port) {}
  const char* name() const noexcept override { return "ofi"; }
  void want(unsigned peer) override { packets_.open_peer(peer); }
  std::unique_ptr<stream> take(unsigned& peer) override;
  void progress() override { packets_.progress(); }
  bool wake_when_ready() override { return packets_.wake_when_ready(); }

 private:
  ofi_transport packets_;
};

}  // namespace ramjet::channel
