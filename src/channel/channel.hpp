// SPDX-License-Identifier: Apache-2.0
// The contract between the engine and whatever carries its lanes. A channel gives the engine a pair
// of lanes for each peer. The engine writes messages into the outgoing lane and reads them from the
// incoming one, with no call into the channel. (SCALE Suite 1997, section 3.)
//
// A link is in one of four states:
//
//        connect()               disconnect()
//   idle ---------> open ---------------------------------------------> closed
//                     \--stop_sending()--> receiving --disconnect()----^
//
// The client (the engine) promises:
//
//   C1  It writes records at its tail only, whole, the header last, and opens a line with credit
//       only.
//   C2  It answers a request at most once, in the request's own record, while its handler runs.
//   C3  It returns credit for every record that it consumes, and never reads a lane beyond what the
//       lane holds.
//   C4  It calls pump() on every poll if pumps() says so. One other thread makes all calls of
//       flush_from_coprocessor() and serve(); the endpoint's thread makes all other calls.
//   C5  It relies on no order between different peers, and on none between requests one way and
//       replies the other way.
//
// The channel promises:
//
//   L1  Every record published in an open link's outgoing lane appears in the peer's incoming lane,
//       once, unchanged, in order; its payload region is in place before its header.
//   L2  Answers appear in the requester's outgoing lane, credit in its credit line, in the same
//       way.
//   L3  Once the bell is rung (rung()), the peer can see the record in bounded time if this
//       endpoint goes on to pump, is flushed, or is pushed.
//   L4  A closed link delivers what had arrived, then nothing; it never delivers half a record. One
//       that only receives delivers what is still on its way, if it comes within a while. A link
//       that breaks by itself is named by take_lost(), or its peer on the board as dead.
//   L5  What is deposited is in the peer's segment before a record published afterwards is seen.
//   L6  Accesses are served and answered in the order in which they were begun.
#pragma once

#include <memory>
#include <string>

#include "channel/access.hpp"
#include "channel/coproc_flush.hpp"
#include "ramjet/detail/lane/layout.hpp"
#include "ramjet/status.hpp"

namespace ramjet::channel {

// Both directions between this port and one peer.
struct link {
  detail::lane out;  // written by this port
  detail::lane in;  // read by this port
};

// Bytes on their way to an offset from the first of all segments (channel::deposit).
struct deposit_under_way {
  enum class step : std::uint8_t {
    awaits_room,
    past_stream,  // the network is asked to write them by itself
    copied,  // it does
    in_stream,  // no network does
    sent,  // the stream has some of them, perhaps
    taken,  // or nobody takes them
  };
  std::uint64_t at;
  piece bytes;
  step now = step::awaits_room;
};

// How serve() went.
struct service {
  bool busy = false;  // the endpoint's thread uses the channel: it does all this itself
  bool more = false;  // there may be more to do now
  bool again = false;  // there may be more to do before long, and nobody says when
  bool for_owner = false;  // something has come for the endpoint's thread, which may sleep
};

// One endpoint's way to a set of peers. The endpoint's thread uses it, but flush_from_coprocessor()
// and serve() are for another thread.
class channel {
 public:
  channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  virtual ~channel() = default;

  virtual const char* name() const noexcept = 0;
  // The lanes between this port and `peer`; the same ones on every call.
  virtual link connect(unsigned peer) = 0;
  // The endpoint closes.
  virtual void disconnect(unsigned peer) { static_cast<void>(peer); }
  // The peer is dead.
  virtual void stop_sending(unsigned peer) { static_cast<void>(peer); }
  // Whether messages to the peer are lost from now on: it has announced that its endpoint is
  // closed, or its rank has left and no connection to it exists. This becomes true for every peer
  // that closes, unless the peer is found dead.
  virtual bool closed_by_peer(unsigned peer) const {
    static_cast<void>(peer);
    return false;
  }
  // A peer whose link broke since the last call, without the peer being known to be dead; -1 if
  // there is none.
  virtual int take_lost() { return -1; }
  // Whether pump() has to be called at all.
  virtual bool pumps() const noexcept { return false; }
  // Whether all that this side wrote has left it. An endpoint pumps until then before it closes.
  virtual bool drained() { return true; }
  // Moves what can be moved without waiting; returns how many records or answers moved.
  virtual unsigned pump() { return 0; }
  // Time for which pump() need not be called, though something might come meanwhile.
  virtual std::uint64_t pause_ns() { return 0; }
  // The endpoint is about to sleep and calls pump() no more: false if it must not, else it is woken
  // when something comes.
  virtual bool prepare_sleep() { return !pumps(); }
  // The endpoint has written into the lane to `peer`, whose receiver does not read it without being
  // woken.
  virtual void rung(unsigned peer, detail::lane& out, bool in_handler);
  // Copies bytes to the segment of a peer that shares no memory with this rank, or to that of
  // another rank of its node, as far as there is room now. True once they are taken, or nobody
  // takes them any more, and whenever it is called again; until then they stay, it is called after
  // each pump(), and no other deposit to this peer begins.
  virtual bool deposit(unsigned peer, deposit_under_way& d);
  // The same in a handler, which cannot wait: what there is no room for is copied.
  virtual void deposit_in_handler(unsigned peer, std::uint64_t at, const piece& bytes);
  // Whether begin_access() can be used towards the peer.
  virtual bool takes_accesses(unsigned peer) const {
    static_cast<void>(peer);
    return false;
  }
  // Whether the network reads much of the peer's memory by itself (access::fetch).
  virtual bool fetches(unsigned peer) {
    static_cast<void>(peer);
    return false;
  }
  // Begins an access to the peer's memory; its bytes are taken before this returns. There is always
  // room for one in a handler, which cannot wait. An access to a dead peer is dropped.
  virtual access_start begin_access(unsigned peer, const access& a, bool in_handler);
  // Copies of what handlers have deposited and written, and what there was no room for.
  virtual std::size_t waiting_bytes() { return 0; }
  // Sends what was begun and waits only for a better moment, as far as there is room. Never waits.
  virtual void flush() {}
  // From here on, another thread of this process may call flush_from_coprocessor(), which flushes
  // while the endpoint's thread computes. Called before that thread knows the channel. `request`
  // outlives the channel.
  virtual void allow_coproc_flush(coproc_flush_request& request) { static_cast<void>(request); }
  // True if something is left to be sent: then it is called again before long.
  virtual bool flush_from_coprocessor() { return false; }
  // Another thread of this process may call serve() from here on. Before that thread knows of the
  // channel.
  virtual void allow_serving() {}
  // Does for the peers what pump() does, while the endpoint's thread does not call that: serves
  // their accesses, puts what comes for the lanes there, and sends what was begun. It keeps answers
  // to this endpoint's accesses for its next pump(). Where neither `busy` nor `more` nor
  // `again` is set, the port is woken once something comes (network::wake_when_ready).
  virtual service serve() { return {}; }
};

// The channel that settings name for the port. Ends with status::environment and a message if it
// cannot be had.
status open_channel(const std::string& name, unsigned port, std::unique_ptr<channel>& into,
                    std::string& message);

}  // namespace ramjet::channel
