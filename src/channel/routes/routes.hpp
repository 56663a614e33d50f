// SPDX-License-Identifier: Apache-2.0
// One endpoint's channels side by side: each peer is reached by the best one, chosen when its lanes
// are made. (SCALE Suite 1997, section 3, Figures 7 and 8.)
#pragma once

#include <vector>

#include "channel/channel.hpp"

namespace ramjet::channel {

class routes final : public channel {
 public:
  // Takes the channels over; way[p] is the index of the one to port p.
  routes(std::vector<std::unique_ptr<channel>> channels, std::vector<std::uint8_t> way);
  const char* name() const noexcept override { return "routes"; }
  link connect(unsigned peer) override { return to(peer).connect(peer); }
  void disconnect(unsigned peer) override { to(peer).disconnect(peer); }
  void stop_sending(unsigned peer) override { to(peer).stop_sending(peer); }
  bool pumps() const noexcept override { return !pumped_.empty(); }
  unsigned pump() override;
  bool closed_by_peer(unsigned peer) const override {
    return channels_[way_[peer]]->closed_by_peer(peer);
  }
  int take_lost() override;
  bool drained() override;
  std::uint64_t pause_ns() override;
  bool prepare_sleep() override;
  void rung(unsigned peer, detail::lane& out, bool in_handler) override {
    to(peer).rung(peer, out, in_handler);
  }
  bool deposit(unsigned peer, deposit_under_way& d) override { return to(peer).deposit(peer, d); }
  void deposit_in_handler(unsigned peer, std::uint64_t at, const piece& bytes) override {
    to(peer).deposit_in_handler(peer, at, bytes);
  }
  bool takes_accesses(unsigned peer) const override {
    return channels_[way_[peer]]->takes_accesses(peer);
  }
  bool fetches(unsigned peer) override { return to(peer).fetches(peer); }
  std::size_t waiting_bytes() override;
  void flush() override;
  void allow_coproc_flush(coproc_flush_request& request) override;
  bool flush_from_coprocessor() override;
  void allow_serving() override;
  service serve() override;
  access_start begin_access(unsigned peer, const access& a, bool in_handler) override {
    return to(peer).begin_access(peer, a, in_handler);
  }

 private:
  channel& to(unsigned peer) { return *channels_[way_[peer]]; }

  std::vector<std::unique_ptr<channel>> channels_;
  std::vector<std::uint8_t> way_;  // [ports]
  std::vector<channel*> pumped_;
};

}  // namespace ramjet::channel
