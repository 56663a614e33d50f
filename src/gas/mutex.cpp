// SPDX-License-Identifier: Apache-2.0
// Locks in segments.
//
// Who waits sets its bit, then tries once more, then waits. Who unlocks hands the lock to the next
// bit in turn, which it takes away first; with no bit set it opens the lock, and looks at the bits
// once more. All of it is sequentially consistent: either the second look sees the bit, or the
// waiter's try sees the lock open.
//
// Bits are taken away by their owner, or by the holder on the way to make that owner the holder.
//
// A lock on another node is worked on there by messages. Who waits for one looks when it is woken,
// and now and then: the holder may have died.
#include "ramjet/mutex.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>

#include "am/engine_parts.hpp"
#include "base/clock.hpp"
#include "gas/wake.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"
#include "ramjet/gas.hpp"
#include "ramjet/job.hpp"
#include "ramjet/segment.hpp"

namespace ramjet {

namespace {

using word = global_ptr<std::uint64_t>;

constexpr std::uint64_t kOpen = 0;
// Between looks at a lock on another node.
constexpr std::uint64_t kPauseNsMin = 1'000'000, kPauseNsMax = 100'000'000;

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

// The lock as one port sees it.
class lock_view {
 public:
  lock_view(global_ptr<mutex_state> where, const char* call)
      : state_(checked(where, call)), me_(own_port()) {}

  bool is_near() const noexcept {
    return detail::live_space.is_near(detail::rank_of(state_.bits()));
  }
  std::uint64_t holder() const noexcept {
    const std::uint64_t h = read(holder_word());
    RAMJET_CHECK(h <= ports(), "global_mutex: this memory is no lock, or was written over");
    return h;
  }
  bool is_mine() const noexcept { return holder() == holder_of_port(me_); }
  bool take() noexcept { return compare_swap(holder_word(), kOpen, holder_of_port(me_)) == kOpen; }
  // Whether the lock will never open again, as far as this endpoint has heard.
  bool is_lost() const noexcept {
    const std::uint64_t h = holder();
    if (h == kOpen || h == holder_of_port(me_)) return false;
    const std::uint64_t rank = rank_of_port(port_of_holder(h));
    return detail::is_dead(*detail::current_engine, unsigned(rank)) ||
           job::has_left(unsigned(rank));
  }

  void announce() noexcept { fetch_or(row_of(me_), bit_of(me_)); }
  // False if the holder has taken the bit: the lock is about to be this port's.
  bool withdraw() noexcept { return take_bit(me_); }

  void open() noexcept {
    do {
      if (hand_over()) return;
      write(holder_word(), kOpen);
    } while (someone_waits() && take());
  }

 private:
  static global_ptr<mutex_state> checked(global_ptr<mutex_state> where, const char* call) noexcept {
    static_cast<void>(detail::reach<sizeof(mutex_state)>(where.bits(), call));
    if (detail::address_of(where.bits()) % alignof(mutex_state) != 0)
      detail::misaligned(where.bits(), alignof(mutex_state), call);
    return where;
  }

  word holder_word() const noexcept { return state_.member(&mutex_state::holder); }
  word row_of(std::uint64_t port) const noexcept {
    return *state_.member(&mutex_state::waiting) + std::ptrdiff_t(port / 64);
  }
  static std::uint64_t bit_of(std::uint64_t port) noexcept { return std::uint64_t{1} << port % 64; }
  bool take_bit(std::uint64_t port) noexcept {
    return (fetch_and(row_of(port), ~bit_of(port)) & bit_of(port)) != 0;
  }
  bool someone_waits() noexcept { return next_waiting(0) != ports(); }

  // The first that waits at `from` or after it; ports() if there is none.
  std::uint64_t next_waiting(std::uint64_t from) noexcept {
    for (std::uint64_t row = from / 64; row * 64 < ports(); ++row) {
      std::uint64_t bits = read(row_of(row * 64));
      if (row == from / 64) bits &= ~std::uint64_t{0} << from % 64;
      if (bits != 0) return std::min(row * 64 + unsigned(std::countr_zero(bits)), ports());
    }
    return ports();
  }
  // Makes the next that waits, and lives, the holder.
  bool hand_over() noexcept {
    for (std::uint64_t next = me_;;) {
      next = next_waiting(next + 1);
      if (next == ports()) next = next_waiting(0);
      if (next == ports()) return false;
      if (!take_bit(next) || !alive(int(rank_of_port(next)))) continue;
      write(holder_word(), holder_of_port(next));
      detail::land_writes();
      is_near() ? detail::wake_port(next) : detail::wake_port_by_message(next);
      return true;
    }
  }

  const global_ptr<mutex_state> state_;
  std::uint64_t me_;
};

// Waits until look() holds, which works on the lock.
template <class Look>
status wait_at(const lock_view& lock, Look&& look) {
  detail::engine& e = *detail::current_engine;
  if (lock.is_near()) {
    detail::waiting w{.name = "lock"};
    return e.wait(w, look);
  }
  for (std::uint64_t pause_ns = kPauseNsMin;; pause_ns = std::min(2 * pause_ns, kPauseNsMax)) {
    const std::uint64_t woken = detail::wakes_here();
    if (look()) return status::ok;
    detail::waiting w{.name = "lock"};
    w.deadline_ns = base::now_ns() + pause_ns;
    const status s = e.wait(w, [woken] { return detail::wakes_here() != woken; });
    if (s != status::ok && s != status::timed_out) return s;
  }
}

// With the bit set. Whether the lock is held at the end.
status wait_in_line(lock_view& lock) {
  bool lost = false, taken = false;
  const status s = wait_at(
      lock, [&] { return lock.is_mine() || (taken = lock.take()) || (lost = lock.is_lost()); });
  if (taken) return static_cast<void>(lock.withdraw()), status::ok;
  const bool was_waiting = lock.withdraw();
  if (s == status::ok && !lost) {  // handed over
    RAMJET_CHECK(!was_waiting, "global_mutex: a handler of this endpoint took the lock meanwhile");
    return status::ok;
  }
  if (was_waiting) return status::peer_failed;
  while (!lock.is_mine() && !lock.is_lost()) {  // it is being handed over to us
    detail::current_engine->note_failures();
    // Who hands it over may need this rank to serve its memory.
    if (detail::current_engine->poll_and_yield() == 0) sched_yield();
  }
  if (lock.is_mine()) lock.open();
  return status::peer_failed;
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
  if (lock.take()) [[likely]]
    return status::ok;
  RAMJET_CHECK(!lock.is_mine(), "global_mutex: this endpoint holds the lock already");
  lock.announce();
  return wait_in_line(lock);
}

bool global_mutex::try_lock() { return lock_view(where_, "try_lock").take(); }

void global_mutex::unlock() {
  lock_view lock(where_, "unlock");
  RAMJET_CHECK(lock.is_mine(), "global_mutex: this endpoint does not hold the lock");
  lock.open();
}

}  // namespace ramjet
