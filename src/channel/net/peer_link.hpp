// SPDX-License-Identifier: Apache-2.0
// What a net_channel keeps of each peer, and of each stream that it has to one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

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

// One stream to a peer, and the frame that is coming in by it.
struct net_channel::connection {
  peer_link* link = nullptr;
  std::unique_ptr<stream> wire;
  std::unique_ptr<std::byte[]> inbox = std::make_unique_for_overwrite<std::byte[]>(kInboxBytes);
  std::size_t begin = 0, end = 0;
  // Bytes that go straight to where they belong, and what is committed then.
  landing region;
  enum class then : std::uint8_t { nothing, answer, record, access } commit = then::nothing;
  std::uint32_t access_id = 0;
  access_answer access{};
  bool said_bye = false;
  bool deaf = false;  // it takes nothing more; a good-bye may be among what it has brought
  bool gone = false;  // then there is no wire either
};

struct net_channel::peer_link {
  unsigned peer;
  private_lane out_lane, in_lane;
  source_mirror out;
  target_mirror in;
  connection* way = nullptr;  // the stream to send on
  connection* source = nullptr;  // the stream that frames come by: the peer chose it
  std::optional<outbox> box;  // once there is a stream
  bool wanted = false;
  bool active = false;
  bool closed = false;
  bool said_bye = false;  // no frame follows the one that says so
  bool polled = true;  // since the last packet that a message sent at once
  unsigned posts = 0;
  std::uint64_t idle_at_ns = 0;  // the wire, as far as can be guessed
  waiting_frames waiting;  // deposits and accesses, before all records of the lanes
  waiting_frames owed;  // answers
  access_window window;
  // A fetch is under way, nothing else is asked meanwhile; and what its answer will be.
  bool fetching = false;
  std::uint32_t fetching_id = 0;
  access_answer fetched{};

  // Nothing is left to send.
  bool idle() const { return box->empty() && waiting.empty() && owed.empty() && !fetching; }

  peer_link(unsigned port, unsigned to, const lane_shape& shape)
      : peer(to),
        out_lane(lane::shared_lane(port, to)),
        in_lane(lane::shared_lane(to, port)),
        out(out_lane.get(), shape),
        in(in_lane.get(), shape) {}
};

}  // namespace ramjet::channel
