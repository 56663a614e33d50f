// SPDX-License-Identifier: Apache-2.0
// The engine's waits, inlined as far as they poll. Part of engine.hpp.
#pragma once

#include "ramjet/detail/am/engine.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

template <class Done>
RAMJET_INLINE status engine::wait(waiting& w, Done&& done) {
  if (is_.waits_slowly == 0) [[likely]] {
    const status s = wait_as_rank<false>(w, done);
    if (s != status::retry) [[likely]]
      return s;
  }
  const auto test = [&done] { return bool(done()); };
  return wait_slow(
      w, [](void* p) { return (*static_cast<decltype(test)*>(p))(); },
      const_cast<void*>(static_cast<const void*>(&test)));
}

template <bool Scheduler, class Done>
RAMJET_INLINE status engine::wait_as_rank(waiting& w, Done&& done) {
  struct rank_waiter {
    engine& by;
    waiting& w;
    std::remove_reference_t<Done>& is_done;
    unsigned handled = 0;

    RAMJET_INLINE bool done() { return bool(is_done()); }
    RAMJET_INLINE bool progress() { return (handled = by.poll()) != 0; }
    RAMJET_INLINE status busy() {
      if (Scheduler) by.arrivals_ += handled;
      if (!Scheduler && by.serves_threads()) [[unlikely]]
        return status::retry;
      if (w.deadline_ns != 0 || by.failures_noted_ != 0) [[unlikely]]
        return by.busy_slow(w);
      return status::ok;
    }
    RAMJET_INLINE status idle() {
      const status s = by.idle_slow(w);
      if (s != status::retry) return s;
      handled = by.poll();  // it finds what came before all lanes rang
      if (handled == 0 && !done()) by.sleep(w);
      by.disarm(w);
      return handled != 0 ? busy() : status::ok;  // a handler may have started the first thread
    }
  };
  rank_waiter waiter{*this, w, done};
  const status s = wait_in_turns(waiter, w.turns, spin_);
  if (w.shown) [[unlikely]]
    end_wait(w);
  return s;
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
