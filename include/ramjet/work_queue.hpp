// SPDX-License-Identifier: Apache-2.0
// Work that any rank may give to any rank: a bounded queue in every rank's segment, into which all
// push and from which all may take, and the knowledge when all work is done. (Arpaci et al. 1995,
// section 7.4: an N-to-1 queue by fetch&increment, without help from the processor that owns it.)
//
//   auto queue = ramjet::work_queue<job>::all_make(1000);
//   queue.push(0, first);
//   std::optional<job> item;
//   while (queue.next(item) == ramjet::status::ok && item) { ... queue.push(r, more); ... }
//
// An item is delivered once, to one rank. Items that one rank pushes to another are taken in that
// order, except those that next() steals; among ranks that push there is no order.
//
// No code of the owner runs when another rank pushes to its queue or takes from it: both are
// accesses to its memory, like read() and compare_swap(). A rank of the same node therefore needs
// nothing from an owner that computes. A rank of another node waits until its accesses are served
// at the owner, as for every access (gas.hpp): a co-processor serves them at once, the main program
// when it polls, and a thread of the library while that computes; with RAMJET_FAR or
// RAMJET_ACCESS=handlers thieves get nothing from an owner that does not poll. next() steals from
// another node by halves: half of the items of a queue, at most 16 of them and 16 KiB, go to the
// thief's own queue in about seven round trips.
//
// A ring of slots in each queue:
//
//   +------+-------+------+-------+ - - +     turn 2n: free for the n-th lap of pushing
//   | turn | value | turn | value |           turn 2n + 1: holds an item of the n-th lap
//   +------+-------+------+-------+ - - +
//
// A place is claimed by a compare-and-swap of the tail, or of the head, once the slot is seen to be
// free, or full; the turn then hands the slot on. So a claim is never waited for, and a refusal
// leaves no trace.
//
// Threads: the main thread of every rank. Not inside a handler: items pushed by a handler are not
// covered by any unfinished item. Deaths: a rank that dies may take items with it that it has taken
// or stolen, and slots that it had claimed; on another node its queue is lost, with all items
// there. Calls that wait then return peer_failed, and so do pushes to a lost queue; other calls go
// on without it. Memory: in each rank 256 bytes, for each item of the capacity a slot of the item
// and 8 bytes, and 15 items at most. Cost: an item pushed and taken is two atomic operations, two
// fences, and the moving of its lines; at another node's queue each access is a message there and
// one back.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "ramjet/am.hpp"
#include "ramjet/detail/base/conversion.hpp"
#include "ramjet/detail/gas/work_rings.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

template <class T>
class work_queue {
  static_assert(std::is_trivially_copyable_v<T>,
                "the items of a work_queue are trivially copyable");
  static_assert(alignof(T) <= 64, "the items of a work_queue are aligned to 64 bytes at most");

 public:
  // A view, as a spread_array is: copied freely, it owns nothing. A default-constructed one is
  // null.
  constexpr work_queue() noexcept = default;

  // Collective, and a barrier, not in a handler: queues for at least `capacity` items in each rank;
  // a power of two is taken. Null, everywhere, if there is no room in some rank or a rank died.
  static work_queue all_make(std::size_t capacity) {
    RAMJET_CHECK(capacity >= 1 && capacity <= kCapacityMax,
                 "work_queue: the capacity is from 1 to 2^32 items");
    work_queue made;
    made.capacity_log_ = unsigned(std::bit_width(std::bit_ceil(capacity)) - 1);
    made.rings_ = detail::work_rings::all_make(
        sizeof(detail::work_ring) + made.capacity() * sizeof(slot) + (kStolenMax - 1) * sizeof(T));
    return made;
  }
  // Collective: items that are left are lost.
  void all_free() { rings_.all_free(); }

  explicit operator bool() const noexcept { return bool(rings_); }
  std::size_t capacity() const noexcept { return std::size_t{1} << capacity_log_; }

