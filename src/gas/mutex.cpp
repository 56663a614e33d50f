// SPDX-License-Identifier: Apache-2.0
// Locks in segments.
//
// A waiter sets its bit, then tries once more, then waits. The unlocker hands the lock to the next
// bit in turn, which it clears first; with no bit set it opens the lock, and reads the bits once
// more. All of it is sequentially consistent: either the second read sees the bit, or the waiter's
// try sees the lock open.
//
// Bits are cleared by their owner, or by the holder on the way to make that owner the holder.
//
// A lock on another node is reached by far accesses. A waiter polls it when woken, and now and
// then: the holder may have died. An access that fails may have taken place, if it was not the
// lock's owner that died but the rank that serves its memory: what it may have done is undone.
#include "ramjet/mutex.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "am/engine_cold.hpp"
#include "gas/wake.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/gas/far_wait.hpp"
#include "ramjet/gas.hpp"
#include "ramjet/job.hpp"
#include "ramjet/segment.hpp"

namespace ramjet {

namespace {

using word = global_ptr<std::uint64_t>;

constexpr std::uint64_t kOpen = 0;

std::uint64_t holder_of_port(std::uint64_t port) noexcept { return port + 1; }
std::uint64_t port_of_holder(std::uint64_t holder) noexcept { return holder - 1; }

std::uint64_t ports() noexcept {
  const job::membership& m = job::self();
  return std::uint64_t(m.ranks) * m.layout.endpoints;
}
std::uint64_t own_port() noexcept {
  const detail::engine& e = *detail::current_engine;
  RAMJET_CHECK(e.ranks() != 0, "a lock belongs to threads with an endpoint");
  return std::uint64_t(unsigned(e.rank())) * job::self().layout.endpoints + e.endpoint();
}
std::uint64_t rank_of_port(std::uint64_t port) noexcept {
  return port / job::self().layout.endpoints;
}

// The lock as one port sees it. What accesses it throws failure if its memory is lost.
class lock_view {
 public:
  lock_view(global_ptr<mutex_state> where, const char* call) : state_(where), me_(own_port()) {
    static_cast<void>(detail::element_at<mutex_state>(where.bits(), call));
  }

  bool is_near() const noexcept {
    return detail::live_space.is_near(detail::rank_of(state_.bits()));
  }
  bool exists() const noexcept {
    return is_near() || (alive(state_.rank()) && !job::has_left(unsigned(state_.rank())));
  }
  std::uint64_t holder() const {
    const std::uint64_t h = read(holder_word());
    RAMJET_CHECK(h <= ports(), "global_mutex: this memory is not a lock, or was written over");
    return h;
  }
  bool is_mine() const { return holder() == holder_of_port(me_); }
  bool take() { return taken_ = compare_swap(holder_word(), kOpen, holder_of_port(me_)) == kOpen; }
  bool was_taken() const noexcept { return taken_; }
  // The rank that holds the lock; none: it is this port's by now.
  std::optional<unsigned> take_or_find_holder() {
    for (;;) {
      const std::uint64_t h = holder();
      if (h == holder_of_port(me_) || (h == kOpen && take())) return std::nullopt;
      if (h != kOpen) return unsigned(rank_of_port(port_of_holder(h)));
    }
  }

  void announce() {
    const std::uint64_t before = fetch_or(row_of(me_), bit_of(me_));
    RAMJET_CHECK((before & bit_of(me_)) == 0,
                 "global_mutex: another thread of this endpoint waits for the lock already");
  }
  // False if the holder has taken the bit: the lock is about to be this port's.
  bool withdraw() { return take_bit(me_); }

  void open() {
    do {
      if (hand_over()) return;
      write(holder_word(), kOpen);
    } while (someone_waits() && take());
  }

 private:
  word holder_word() const noexcept { return state_.member(&mutex_state::holder); }
  word row_of(std::uint64_t port) const noexcept {
    return *state_.member(&mutex_state::waiting) + std::ptrdiff_t(port / 64);
  }
  static std::uint64_t bit_of(std::uint64_t port) noexcept { return std::uint64_t{1} << port % 64; }
  bool take_bit(std::uint64_t port) {
    return (fetch_and(row_of(port), ~bit_of(port)) & bit_of(port)) != 0;
  }
  bool someone_waits() { return next_waiting(0) != ports(); }

