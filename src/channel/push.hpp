// SPDX-License-Identifier: Apache-2.0
// How a second thread of the process, the co-processor's, sends what an endpoint's thread has begun
// and left behind to compute.
//
//   endpoint's thread, in a call of the channel    the co-processor's thread, now and then
//   begins a message that does not leave at once   wanted = false
//   wanted is false: wanted = true, wake()         channel::push() of each channel: takes its turn,
//                                                  sends; something is left: wanted = true
//
// `wanted` is read and written in the turn (channel_turn) of a channel, but for `wanted = false`,
// which comes before the co-processor's turns. So either that thread's turn comes after the
// endpoint's call and finds what it left, or before it, and then the call sees `wanted` false.
#pragma once

#include <sched.h>

#include <atomic>

#include "ramjet/detail/base/cpu.hpp"

namespace ramjet::channel {

struct push_request {
  std::atomic<bool> wanted{false};  // both threads; publishes nothing
  void (*wake)() noexcept =
      nullptr;  // the co-processor, if it sleeps; set before any channel has it
};

// Which thread uses a channel now. Costs a branch until share().
class channel_turn {
 public:
  // Before the second thread knows of the channel.
  void share() noexcept { shared_ = true; }

  // The endpoint's thread, whose calls may be inside one another; it waits for its turn.
  class owner {
   public:
    explicit owner(channel_turn& t) noexcept : turn_(t) {
      if (turn_.shared_ && turn_.depth_++ == 0) turn_.take();
    }
    ~owner() {
      if (turn_.shared_ && --turn_.depth_ == 0) turn_.give_back();
    }
    owner(const owner&) = delete;
    owner& operator=(const owner&) = delete;

   private:
    channel_turn& turn_;
  };

  // The second thread, which does not wait: the one that has its turn sends by itself.
  bool try_take() noexcept {
    return !taken_.load(std::memory_order_relaxed) &&
           !taken_.exchange(true, std::memory_order_acquire);  // pairs: channel.turn
  }
  void give_back() noexcept {
    taken_.store(false, std::memory_order_release);  // pairs: channel.turn
  }

 private:
  void take() noexcept {
    for (unsigned spins = 0; !try_take();) {
      if (++spins < kSpins) {
        detail::cpu_relax();
      } else {
        ::sched_yield();  // the other thread may have lost its processor in its turn
      }
    }
  }

  static constexpr unsigned kSpins = 200;
  // Both threads; publishes the channel's state to whoever takes the next turn.
  std::atomic<bool> taken_{false};
  bool shared_ = false;
  unsigned depth_ = 0;  // the endpoint's thread's calls
};

}  // namespace ramjet::channel
