// SPDX-License-Identifier: Apache-2.0
// One endpoint's channels side by side: each peer is reached by the best one, chosen when its lanes
// are made. (SCALE Suite 1997, Figure 7.)
#pragma once

#include "channel/channel.hpp"

namespace ramjet::channel {

class routes final : public channel {
 public:
  // Messages to `port` itself go by `own`, all others by `node`.
  routes(unsigned port, std::unique_ptr<channel> own, std::unique_ptr<channel> node);
  const char* name() const noexcept override { return node_->name(); }
  link connect(unsigned peer) override { return to(peer).connect(peer); }
  void disconnect(unsigned peer) override { to(peer).disconnect(peer); }
  bool pumps() const noexcept override { return own_->pumps() || node_->pumps(); }
  unsigned pump() override;
  int take_lost() override;
  bool drained() override { return own_->drained() && node_->drained(); }

 private:
  channel& to(unsigned peer) { return peer == port_ ? *own_ : *node_; }

  unsigned port_;
  std::unique_ptr<channel> own_;
  std::unique_ptr<channel> node_;
};

}  // namespace ramjet::channel