  // --- Giving work ------------------------------------------------------------------------------

  // Gives the item to the queue of rank `to`; it converts to T as an argument of a handler does.
  // While the queue is full it waits and polls. Ranks that all wait for room in each other's queues
  // wait for ever: where work makes more work than there is room for, use try_push, and do here
  // what is refused. peer_failed if it has to wait and a rank is dead, or if the queue is lost.
  template <class Item = T>
  status push(int to, const Item& given) const {
    const T& item = detail::fit_argument<2, T>(given);
    const status s = try_push(to, item);
    return s == status::retry ? push_slow(to, item) : s;
  }
  // The same, but retry if the queue is full.
  template <class Item = T>
  [[nodiscard]] status try_push(int to, const Item& given) const {
    const T& item = detail::fit_argument<2, T>(given);
    check(to);
    try {
      const std::uint64_t at = claim(to, &detail::work_ring::tail, 0);
      if (at == kNone) {
        detail::current_engine->note_failed_try();
        return status::retry;
      }
      rings_.count_created();
      publish(to, at, item);
    } catch (const failure& f) {
      return f.code();
    }
    rings_.work_came(to);
    return status::ok;
  }

  // --- Taking work until all is done ------------------------------------------------------------

  // Counts the item that the last call gave as finished, and takes another: from this rank's own
  // queue, else from the next rank's that has one, with half of what is there if that is on another
  // node. Waits and polls while there is none, but work is
  // under way that may yet push. With ok and no item, all work of all ranks is done; until
  // all_restart no rank may push. The main program before the first call counts as unfinished work
  // of each rank, so nothing is over before every rank has called.
  // peer_failed if it has to wait and a rank is dead.
  status next(std::optional<T>& item) const {
    check(rank());
    detail::work_ring& own = rings_.mine();
    item.reset();
    if (own.held != 0) rings_.count_finished();
    own.held = 0;
    status s = status::ok;
    if (!take_any(item)) s = wait_for_any(item);
    own.held = item.has_value();
    return s;
  }
  // Collective, after next() has said everywhere that all is done: the queues begin anew.
  status all_restart() const {
    check(rank());
    return rings_.all_restart();
  }

  // --- Taking work otherwise --------------------------------------------------------------------

  // The oldest item of this rank's queue, or of the queue of `from`; nothing if there is none that
  // can be taken just now, or the queue is lost. An item taken this way is unfinished until
  // finish() is called for it.
  [[nodiscard]] std::optional<T> try_pop() const { return try_take(rank()); }
  [[nodiscard]] std::optional<T> try_take(int from) const {
    check(from);
    std::optional<T> item = take(from);
    rings_.mine().open += item.has_value();
    if (!item) detail::current_engine->note_failed_try();
    return item;
  }
  void finish() const {
    check(rank());
    RAMJET_CHECK(rings_.mine().open != 0,
                 "work_queue: finish is for an item that try_pop or try_take gave");
    --rings_.mine().open;
    rings_.count_finished();
  }

  // Items in the queue of `of`, claimed places included; may be out of date when it returns. Throws
  // failure if the queue is lost.
  std::size_t count(int of) const {
    check(of);
    const auto ring = rings_.of(of);
    const std::uint64_t head = read(ring.member(&detail::work_ring::head));
    return std::size_t(read(ring.member(&detail::work_ring::tail)) - head);
  }

 private:
  struct slot {
    std::uint64_t turn;
    T value;
  };
  static constexpr std::size_t kCapacityMax = std::size_t{1} << 32;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  static constexpr std::size_t lesser(std::size_t a, std::size_t b) noexcept {
    return a < b ? a : b;
  }
  static constexpr std::size_t kValueOffset = alignof(T) > 8 ? alignof(T) : 8;
  // Items that are stolen at once, of 16 KiB together.
  static constexpr std::size_t kStolenBytesMax = std::size_t{16} << 10;
  static constexpr std::size_t kStolenMax =
      lesser(16, sizeof(slot) <= kStolenBytesMax ? kStolenBytesMax / sizeof(slot) : std::size_t{1});

