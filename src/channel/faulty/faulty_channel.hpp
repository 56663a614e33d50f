// SPDX-License-Identifier: Apache-2.0
// A channel for tests: carries the lanes of another channel, late and in parts, as a seed says. It
// delays each direction of each link by itself, so messages overtake each other wherever the
// contract allows it; with `drop` it loses one peer for good. The same seed gives the same
// decisions for the same sequence of pumps.
#pragma once

#include <deque>
#include <random>
#include <vector>

#include "channel/channel.hpp"
#include "channel/faulty/lane_relay.hpp"
#include "lane/private_lane.hpp"

namespace ramjet::channel {

struct fault_plan {
  std::uint64_t seed = 0;
  bool drop = false;  // lose the links of one rank, chosen by the seed, after a while
};

// Reads "faulty:SEED" or "faulty:SEED:drop"; false if it is neither.
bool parse_fault_plan(const std::string& text, fault_plan& into);

class faulty_channel final : public channel {
 public:
  faulty_channel(unsigned port, std::unique_ptr<channel> inner, const fault_plan& plan);
  const char* name() const noexcept override { return "faulty"; }
  link connect(unsigned peer) override;
  void disconnect(unsigned peer) override;
  void stop_sending(unsigned peer) override;
  bool closed_by_peer(unsigned peer) const override;
  bool pumps() const noexcept override { return true; }
  unsigned pump() override;
  int take_lost() override;
  bool drained() override;
  // Early, at worst: the record that belongs to it comes later.
  bool deposit(unsigned peer, deposit_under_way& d) override { return inner_->deposit(peer, d); }
  void deposit_in_handler(unsigned peer, std::uint64_t at, const piece& bytes) override {
    inner_->deposit_in_handler(peer, at, bytes);
  }
  std::size_t waiting_bytes() override { return inner_->waiting_bytes(); }
  // What the relays still hold is late, as everything here.
  void flush() override { inner_->flush(); }
  void allow_coproc_flush(coproc_flush_request& request) override {
    inner_->allow_coproc_flush(request);
  }
  bool flush_from_coprocessor() override { return inner_->flush_from_coprocessor(); }

 private:
  struct relayed {
    unsigned peer;
    link outer;           // what the engine sees: private memory
    lane_relay out, in;
    unsigned stall = 0;   // pumps during which the link stands still
    bool used = false;  // a record has gone or come: before, nothing is sent to the peer
    bool closed = false;
    bool loss_reported = false;
  };

  void report_no_loss(unsigned peer);
  void drop_if_due(relayed& r);

  unsigned port_;
  std::unique_ptr<channel> inner_;
  fault_plan plan_;
  std::mt19937_64 random_;
  std::vector<relayed> links_;
  std::deque<lane::private_lane> lanes_;  // two for each link
  std::uint64_t pumps_ = 0;
  unsigned victim_ = 0;        // rank to lose
  std::uint64_t drop_at_ = 0;  // pump at which
};

}  // namespace ramjet::channel
