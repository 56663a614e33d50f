// SPDX-License-Identifier: Apache-2.0
// Signs of life between nodes, as datagrams: unlike what TCP sends, one arrives or is lost at once
// and waits for no lost one before it, so an outage ends for its receiver when it ends (ADR 13).
//
// A datagram speaks for all living ranks of a node, and says from which nodes its sender hears
// datagrams itself; or it notifies one rank that its sender has given it up. It proves the job's
// key by a MAC over all that follows, and its number that it is not a recording of an earlier one.
//
//   heartbeat {mac | magic, kind, from, number, rank, alive[ranks], heard[nodes]}
//
// Threads: a heartbeat_socket belongs to one thread. Nothing here waits.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "job/bootstrap/bootstrap.hpp"
#include "mesh/address.hpp"

namespace ramjet::mesh {

// One bit for each rank, or for each node.
using rank_bits = std::array<std::uint64_t, node::kRanksMax / 64>;
static_assert(node::kRanksMax % 64 == 0);
inline bool has_bit(const rank_bits& bits, unsigned i) noexcept {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}
inline void set_bit(rank_bits& bits, unsigned i) noexcept {
  bits[i / 64] |= std::uint64_t{1} << i % 64;
}

struct heartbeat {
  enum class kind : std::uint32_t { alive = 1, given_up = 2 };

  std::uint64_t magic = 0;
  kind what = kind::alive;
  std::uint32_t from = 0;  // the rank that sends it
  std::uint64_t number = 0;  // of a sender's heartbeats each has a higher one
  std::uint64_t rank = 0;  // given_up: whom the sender has given up
  rank_bits alive{};  // alive: ranks of the sender's node that live
  rank_bits heard{};  // alive: nodes from which the sender hears datagrams
};
static_assert(sizeof(heartbeat) == 32 + 2 * sizeof(rank_bits));
static_assert(std::has_unique_object_representations_v<heartbeat>);

inline constexpr std::uint64_t kHeartbeatMagic = 0x5441'4542'454a'4d52;  // "RMJEBEAT"

class heartbeat_socket {
 public:
  heartbeat_socket() = default;
  ~heartbeat_socket();
  heartbeat_socket(const heartbeat_socket&) = delete;
  heartbeat_socket& operator=(const heartbeat_socket&) = delete;

  // Binds to a free port of the address, which `where` then names. False: errno says why.
  bool open(net_address& where);
  // Before send() and receive(). The key outlives this.
  void set_job(const job::job_key& key, unsigned ranks);

  int descriptor() const noexcept { return fd_; }

  // Sends it in this rank's name, with the next number, to each of these. A datagram may be lost
  // anywhere, here, too.
  void send(heartbeat beat, const std::vector<const net_address*>& to);
  // The next proven one; false: none is there. Others are dropped without a word.
  bool receive(heartbeat& into);

 private:
  using mac = std::array<std::uint8_t, 32>;
  mac mac_of(const heartbeat& beat) const;

  int fd_ = -1;
  const job::job_key* key_ = nullptr;
  std::uint64_t sent_ = 0;  // the last number
  std::vector<std::uint64_t> received_;  // [ranks]: the highest number of each
};

}  // namespace ramjet::mesh