  // The first that waits at `from` or after it; ports() if there is none.
  std::uint64_t next_waiting(std::uint64_t from) {
    for (std::uint64_t row = from / 64; row * 64 < ports(); ++row) {
      std::uint64_t bits = read(row_of(row * 64));
      if (row == from / 64) bits &= ~std::uint64_t{0} << from % 64;
      if (bits != 0) return std::min(row * 64 + unsigned(std::countr_zero(bits)), ports());
    }
    return ports();
  }
  // Makes the next that waits, and lives, the holder.
  bool hand_over() {
    for (std::uint64_t next = me_;;) {
      next = next_waiting(next + 1);
      if (next == ports()) next = next_waiting(0);
      if (next == ports()) return false;
      if (!take_bit(next) || !alive(int(rank_of_port(next)))) continue;
      write(holder_word(), holder_of_port(next));
      detail::fence_pending_writes();
      is_near() ? detail::wake_port(next) : detail::wake_port_by_message(next);
      return true;
    }
  }

  const global_ptr<mutex_state> state_;
  std::uint64_t me_;
  bool taken_ = false;  // by the last try
};

// Whether a holder will never open its lock, as far as this endpoint has heard.
bool is_lost(unsigned holder) noexcept {
  return detail::is_dead(*detail::current_engine, holder) || job::has_left(holder);
}

// A wait for the lock, which shows whom it waits for. Ends when the lock is this port's, or lost.
status wait_for_turn(lock_view& lock, bool& lost) {
  detail::engine& e = *detail::current_engine;
  detail::waiting w{.name = "lock"};
  const auto is_over = [&] {
    const std::optional<unsigned> holder = lock.take_or_find_holder();
    lost = holder && is_lost(*holder);
    if (!holder || lost) return true;
    if (w.target == int(*holder)) return false;
    w.target = int(*holder);
    w.target_left = false;
    if (w.shown) e.port().wait_target.store(w.target, std::memory_order_relaxed);
    return false;
  };
  return lock.is_near() ? e.wait(w, is_over) : detail::wait_at_far(w, is_over);
}

// Takes back what was announced, or the lock if it is handed over meanwhile.
void give_up(lock_view& lock) {
  if (lock.withdraw()) return;
  for (;;) {
    const std::optional<unsigned> holder = lock.take_or_find_holder();
    if (!holder) return lock.open();
    if (is_lost(*holder)) return;
    detail::current_engine->note_failures();
    // The rank that hands it over may need this one to serve its memory.
    if (detail::current_engine->poll_and_yield() == 0) sched_yield();
  }
}

// After an access failed, which may have taken place.
void undo(lock_view& lock, bool announced) noexcept {
  while (lock.exists()) {
    try {
      if (lock.is_mine()) return lock.open();
      return announced ? give_up(lock) : void();
    } catch (const failure&) {
    }
  }
}

}  // namespace

global_mutex global_mutex::make() {
  return global_mutex(global_ptr<mutex_state>(segment_array<mutex_state>(1).data()));
}

void global_mutex::destroy() {
  RAMJET_CHECK(where_.rank() == rank(), "global_mutex: the rank that made a lock destroys it");
  RAMJET_CHECK(lock_view(where_, "destroy").holder() == kOpen,
               "global_mutex: a lock that is held cannot be destroyed");
  segment_free(where_.local());
  where_ = nullptr;
}

status global_mutex::lock() {
  RAMJET_CHECK(!detail::current_engine->in_handler(), "a handler may not wait for a lock");
  lock_view lock(where_, "lock");
  bool announced = false;
  try {
    if (lock.take()) [[likely]]
      return status::ok;
    RAMJET_CHECK(!lock.is_mine(), "global_mutex: this endpoint holds the lock already");
    announced = true;
    lock.announce();
    bool lost = false;
    const status s = wait_for_turn(lock, lost);
    if (s == status::ok && !lost) {
      const bool was_waiting = lock.withdraw();
      RAMJET_CHECK(lock.was_taken() || !was_waiting,
                   "global_mutex: a handler of this endpoint took the lock meanwhile");
      return status::ok;
    }
    give_up(lock);
  } catch (const failure&) {
    undo(lock, announced);
  }
  return status::peer_failed;
}

bool global_mutex::try_lock() {
  lock_view lock(where_, "try_lock");
  try {
    if (lock.take()) return true;
  } catch (const failure&) {
    undo(lock, false);
    return false;
  }
  detail::current_engine->note_failed_try();
  return false;
}

void global_mutex::unlock() {
  lock_view lock(where_, "unlock");
  try {
    RAMJET_CHECK(lock.is_mine(), "global_mutex: this endpoint does not hold the lock");
    lock.open();
  } catch (const failure&) {
    undo(lock, false);
  }
}

}  // namespace ramjet