  void check(int rank) const {
    RAMJET_CHECK(rings_, "this work_queue is null");
    RAMJET_CHECK(unsigned(rank) < unsigned(size()), "work_queue: there is no such rank");
  }

  // Of a position: free for it. 64 bits of either last for centuries.
  std::uint64_t turn_of(std::uint64_t at) const noexcept { return at >> capacity_log_ << 1; }
  global_ptr<slot> slot_of(int rank, std::uint64_t at) const noexcept {
    const global_ptr<slot> first(global_ptr<void>(rings_.of(rank) + 1));
    return first + std::ptrdiff_t(at & (capacity() - 1));
  }

  // Puts an item into the slot of a position that this rank has claimed.
  void publish(int to, std::uint64_t at, const T& item) const {
    const global_ptr<slot> place = slot_of(to, at);
    write(place.member(&slot::value), item);
    write(place.member(&slot::turn), turn_of(at) + 1);  // pairs: gas.work_slot (release)
  }

  // Claims the next position of a ring whose slot has the turn of that position, and `odd` more;
  // kNone if the slot does not have that turn yet.
  std::uint64_t claim(int rank, std::uint64_t detail::work_ring::* end, std::uint64_t odd) const {
    const global_ptr<std::uint64_t> position = rings_.of(rank).member(end);
    std::uint64_t at = read(position);
    for (;;) {
      const std::uint64_t turn =
          read(slot_of(rank, at).member(&slot::turn));  // pairs: gas.work_slot (acquire)
      if (turn == turn_of(at) + odd) {
        const std::uint64_t there = compare_swap(position, at, at + 1);
        if (there == at) return at;
        at = there;
      } else if (turn < turn_of(at) + odd) {
        return kNone;
      } else {
        const std::uint64_t now = read(position);
        RAMJET_CHECK(now != at, "work_queue: its memory was written over");
        at = now;  // others went past
      }
    }
  }

  // Nothing of a lost queue; what was read before it was lost is an item.
  std::optional<T> take(int from) const {
    std::optional<T> item;
    try {
      const std::uint64_t at = claim(from, &detail::work_ring::head, 1);
      if (at == kNone) return item;
      const global_ptr<slot> place = slot_of(from, at);
      item = read(place.member(&slot::value));
      write(place.member(&slot::turn), turn_of(at) + 2);  // pairs: gas.work_slot (release)
      freed(from, at, 1);
    } catch (const failure&) {
    }
    return item;
  }
  // After the slots of these positions were freed.
  void freed(int from, std::uint64_t at, std::uint64_t count) const {
    const std::uint64_t half = capacity() > 1 ? capacity() / 2 : 1;
    if (at % half == 0 || at % half + count > half) rings_.room_came(from);
  }
  bool take_any(std::optional<T>& item) const {
    const int ranks = size(), me = rank();
    if (rings_.mine().kept != 0) item = take_kept();
    for (int i = 0; i < ranks && !item; ++i) {
      const int from = me + i < ranks ? me + i : me + i - ranks;
      item = detail::space.is_near(unsigned(from)) ? take(from) : steal(from);
    }
    return item.has_value();
  }

  // --- Stealing from another node ---------------------------------------------------------------

