// SPDX-License-Identifier: Apache-2.0
// Signs of life between nodes, as datagrams. A datagram arrives or is lost at once; it waits for no
// lost one before it, as TCP's bytes do. Therefore an outage ends for its receiver when it ends
// (ADR 13).
//
// A datagram speaks for all ranks of a node that their own node has not declared dead, and says
// whether its sender gets datagrams from the receiver's node. Another kind notifies a rank that the
// sender has given it up. A MAC over all other fields proves the job's key; the number proves that
// the datagram is not a recording of an earlier one.
//
// Threads: a heartbeat_socket belongs to one thread. Nothing here waits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "job/bootstrap/bootstrap.hpp"
#include "mesh/address.hpp"
#include "mesh/loss.hpp"

namespace ramjet::mesh {

struct heartbeat {
  enum class kind : std::uint32_t { alive = 1, given_up = 2 };

  std::uint64_t magic = 0;
  kind what = kind::alive;
  std::uint32_t from = 0;    // the rank that sends it
  std::uint64_t number = 0;  // each is higher than the sender's last one
  std::uint32_t to = 0;      // the rank that it is sent to; of given_up: that was given up
  loss_kind why = loss_kind::unknown;  // of given_up
  // alive:
  std::uint64_t machine = 0;    // this_machine() of the sender
  std::uint32_t thread = 0;     // this_thread() of the sender
  std::uint32_t hears_you = 0;  // whether datagrams of the receiver's node arrive
};
static_assert(sizeof(heartbeat) == 48);
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
  void set_job(const job::job_key& key, unsigned ranks, unsigned own_rank);

  int descriptor() const noexcept { return fd_; }

  // Sends it with the next number. A datagram may be lost anywhere, here as well.
  void send(heartbeat beat, const net_address& to);
  // The next proven one; false: none is there. Others are dropped without a word.
  bool receive(heartbeat& into);

 private:
  using mac = std::array<std::uint8_t, 32>;
  mac mac_of(const heartbeat& beat) const;

  int fd_ = -1;
  const job::job_key* key_ = nullptr;
  unsigned own_rank_ = 0;
  std::uint64_t sent_ = 0;  // the last number
  std::vector<std::uint64_t> received_;  // [ranks]: the highest number of each
};

}  // namespace ramjet::mesh
