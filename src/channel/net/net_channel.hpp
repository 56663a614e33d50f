// SPDX-License-Identifier: Apache-2.0
// Lanes to ranks on other machines: each is private memory on both sides, and a stream of frames
// (frame.hpp) keeps the two alike. (SCALE Suite 1997, section 3.)
//
//   engine --record--> outgoing lane --collect--> outbox --stream--> inbox --apply--> incoming lane
//
// A message goes out at once when the wire is idle, and joins the next packet when it is not: a
// run of messages would else pay a system call each. The wire is idle when all that was collected
// before has gone, and since the last packet the program has polled, or as much time has passed as
// that packet took. What waits for the wire goes with the next message that finds it idle, or at
// the next poll. Accesses go beside the lanes (channel/access.hpp): they are served while the owner
// pumps, and their answers leave before that pump ends.
//
//   link:  idle --first message--> wanted --stream came--> open --bye, or dead--> closed
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "channel/channel.hpp"
#include "channel/net/mirror.hpp"
#include "channel/net/network.hpp"
#include "channel/net/outbox.hpp"
#include "lane/private_lane.hpp"

namespace ramjet::channel {

class net_channel final : public channel {
 public:
  net_channel(unsigned port, std::unique_ptr<network> over);
  ~net_channel() override;
  const char* name() const noexcept override { return network_->name(); }
  link connect(unsigned peer) override;
  void disconnect(unsigned peer) override;
  bool closed_by_peer(unsigned peer) const override;
  bool pumps() const noexcept override { return true; }
  unsigned pump() override;
  bool drained() override;
  void rung(unsigned peer, detail::lane& out, bool in_handler) override;
  void deposit(unsigned peer, std::uint64_t at, const void* data, std::size_t bytes,
               bool may_wait) override;
  bool takes_accesses(unsigned) const override { return true; }
  bool fetches(unsigned peer) override;
  access_start begin_access(unsigned peer, const access& a, bool in_handler) override;
  std::uint64_t pause_ns() override;
  bool prepare_sleep() override;

 private:
  struct connection;
  struct peer_link;

  // What a link brings in: one stream's frames.
  void take_streams();
  unsigned collect(peer_link& l);
  unsigned receive(connection& c);
  unsigned parse(connection& c);
  bool take_frame(connection& c, const std::byte* frame, std::size_t available, std::size_t& used);
  void take_region(connection& c, std::size_t bytes);
  bool has_place(connection& c);
  void land(connection& c);
  void broken(connection& c, const char* why);
  void close(connection& c);
  void activate(peer_link& l);
  void want(peer_link& l);
  unsigned send_active();
  void send_if_idle(peer_link& l);
  bool put_deposit(peer_link& l, const access& a);
  std::byte* find_segment_place(std::uint64_t at, std::uint64_t bytes) const;
  access_start fetch(peer_link& l, const access& a);
  bool take_fetched(peer_link& l);
  const char* serve(peer_link& l, const frame_head& head, const std::byte* request);
  const char* take_answer(connection& c, const frame_head& head, const std::uint64_t* body);
  bool say_bye_once_sent(peer_link& l);
  peer_link& link_to(unsigned peer);

  unsigned port_;
  std::unique_ptr<network> network_;
  lane_shape shape_;
  unsigned node_;  // of this rank
  std::byte* segments_;  // the first of all ranks
  std::uint64_t segment_bytes_;
  std::vector<std::unique_ptr<peer_link>> links_;  // by port; null: not this channel's
  std::vector<peer_link*> active_;  // with something to send, perhaps
  std::vector<std::unique_ptr<connection>> connections_;
  unsigned quiet_pumps_ = 0;  // in a row that moved nothing
  bool received_ = false;  // the last pump did, for lanes
  bool for_lanes_ = false;  // frames for lanes came
  bool served_ = false;  // accesses, since the last packets went
};

}  // namespace ramjet::channel