  // The first item of those that were claimed; the others go to this rank's queue.
  std::optional<T> steal(int from) const {
    std::optional<T> item;
    try {
      std::uint64_t at = 0;
      const std::uint64_t count = claim_half(from, at);
      if (count == 0) return item;
      std::byte stolen[kStolenMax * sizeof(slot)];
      const global_ptr<slot> first = slot_of(from, at);
      bulk_read(stolen, global_ptr<const void>(first), count * sizeof(slot));
      const bool is_freed = detail::work_rings::all_at_once(  // pairs: gas.work_slot (release)
          count, [&](std::size_t k) { put(turn_at(first, k), turn_of(at) + 2); },
          [&](std::size_t k) { write(turn_at(first, k), turn_of(at) + 2); });
      item = value_at(stolen + kValueOffset);
      for (std::size_t k = 1; k < count; ++k)
        keep(value_at(stolen + k * sizeof(slot) + kValueOffset));
      if (count > 1) rings_.work_came(rank());
      if (is_freed) freed(from, at, count);
    } catch (const failure&) {
    }
    return item;
  }
  // Claims half of the items in the ring, beginning with position `at`; returns how many. None of
  // them is behind the end of the ring.
  std::uint64_t claim_half(int from, std::uint64_t& at) const {
    const auto ring = rings_.of(from);
    const auto head = ring.member(&detail::work_ring::head);
    at = read(head);
    const std::uint64_t there = read(ring.member(&detail::work_ring::tail)) - at;
    if (there == 0) return 0;
    const std::uint64_t to_end = capacity() - (at & (capacity() - 1));
    const std::uint64_t wanted = lesser(lesser((there + 1) / 2, kStolenMax), to_end);
    std::uint64_t turns[kStolenMax];
    const global_ptr<slot> first = slot_of(from, at);
    if (!detail::work_rings::all_at_once(  // pairs: gas.work_slot (acquire)
            wanted, [&](std::size_t k) { get(&turns[k], turn_at(first, k), more); },
            [&](std::size_t k) { turns[k] = read(turn_at(first, k)); }))
      return 0;
    std::uint64_t count = 0;
    while (count < wanted && turns[count] == turn_of(at) + 1) ++count;
    return count != 0 && compare_swap(head, at, at + count) == at ? count : 0;
  }
  static global_ptr<std::uint64_t> turn_at(global_ptr<slot> first, std::size_t k) noexcept {
    return (first + std::ptrdiff_t(k)).member(&slot::turn);
  }
  static T value_at(const std::byte* from) noexcept {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    return std::bit_cast<T>(bytes);
  }
  // Puts an item into this rank's queue; if that is full, behind it.
  void keep(const T& item) const {
    const std::uint64_t at = claim(rank(), &detail::work_ring::tail, 0);
    if (at != kNone) return publish(rank(), at, item);
    std::memcpy(kept_items() + rings_.mine().kept++ * sizeof(T), &item, sizeof(T));
  }
  T take_kept() const { return value_at(kept_items() + --rings_.mine().kept * sizeof(T)); }
  std::byte* kept_items() const noexcept {
    return reinterpret_cast<std::byte*>(&rings_.mine()) + sizeof(detail::work_ring) +
           capacity() * sizeof(slot);
  }

  status wait_for_any(std::optional<T>& item) const try {
    bool over = rings_.is_over();
    if (over) return status::ok;
    if (last_failure().rank >= 0) return status::peer_failed;
    detail::work_wait wait(rings_, detail::kForWork);
    return wait.wait_until(
        [&] {
          return over || item || take_any(item) || (over = rings_.is_over()) || wait.in_vain();
        },
        "work_queue::next");
  } catch (const failure& f) {
    return f.code();
  }
  status push_slow(int to, const T& item) const try {
    if (last_failure().rank >= 0) return status::peer_failed;
    detail::work_wait wait(rings_, detail::for_room(to));
    status pushed = status::retry;
    const status waited = wait.wait_until(
        [&] {
          if (pushed == status::retry) pushed = try_push(to, item);
          return pushed != status::retry || wait.in_vain();
        },
        "work_queue::push");
    return waited == status::ok ? pushed : waited;
  } catch (const failure& f) {
    return f.code();
  }

  detail::work_rings rings_;
  unsigned capacity_log_ = 0;
};

}  // namespace ramjet

#pragma GCC visibility pop
