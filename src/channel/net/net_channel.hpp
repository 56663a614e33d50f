// SPDX-License-Identifier: Apache-2.0
// Lanes to ranks on other machines: each is private memory on both sides, and a stream of frames
// (frame.hpp) keeps the two alike. (SCALE Suite 1997, section 3.)
//
//   engine --record--> outgoing lane --collect--> outbox --stream--> inbox --apply--> incoming lane
//
// A message goes out at once when the wire is idle, and joins the next packet when it is not: a
// run of messages would else pay a system call each. The wire is idle when all that was collected
// before has gone, and since the last packet the program has polled, or as much time has passed as
// that packet took. What waits for the wire goes with a message that finds it idle, at the next
// poll, by flush(), or by flush_from_coprocessor(), which another thread calls. An access whose
// thread announces another access or a wait (access::more_follow) joins the packet of that one.
// Accesses go beside the lanes (channel/access.hpp): they are served while the owner pumps, or by
// serve() while it does not, and their answers leave before that call ends.
//
// States of a link and of its streams: peer_link.hpp. Threads: the endpoint's thread makes all
// calls but flush_from_coprocessor() and serve(), which another thread makes; the two take turns
// (channel/coproc_flush.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "channel/channel.hpp"
#include "channel/coproc_flush.hpp"
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
  void stop_sending(unsigned peer) override;
  bool closed_by_peer(unsigned peer) const override;
  bool pumps() const noexcept override { return true; }
  unsigned pump() override;
  bool drained() override;
  void rung(unsigned peer, detail::lane& out, bool in_handler) override;
  bool deposit(unsigned peer, deposit_under_way& d) override;
  void deposit_in_handler(unsigned peer, std::uint64_t at, const piece& bytes) override;
  bool takes_accesses(unsigned) const override { return true; }
  bool fetches(unsigned peer) override;
  access_start begin_access(unsigned peer, const access& a, bool in_handler) override;
  std::size_t waiting_bytes() override;
  std::uint64_t pause_ns() override;
  bool prepare_sleep() override;
  void flush() override;
  void allow_coproc_flush(coproc_flush_request& request) override;
  bool flush_from_coprocessor() override;
  void allow_serving() override;
  service serve() override;
  // Adds the peers of whom a record has come.
  void add_senders(std::vector<std::uint32_t>& to) const;

 private:
  struct connection;
  struct peer_link;
  struct kept_answer;

  peer_link& link_to(unsigned peer) { return *links_[peer]; }
  void take_streams();
  void close(connection& c);
  void stop_sending_to(peer_link& l);
  void activate(peer_link& l);
  void want(peer_link& l);

  // Sending.
  void send_if_idle(peer_link& l);
  bool send_left_behind(const peer_link* but = nullptr);
  void defer_send() noexcept;
  unsigned send_active();
  unsigned collect(peer_link& l);
  void hand_over(peer_link& l);
  bool say_bye_once_sent(peer_link& l);
  bool go_on(peer_link& l, deposit_under_way& d);
  bool waits_for_wires() const;
  access_start fetch(peer_link& l, const access& a);
  bool take_fetched(peer_link& l);

  // Receiving (net_receive.cpp). The reasons that are returned say what is wrong with the peer;
  // null: nothing.
  unsigned receive(connection& c);
  static bool has_fallen_silent(const peer_link& l);
  std::ptrdiff_t receive_some(connection& c, std::size_t& most);
  unsigned parse(connection& c);
  bool take_frame(connection& c);
  const char* apply(connection& c, const frame_head& head, const frame_body& body);
  const char* take_records(connection& c, const frame_head& head, const frame_body& body);
  static const char* take_consumed(peer_link& l, const frame_body& body);
  const char* take_deposit(connection& c, const frame_body& body);
  const char* serve(peer_link& l, const frame_head& head, const frame_body& request);
  const char* take_answer(connection& c, const frame_head& head, const frame_body& body);
  void take_region(connection& c, std::size_t bytes);
  bool has_place(connection& c);
  void land(connection& c);
  void broken(connection& c, const char* why);

  // The second thread (net_serving.cpp).
  unsigned serve_round();
  void keep_rest(connection& c);
  const char* keep_answer(connection& c, const frame_head& head, const frame_body& body);
  void keep(connection& c);
  unsigned take_kept();
  const char* take_kept_answer(kept_answer& kept);
  std::byte* find_segment_place(std::uint64_t at, std::uint64_t bytes) const;

  unsigned port_;
  std::unique_ptr<network> network_;
  lane_shape shape_;
  unsigned node_;  // of this rank
  unsigned endpoints_;  // of each rank
  std::byte* segments_;  // the first of all ranks
  std::uint64_t segment_bytes_;
  mutable channel_turn turn_;
  coproc_flush_request* push_ = nullptr;  // null: nobody else sends for this endpoint
  std::vector<std::unique_ptr<peer_link>> links_;  // by port; null: not this channel's
  std::vector<peer_link*> active_;  // with something to send, perhaps
  std::vector<std::unique_ptr<connection>> connections_;
  std::uint64_t clock_read_ns_ = 0;  // when a message was begun and the clock was read last
  unsigned quiet_pumps_ = 0;  // in a row that moved nothing
  bool received_ = false;  // the last pump did, for lanes
  bool for_lanes_ = false;  // frames for lanes came
  bool served_ = false;  // accesses, since the last packets went
  bool by_second_ = false;  // the second thread has the turn
  // Answers that the second thread has received, for the endpoint's.
  std::vector<kept_answer> kept_;
};

}  // namespace ramjet::channel
