// SPDX-License-Identifier: Apache-2.0
// Packets over one port's libfabric endpoint: numbered, acknowledged, and handled only if they
// prove that their sender knows the job's key. The provider delivers reliably, in any order: the
// numbers bring the packets into theirs. The window (ofi_packet.hpp) bounds what can arrive before
// it is read.
//
//   send()  --copy--> buffer --fi_send--> ... --posted buffer--> arrived --copy--> receive()
//
// Buffers are taken from two pools and go back: a sent one with its completion, one that came when
// it has been read. Threads: the port's.
#pragma once

#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "channel/net/ofi_fabric.hpp"
#include "channel/net/ofi_packet.hpp"
#include "channel/net/stream.hpp"

namespace ramjet::channel {

class ofi_transport {
 public:
  static constexpr std::size_t kPacketBytes = 16 * 1024;

  struct buffer;
  struct peer;

  explicit ofi_transport(unsigned port);
  // Waits, not for long, until what was sent has been taken.
  ~ofi_transport();
  ofi_transport(const ofi_transport&) = delete;
  ofi_transport& operator=(const ofi_transport&) = delete;

  // Makes ready to send packets to the port.
  void open_peer(unsigned port);
  // A peer that can be sent packets since the last call; null if there is none.
  peer* take_opened();
  static unsigned port_of(const peer& p);
  // As in channel.
  // Nobody reads what the peer sends any more.
  void leave(peer& from);

  std::ptrdiff_t send(peer& to, piece first, piece second);
  std::ptrdiff_t receive(peer& from, std::byte* into, std::size_t most);
  // Between this memory and the peer's segment, as in stream.
  stream::begun write(peer& to, std::uint64_t at, const piece& bytes);
  stream::begun fetch(peer& from, std::uint64_t at, std::size_t bytes);
  static const std::byte* fetched(const peer& from);
  bool fetches(const peer& from) const;
  static stream::copy copied(const peer& to);
  // Takes completions.
  void progress();
  bool wake_when_ready();

 private:
  struct pool;
  // What a packet without payload says, in `sequence` of its head.
  enum class note : std::uint32_t { taken = 0, ack_request = 1, closed = 2 };

  peer* create_peer(unsigned port);
  void watch(unsigned port, const std::string& name);
  void make_pool(pool& of, std::size_t count);
  ssize_t put(peer& to, const ofi_head& head, const piece& first, const piece& second);
  static void end_copy(peer& to);
  stream::begun may_copy(peer& to, std::uint64_t at, std::size_t bytes);
  ofi_ptr<fid_mr> register_here(const std::byte* bytes, std::size_t count);
  bool in_own_segment(const piece& bytes) const;
  template <class Begin>
  stream::begun begin_copy(peer& to, std::uint64_t at, const piece& here, fid_mr* registered,
                           Begin&& begin);
  void announce(peer& to);
  bool send_note(peer& to, note what);
  void post(buffer& b);
  void retry();
  void complete(const fi_cq_msg_entry& done);
  void take_error();
  void take_packet(buffer& b);
  void take_in_turn(peer& from);
  void discard(peer& from);
  peer* author_of(const ofi_head& head);
  peer* author_of_altered(const ofi_head& head);
  static void give_up(peer& p, const char* why);
  void take_note(peer& from, const ofi_head& head);
  void refuse();
  void finish();
  bool awaited(const peer& p) const;

  struct pool {
    std::unique_ptr<std::byte[]> memory;
    ofi_ptr<fid_mr> registered;  // null where the provider does without
    std::vector<buffer> all;
    std::vector<buffer*> free;
  };

  unsigned port_;
  std::uint32_t window_;
  std::size_t inject_bytes_;
  pool outgoing_, incoming_;  // of use to the endpoint: it is closed before they are
  ofi_port ofi_;
  std::vector<std::unique_ptr<peer>> peers_;  // [ports]
  std::vector<peer*> opened_;                 // not taken yet
  std::vector<peer*> unannounced_;                  // whose acknowledgement found no room
  std::vector<buffer*> unposted_;
  std::size_t unread_packets_ = 0;                    // packets in the peers' queues
  std::uint64_t refused_ = 0;
};

}  // namespace ramjet::channel
