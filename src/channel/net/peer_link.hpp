// SPDX-License-Identifier: Apache-2.0
// What a net_channel keeps of each peer, and of each stream that it has to one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "channel/net/net_channel.hpp"
#include "channel/net/waiting_frames.hpp"
#include "lane/shared_lane.hpp"

namespace ramjet::channel {

inline constexpr std::size_t kInboxBytes = 16 * 1024;
// What an answer needs beside its bytes.
inline constexpr std::size_t kAnswerLead = sizeof(frame_head) + sizeof(std::uint64_t);

template <class T>
piece bytes_of(const T& value) {
  return {reinterpret_cast<const std::byte*>(&value), sizeof value};
}

inline constexpr const char* kNotBegun = "it answers an access that was not begun";

// An answer to an access of this endpoint that the second thread has received.
struct net_channel::kept_answer {
  unsigned peer;
  std::uint32_t id;
  access_answer about;  // without the address of its bytes
  std::vector<std::byte> bytes;  // the last ones of the answer; those before have landed
  bool in_window;  // the link's window counts it still
};

// One stream to a peer, and the frame that is coming in by it.
//
//        send() failed                 nothing more comes
//   open --------------> unwritable ------------------------> gone
//     \------ the peer's bye came ----> peer_left ---finish---^
//     \------ receive() failed, a frame makes no sense, disconnect() --^
struct net_channel::connection {
  enum class state : std::uint8_t {
    open,
    unwritable,  // it takes nothing more; a bye may be among what it has brought
    peer_left,
    gone,  // there is no wire
  };
  peer_link* link = nullptr;
  std::unique_ptr<stream> wire;
  state now = state::open;
  bool bye_came = false;  // the peer has closed its endpoint
  std::unique_ptr<std::byte[]> inbox = std::make_unique_for_overwrite<std::byte[]>(kInboxBytes);
  std::size_t begin = 0, end = 0;
  // Bytes that go straight to where they belong, and what is committed then.
  landing region;
  enum class then : std::uint8_t { nothing, answer, record, access, kept } commit = then::nothing;
  std::uint32_t access_id = 0;
  access_answer access{};
  std::vector<std::byte> kept;  // the region of an answer that the second thread receives
  bool kept_in_window = false;  // as in kept_answer

  bool is_gone() const noexcept { return now == state::gone; }
};

// When a message goes out at once: the wire is idle. It is so if the program has polled since the
// last packet, or as much time has passed as that packet took. The clock is read for few messages
// of a run: the first, second and fourth after a packet, and then every eighth.
class wire_pace {
 public:
  void note_poll() noexcept { polled_ = true; }
  // Whether it is worth it to read the clock.
  bool may_be_idle() noexcept {
    if (polled_) return true;
    const unsigned n = ++posts_;
    return n % 8 == 0 || n == 1 || n == 2 || n == 4;
  }
  bool is_idle(std::uint64_t now_ns) const noexcept { return polled_ || now_ns >= idle_at_ns_; }
  void note_packet(std::uint64_t begin_ns, std::uint64_t end_ns) noexcept {
    polled_ = false;
    posts_ = 0;
    idle_at_ns_ = end_ns + std::max(kWireNs, end_ns - begin_ns);
  }

 private:
  static constexpr std::uint64_t kWireNs = 2'000;  // least time that a packet keeps the wire busy
  bool polled_ = true;  // since the last packet
  unsigned posts_ = 0;  // since the last packet
  std::uint64_t idle_at_ns_ = 0;
};

// A peer.
//
//        want()            a stream came            bye is in the outbox
//   idle ------> wanted -----------------> open --------------------------> leaving
//     \---------- the peer called ---------^  \--- its stream is gone --> lost <--/
//
//   stop_sending(): each of them --> lost, and its streams are read on until they end
//   disconnect(): each of them --> closed, for good
struct net_channel::peer_link {
  enum class state : std::uint8_t { idle, wanted, open, leaving, lost, closed };

  unsigned peer;
  state now = state::idle;
  bool active = false;  // stands in active_
  lane::private_lane out_lane, in_lane;
  source_mirror out;
  target_mirror in;
  connection* way = nullptr;  // the stream to send on: of open, leaving
  connection* source = nullptr;  // the stream that frames come by: the peer chose it
  std::uint64_t read_until_ns = 0;  // of a dead peer: a stream that is silent then is closed
  std::optional<outbox> box;  // once there is a stream
  wire_pace pace;
  waiting_frames waiting;  // deposits and accesses, before all records of the lanes
  waiting_frames owed;  // answers
  access_window window;
  std::size_t kept_bytes = 0;  // of answers in kept_, as the window counts them
  // The access for which the network reads the peer's memory: no other is begun meanwhile.
  struct fetch_under_way {
    std::uint32_t id;
    access_answer answer;
  };
  std::optional<fetch_under_way> fetch;

  // Has a stream to send on.
  bool has_way() const noexcept { return now == state::open || now == state::leaving; }
  // Nothing will ever be sent to it again.
  bool is_over() const noexcept { return now == state::lost || now == state::closed; }
  // Nothing is left to send but what is new in the lanes. It has a stream.
  bool all_sent() const { return box->empty() && waiting.empty() && owed.empty() && !fetch; }

  peer_link(unsigned port, unsigned to, const lane_shape& shape)
      : peer(to),
        out_lane(lane::shared_lane(port, to)),
        in_lane(lane::shared_lane(to, port)),
        out(out_lane.get(), shape),
        in(in_lane.get(), shape) {}
};

}  // namespace ramjet::channel
