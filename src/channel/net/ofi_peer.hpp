// SPDX-License-Identifier: Apache-2.0
// What an ofi_transport keeps of each packet buffer, and of each peer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "channel/net/ofi_transport.hpp"

namespace ramjet::channel {

inline constexpr std::uint32_t kOfiWindowMax = 32;  // packets on their way to a peer

struct ofi_transport::buffer {
  enum class use : std::uint8_t { send, receive, copy };
  fi_context2 context{};  // the provider's, while the buffer is with it
  std::byte* bytes = nullptr;
  peer* to = nullptr;       // unless it receives
  std::uint32_t count = 0;  // payload
  use what = use::send;
};

struct ofi_transport::peer {
  unsigned port;
  fi_addr_t address;
  ofi_token mine, theirs;  // that packets to it and from it bring
  packet_window window;
  std::array<buffer*, kOfiWindowMax> early{};  // by number: before their turn
  std::deque<buffer*> arrived;              // in turn, to be read
  std::size_t read = 0;     // of the first of them
  bool broken = false;      // nothing can be sent to it
  bool closed = false;      // it has said so
  bool ack_requested = false;  // before a copy
  bool wants_ack = false;  // is to be sent an acknowledgement whenever all is taken
  bool discarding = false;  // nobody reads what it sends any more
  bool in_unannounced = false;
  std::string key;          // of its segment, for copies; empty: they cannot be had
  buffer copying{};         // context of the copy that is under way
  bool copies = false;      // one is
  ofi_ptr<fid_mr> here;     // registration of what is written, where the provider wants one
  std::unique_ptr<std::byte[]> room;  // what was fetched
  ofi_ptr<fid_mr> registered_room;

  buffer*& early_at(std::uint32_t sequence) { return early[sequence % early.size()]; }
};

}  // namespace ramjet::channel
