// SPDX-License-Identifier: Apache-2.0
// What a rank of a job on several machines has beside its channels: a listener, a proven connection
// to every rank on another machine, and a thread that serves them. The thread
//   - lets peers in that prove the job's key, and refuses everybody else with a line;
//   - makes connections for the channels, and passes on those that peers made for them;
//   - sends signs of life, and notices which ranks give none any more;
//   - writes on the board of this machine which ranks of others have left or died;
//   - wakes an endpoint that sleeps when something comes for it over a network;
//   - calls a function of a layer above when something comes for one port (attend_port).
//
// Threads: everything here may be called by any thread of the process between open_mesh and
// close_mesh. Nothing waits but open_mesh, connect_mesh and close_mesh.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "job/bootstrap/bootstrap.hpp"
#include "mesh/endpoint_connections.hpp"
#include "ramjet/status.hpp"

namespace ramjet::mesh {

using namespace ramjet::job;

// Opens the listener on the chosen interface; `card` is what others need to find it.
status open_mesh(std::string& card, std::string& message);

// Connects to every rank on another machine, by what open_mesh gave there, by rank. `build` is what
// peers must have in common. `dead_rank` names a rank that has died as far as the launcher knows,
// -1: none. Raises the soft limit of open files to the hard one. Returns once all have proved the
// key to each other, or a rank has died, or nothing has moved for 30 s: then it names a rank.
status connect_mesh(const std::vector<std::string>& cards, const job_key& key, std::uint64_t build,
                    const std::function<int()>& dead_rank, std::string& message);

// What only a process that knows the job's key can say of these bytes (libsodium's crypto_auth).
// Not before connect_mesh.
std::array<std::uint8_t, 32> prove(const void* bytes, std::size_t count) noexcept;

// This rank leaves the job in order: the others are notified, and the thread ends.
void close_mesh();
// The job is not joined after all: ends the thread, if there is one, without a word.
void abandon_mesh();

// A proven connection between a port of this rank and one of another machine's.
struct channel_connection {
  int fd = -1;
  std::uint32_t peer = 0;
};

// Asks for a connection from a port of this rank to a port elsewhere. It comes by
// take_connection(); if the peer cannot be reached, it is found dead or has left.
void request_connection(std::uint32_t from, std::uint32_t to);
// How many connections have come for the port, so that looking costs a load.
std::uint32_t connections_for(std::uint32_t port) noexcept;
// The next one; false if there is none. The caller owns it.
bool take_connection(std::uint32_t port, channel_connection& into);
// Nobody takes the port's connections any more: those that wait and those that are still to come
// get these bytes, and end. Returns whose waited.
std::vector<std::uint32_t> refuse_connections(std::uint32_t port, std::string_view last_words);
// Tells the ranks on other machines that a port of this rank is closed, where the network's streams
// cannot say so to those who begin to send to it.
void announce_closed(std::uint32_t port);
// Whether that was ever said of a port elsewhere.
bool is_announced_closed(std::uint32_t port) noexcept;
// Takes a connection over whose owner has sent everything: closes it when the peer has, too, or
// after a while.
void linger(int fd);

// Wakes the port when the epoll set becomes ready, once for each wake_on_ready().
void watch_set(std::uint32_t port, int epoll_fd);
void wake_on_ready(std::uint32_t port, int epoll_fd) noexcept;
void forget_set(int epoll_fd) noexcept;

// Has the mesh's thread call attend(what, now) for a port of this rank: at once, when a connection
// has come for the port or its epoll set is ready (wake_on_ready), and at the time that the last
// call returned; 0: not before there are news. `attend` does not wait. One port.
enum class port_news : std::uint8_t { none, came, woke_owner };  // woke_owner: it slept
using attend_function = std::uint64_t (*)(port_news what, std::uint64_t now_ns);
void attend_port(std::uint32_t port, attend_function attend);

// From here on the mesh finds out if the other end's system does not answer any more, though its
// rank lives: then that rank is given up within RAMJET_FAILURE_TIMEOUT. Before the descriptor is
// closed or handed to linger(), it is forgotten.
// `sends` counts what the owner sends on it; see connection_watch::add.
void watch_connection(int fd, std::uint32_t from, std::uint32_t to,
                      const std::atomic<std::uint32_t>* sends);
void forget_connection(int fd);
// The same for TCP connections that a library opens by itself between two endpoints.
void watch_endpoints(const endpoint_pair& pair);
void forget_endpoints(std::uint32_t from);

// A call for a connection that is watched has failed with this errno; 0: the peer has closed it.
void note_broken(int fd, int error);

// A rank elsewhere cannot be reached any more: its connection broke, it sent data that violates the
// protocol, or its bytes were altered on the way; `why` says how. The lower one of the two ranks
// decides which of them is dead.
inline constexpr const char* kConnectionBroke = "its connection broke";
inline constexpr const char* kBytesAltered = "were altered on the way (wrong checksum)";
void give_up(unsigned rank, const char* why);

}  // namespace ramjet::mesh
