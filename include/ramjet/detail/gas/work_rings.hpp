// SPDX-License-Identifier: Apache-2.0
// What a work_queue is apart from the type of its items: the heads of the rings, the accounts that
// show when all work is done, and who waits for work. All of it lies in the ranks' segments and is
// reached through global pointers. src/gas/work_queue.cpp.
//
// The accounts. Every rank counts the items that it has created and those that it has finished, in
// words that it alone writes. Its main program counts as one of either, so that nothing is over
// before all have asked for work. An item is counted as created before it can be seen, and as
// finished after what its work created was counted. Reading first all of `finished`, then all of
// `created`, and finding the sums equal, proves that nothing is left: what was seen to be finished
// is seen to be created, so equal sums mean the same items; the work on an item that was seen to be
// finished has created nothing that was not seen; and all items descend from the main programs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/am.hpp"
#include "ramjet/detail/gas/far_wait.hpp"
#include "ramjet/gas.hpp"
#include "ramjet/job.hpp"
#include "ramjet/spread.hpp"
#include "ramjet/status.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// The head of a rank's ring. The slots follow, and behind them the items that the owner has stolen
// and its ring had no room for. Words that several ranks write have lines of their own.
//
//   0      64           128                               192          256
//   | tail | head  room | created finished held open kept | waits  all | slots ... kept items
struct alignas(64) work_ring {
  std::uint64_t tail;  // places claimed by who pushes: tail - head <= capacity
  alignas(64) std::uint64_t head;  // items claimed by who takes: head <= tail
  std::uint64_t room_wanted;  // 1: some rank waits for room here
  // Written by the owner alone.
  alignas(64) std::uint64_t created;  // its main program and what it has pushed, anywhere
  std::uint64_t finished;  // sum of finished <= sum of created
  std::uint64_t held;  // 1: what next() gave, or the main program, is not finished
  std::uint64_t open;  // taken otherwise, and not finished
  std::uint64_t kept;  // stolen items that are neither in a ring nor given to the program
  // What the owner waits for and may fall asleep over: kForWork, or for_room(rank); 0: nothing. Set
  // by the owner; a rank that sets it back to 0 wakes the owner by a message.
  alignas(64) std::uint64_t waits;
  std::uint64_t work_wanted;  // rank 0's: how many ranks wait for work
};
static_assert(sizeof(work_ring) == 256 && offsetof(work_ring, head) == 64 &&
              offsetof(work_ring, created) == 128 && offsetof(work_ring, waits) == 192);

inline constexpr std::uint64_t kForWork = 1;
constexpr std::uint64_t for_room(int rank) noexcept { return 2 + std::uint64_t(rank); }

class work_rings {
 public:
  constexpr work_rings() noexcept = default;

  // Collective. Null if there was no room, or a rank died.
  static work_rings all_make(std::size_t ring_bytes);
  void all_free();
  explicit operator bool() const noexcept { return bool(base_); }

  global_ptr<work_ring> of(int rank) const noexcept {
    return global_ptr<work_ring>(from_bits{make_bits(rank_part(rank), base_.bits())});
  }
  work_ring& mine() const noexcept { return *static_cast<work_ring*>(base_.local()); }

  // The accounts: this rank pushes an item; has done the work on what it took.
  void count_created() const noexcept {
    const work_ring& own = mine();
    RAMJET_CHECK(own.held + own.open != 0,
                 "work_queue: a push when this rank holds no unfinished item: the others may "
                 "have heard that all work is done; all_restart comes first");
    write(of(rank()).member(&work_ring::created), own.created + 1);
  }
  void count_finished() const noexcept {
    write(of(rank()).member(&work_ring::finished),
          mine().finished + 1);  // pairs: gas.work_finished (release)
  }
  // Whether all work is done. If so, the ranks that sleep are woken. Throws failure, as what reads
  // the accounts of a dead rank does.
  bool is_over() const;
  status all_restart() const;

  // Many accesses at once: gets and puts that `access(k)` begins for each k < count, and their end.
  // False if the owner of the memory died. If this thread has other accesses under way, whose
  // failures the program's sync() is to report, each access is waited for by itself, by `one(k)`.
  template <class Access, class One>
  static bool all_at_once(std::size_t count, Access&& access, One&& one) {
    const procedure_counts& now = procedures();
    const bool others = now.begun != now.ended || now.unreported != 0;
    for (std::size_t k = 0; k != count; ++k) others ? one(k) : access(k);
    return others || sync_all() == status::ok;
  }

  // After an item was published for rank `to`: somebody who waits for work is woken.
  RAMJET_INLINE void work_came(int to) const noexcept {
    try {
      if (read(of(0).member(&work_ring::work_wanted)) != 0) [[unlikely]]
        wake_slow(kForWork, to, 1);
    } catch (const failure&) {  // rank 0 is dead, which ends the waits for work
    }
  }
  // After a slot of rank `at` was freed.
  RAMJET_INLINE void room_came(int at) const {
    const auto wanted = of(at).member(&work_ring::room_wanted);
    if (read(wanted) == 0) [[likely]]
      return;
    write(wanted, 0);
    wake_slow(for_room(at), 0, size());
  }

 private:
  friend class work_wait;
  bool all_finished() const;
  // Wakes at most `most` of the ranks that wait for `what`, beginning with `first`.
  void wake_slow(std::uint64_t what, int first, int most) const;

  spread_ptr<void> base_;  // a ring in every rank
};

// One wait of this rank. It asks to be woken once it has polled for long in vain.
class work_wait {
 public:
  work_wait(const work_rings& rings, std::uint64_t what) noexcept : rings_(rings), what_(what) {}
  ~work_wait();
  work_wait(const work_wait&) = delete;
  work_wait& operator=(const work_wait&) = delete;

  // Polled in vain once more. Returns false.
  bool in_vain();
  // Waits until is_over() holds, which accesses the rings.
  template <class Over>
  static status wait_until(Over&& is_over, const char* name) {
    if (space.all_near()) return ramjet::wait_until(is_over, name);
    waiting w{name};
    return wait_at_far(w, is_over);
  }

 private:
  const work_rings& rings_;
  const std::uint64_t what_;
  unsigned polls_ = 0;
  bool shown_ = false;  // what it waits for; another rank may have taken that back
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
