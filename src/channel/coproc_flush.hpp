// SPDX-License-Identifier: Apache-2.0
// How a second thread of the process uses the channel of an endpoint: they take turns
// (channel_turn). The mesh's thread serves accesses while the endpoint's thread does not pump
// (am/serving.hpp). A co-processor's thread sends what the endpoint's thread has begun and left
// behind to compute:
//
//   endpoint's thread, in a call of the channel    the co-processor's thread, now and then
//   begins a message that does not leave at once   wanted = false
//   wanted is false: wanted = true, wake()         flush_from_coprocessor() of each channel:
//                                                  takes its turn, sends; something is left:
//                                                  wanted = true
//
// `wanted` is read and written in the turn (channel_turn) of a channel, but for `wanted = false`,
// which comes before the co-processor's turns. So either that thread's turn comes after the
// endpoint's call and finds what it left, or before it, and then the call sees `wanted` false.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "base/futex.hpp"
#include "ramjet/detail/base/cpu.hpp"

namespace ramjet::channel {

struct coproc_flush_request {
  std::atomic<bool> wanted{false};  // both threads; publishes nothing
  void (*wake)() noexcept =
      nullptr;  // the co-processor, if it sleeps; set before any channel has it
};

// Which of two threads uses a channel now: the endpoint's thread, which owns it, or a second one of
// the process. The owner pays a store and a load for its turn, and no fence: the second thread
// imposes one on it, as a sleeper does on senders (docs/memory-model.md, "The turn of a channel").
class channel_turn {
 public:
  // Before the second thread knows of the channel. `barrier`: base::global_barrier works.
  void share(bool barrier) noexcept {
    shared_ = true;
    fenced_ = !barrier;
  }

  // The endpoint's thread, whose calls may be inside one another; it waits for its turn.
  class owner {
   public:
    explicit owner(channel_turn& t) noexcept : turn_(t) {
      if (turn_.shared_ && turn_.depth_++ == 0) turn_.take();
    }
    ~owner() {
      if (turn_.shared_ && --turn_.depth_ == 0)
        turn_.inside_.store(0, std::memory_order_release);  // pairs: channel.turn
    }
    owner(const owner&) = delete;
    owner& operator=(const owner&) = delete;

   private:
    channel_turn& turn_;
  };

  // The second thread, which does not wait: an owner that has its turn does the work by itself.
  bool try_take() noexcept {
    if (inside_.load(std::memory_order_relaxed) != 0) return false;
    claimed_.store(1, std::memory_order_relaxed);
    if (fenced_)
      std::atomic_thread_fence(std::memory_order_seq_cst);  // store-load: channel.turn (second)
    else
      base::global_barrier();  // store-load: channel.turn (second)
    if (inside_.load(std::memory_order_acquire) == 0) return true;  // pairs: channel.turn
    give_back();
    return false;
  }
  void give_back() noexcept {
    claimed_.store(0, std::memory_order_release);  // pairs: channel.claim
  }

 private:
  void take() noexcept {
    while (!enter()) {
      inside_.store(0, std::memory_order_release);  // pairs: channel.turn
      await_second();
    }
  }
  bool enter() noexcept {
    inside_.store(1, std::memory_order_relaxed);
    if (fenced_)
      std::atomic_thread_fence(std::memory_order_seq_cst);  // store-load: channel.turn (owner)
    else
      std::atomic_signal_fence(std::memory_order_seq_cst);  // store-load: channel.turn (owner)
    return claimed_.load(std::memory_order_acquire) == 0;  // pairs: channel.claim
  }
  void await_second() noexcept {
    for (unsigned spins = 0; claimed_.load(std::memory_order_relaxed) != 0;) {
      if (++spins < kSpins) {
        detail::cpu_relax();
      } else {
        ::sched_yield();  // the second thread may have lost its processor in its turn
      }
    }
  }

  static constexpr unsigned kSpins = 200;
  // 1: the owner is in its turn, or asks for it. The owner writes it; a 0 publishes the channel's
  // state to the second thread.
  std::atomic<std::uint32_t> inside_{0};
  // 1: the second thread is in its turn, or asks for it. It writes it; a 0 publishes the channel's
  // state to the owner.
  std::atomic<std::uint32_t> claimed_{0};
  bool shared_ = false;
  bool fenced_ = false;  // the owner fences its turns by itself
  unsigned depth_ = 0;  // the owner's calls
};

}  // namespace ramjet::channel
