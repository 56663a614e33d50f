// SPDX-License-Identifier: Apache-2.0
// Finds connections of channels whose packets vanish (a firewall that forgot them, say) while the
// rank at the other end lives: its system does not acknowledge what this one sends again and again.
// A connection that only has nothing to say, or whose peer computes and does not read, is sound:
// the peer's system acknowledges what it has room for, and answers when it is asked for room.
//
// Threads: a port's thread adds and removes its connections, the mesh's thread checks them; all
// under the mutex, so a descriptor is not closed while it is checked. A library may close one of
// its connections at any time: what is read then is another one's, once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "mesh/endpoint_connections.hpp"

namespace ramjet::mesh {

// What the system says of a connection (TCP_INFO).
struct transmission {
  std::uint64_t acknowledged_bytes = 0;
  bool waits_for_answer = false;  // something was sent that is not acknowledged
  bool no_room_there = false;  // the peer's system has said so, and says so again when it is asked
};
// False if the descriptor is not a TCP connection.
bool read_transmission(int fd, transmission& into);

// For how long a connection has not been answered while the peer was known to live. Begins anew
// when it is not: an outage of the whole way is the matter of the signs of life, and after one TCP
// may take as long again until it sends once more.
class answer_clock {
 public:
  void advance(const transmission& now, std::uint64_t elapsed_ns, bool peer_is_heard);
  std::uint64_t silent_ns() const noexcept { return silent_ns_; }

 private:
  std::uint64_t acknowledged_bytes_ = 0;
  std::uint64_t silent_ns_ = 0;
};

class connection_watch {
 public:
  // Both are ports. `sends` counts the calls that send on it, and outlives the entry: while it is
  // the same and all was acknowledged, the system is not asked. Null: it is asked every time.
  void add(int fd, std::uint32_t from, std::uint32_t to,
           const std::atomic<std::uint32_t>* sends = nullptr);
  // Before the descriptor is closed.
  void remove(int fd);
  // A call for it has failed with this errno, 0: the peer has closed it. Before it is removed.
  void note_broken(int fd, int error);
  struct broken_connection {
    std::uint32_t to;
    int error;
    std::string ends;  // "ADDRESS PORT to ADDRESS PORT"
  };
  // The first of those to a port of the rank, once; false: none was noted.
  bool take_broken(unsigned rank, unsigned ports_per_rank, broken_connection& into);
  // Connections between two endpoints that a library opens and closes by itself.
  void add_endpoints(const endpoint_pair& pair);
  void remove_endpoints(std::uint32_t from);
  // Calls found(to, fd) once for each connection that has been silent for `limit_ns`. heard(to):
  // whether the port's rank is known to live. `elapsed_ns` since the last call.
  void check(std::uint64_t elapsed_ns, std::uint64_t limit_ns,
             const std::function<bool(std::uint32_t to)>& heard,
             const std::function<void(std::uint32_t from, std::uint32_t to, int fd)>& found);

 private:
  struct watched {
    int fd;
    std::uint32_t from, to;
    bool found = false;
    answer_clock clock;
    tcp_end here, there;  // of a library's connection; what was added by its descriptor has none
    std::string ends;     // of one that was added by its descriptor
    const std::atomic<std::uint32_t>* sends = nullptr;
    std::uint32_t acknowledged_sends = 0;  // `sends` when nothing waited for an answer
  };
  void follow_endpoints();

  std::mutex mutex_;
  std::vector<watched> all_;
  std::vector<endpoint_pair> endpoints_;
  std::vector<broken_connection> broken_;
};

}  // namespace ramjet::mesh
