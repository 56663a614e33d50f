// SPDX-License-Identifier: Apache-2.0
// Fork and join: tasks run to their end on whatever stack is there, at any worker. A thread that
// waits for its tasks runs them meanwhile, the newest first, and lets ready threads in between;
// idle workers are given the oldest. A task must not throw while its callable is moved. It has
// ended once its callable is destroyed; to cancel the thread that waits does not end it.
//
//   ult::task_group g;
//   g.run([&] { left = count(tree->left); });
//   right = count(tree->right);
//   g.wait();
//
//   ult::parallel_for(0, n, [&](std::size_t i) { a[i] = f(i); });
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/ult/detail/blocks.hpp"
#include "ramjet/ult/scheduler.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

class task_group;

namespace detail {

// Tasks of a group that are under way. `own` counts at the worker that waits, without atomics;
// `others` what happened elsewhere. Their sum is the number of tasks that have not ended.
struct task_count {
  std::int64_t own = 0;
  std::uint16_t home = 0;
  bool halves = false;  // each task is as much as all that come after it
  control* waits = nullptr;  // at home
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
  // Twice the tasks added elsewhere - twice those ended elsewhere; + 1: the owner waits, so that
  // the home has to be notified.
  std::atomic<std::int64_t> others{0};

  bool none_left() const noexcept {
    const std::int64_t there = others.load(std::memory_order_acquire);  // pairs: ult.tasks
    return 2 * own + (there & ~std::int64_t{1}) == 0;
  }
};

RAMJET_COLD void add_elsewhere(task_count& c);
RAMJET_COLD void end_elsewhere(task_count& c);
RAMJET_COLD void end_awaited(task_count& c);
RAMJET_COLD void keep_failure(task_count& c);
void wait_for_tasks(task_count& c);
[[noreturn]] RAMJET_COLD void throw_failure(task_count& c);
RAMJET_COLD void offer(worker* w);  // another worker is idle

RAMJET_INLINE void end_task(task_count& c) {
  worker* w = this_worker();
  if (w->ended_of == &c) {  // the group's own lines are not touched
    ++w->ended;
    return;
  }
  if (w->index != c.home) return end_elsewhere(c);
  --c.own;
  if (c.waits != nullptr) [[unlikely]]
    end_awaited(c);
}

template <class F>
struct task_of : task {
  F f;

  template <class G>
  task_of(task_count& c, G&& g) : f(std::forward<G>(g)) {
    run = &call;
    count = &c;
  }
  // The callable is gone before the task counts as ended.
  static void call(task* t) {
    task_count& c = *t->count;
    take_and_call(static_cast<task_of*>(t), c);
    end_task(c);
  }
  RAMJET_INLINE static void take_and_call(task_of* self, task_count& c) {
    F f = std::move(self->f);
    self->~task_of();
    release<task_of>(this_worker(), self);
    try {
      f();
    } catch (...) {
      keep_failure(c);
    }
  }
};

}  // namespace detail

// Belongs to the thread that makes it; its tasks may add more to it. The thread stays at its worker
// until the group is gone.
class task_group {
 public:
  RAMJET_INLINE task_group() {
    detail::worker* w = detail::this_worker();
    if (!w->open) [[unlikely]]
      w = detail::open_worker("ult::task_group");
    ++w->self->pins;
    count_.home = w->index;
  }
  RAMJET_INLINE ~task_group() {  // waits; what tasks threw is lost then
    if (!count_.none_left()) detail::wait_for_tasks(count_);
    --detail::this_worker()->self->pins;
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  // f() will be called, by wait or by another worker. Cost: some ns.
  template <class F>
  RAMJET_INLINE void run(F&& f) {
    using job = detail::task_of<std::decay_t<F>>;
    detail::worker* w = detail::this_worker();
    detail::task* t = make<job>(w, std::forward<F>(f));
    // A constructor of the user's may have blocked, and gone on at another worker.
    if constexpr (!detail::is_plain<F>) w = detail::this_worker();
    if (w->index == count_.home) [[likely]]
      ++count_.own;
    else
      detail::add_elsewhere(count_);
    const bool share = detail::would_share(w);
    detail::push(w, detail::item_of(t));
    if (share) [[unlikely]]
      detail::offer(w);
  }
  // Until all tasks have ended. Throws what one of them threw, the first that was seen.
  RAMJET_INLINE void wait() {
    if (!count_.none_left()) detail::wait_for_tasks(count_);
    if (count_.failed.load(std::memory_order_relaxed)) [[unlikely]]
      detail::throw_failure(count_);
  }

 protected:
  detail::task_count count_;

 private:
  template <class Job, class F>
  RAMJET_INLINE detail::task* make(detail::worker* w, F&& f) {
    void* block = detail::allocate<Job>(w);
    if constexpr (std::is_nothrow_constructible_v<std::decay_t<F>, F&&>) {
      return ::new (block) Job(count_, std::forward<F>(f));
    } else {
      try {
        return ::new (block) Job(count_, std::forward<F>(f));
      } catch (...) {
        detail::release<Job>(detail::this_worker(), block);
        throw;
      }
    }
  }
};

namespace detail {

struct halving_group : task_group {
  halving_group() { count_.halves = true; }
};

RAMJET_COLD void offer_if_asked(worker* w);

// How many calls to make before others are looked after again: as many as take some microseconds.
class look_interval {
 public:
  std::size_t calls() const noexcept { return calls_; }
  // Call it after calls() calls. Whether as many again are worth giving away.
  bool measure() noexcept {
    using clock = std::chrono::steady_clock;
    constexpr auto kInterval = std::chrono::microseconds(8);
    const auto now = clock::now();
    const auto took = now - std::exchange(begin_, now);
    if (took < kInterval / 16)
      calls_ *= 4;
    else if (took < kInterval / 2)
      calls_ *= 2;
    else if (took > 2 * kInterval && calls_ > 1)
      calls_ /= 2;
    return took >= kInterval / 4;
  }

 private:
  std::size_t calls_ = 1;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// How many indices there are in [from, to), and the one that comes `by` of them after `from`: both
// right where to - from is beyond what a signed I holds.
template <class I>
RAMJET_INLINE std::uint64_t length_of(I from, I to) noexcept {
  using natural = std::make_unsigned_t<I>;
  return natural(natural(to) - natural(from));
}
template <class I>
RAMJET_INLINE I index_after(I from, std::uint64_t by) noexcept {
  return I(std::uint64_t(from) + by);
}

// A bound of a loop as the type of its index.
template <class Index, class I>
RAMJET_INLINE Index bound_as(const I& bound) {
  if constexpr (std::is_signed_v<I> && !std::is_signed_v<Index>)
    RAMJET_CHECK(bound >= 0, "parallel_for: a bound below 0 of a loop whose index has no sign");
  return Index(bound);
}

// Calls f from the beginning of the range until that has taken some microseconds, reading the clock
// at least every `calls_max` calls; returns where it stopped.
template <class I, class F>
I run_first(I from, I to, std::size_t calls_max, const F& f) {
  constexpr auto kEnough = std::chrono::microseconds(4);
  const auto begin = std::chrono::steady_clock::now();
  std::size_t calls = 1;
  do {
    const I stop = length_of(from, to) > calls ? index_after(from, calls) : to;
    for (; from != stop; ++from) f(from);
    calls = std::min(4 * calls, calls_max);
  } while (from != to && std::chrono::steady_clock::now() - begin < kEnough);
  return from;
}

// Calls f for all of the range; while another worker has nothing to do, halves of what is left
// become tasks, the largest first.
template <class I, class F>
void run_piece(task_group& g, I from, I to, const F& f) {
  look_interval looks;
  while (from != to) {
    const I stop = length_of(from, to) > looks.calls() ? index_after(from, looks.calls()) : to;
    for (; from != stop; ++from) f(from);
    const bool worth = looks.measure();
    worker* w = this_worker();
    if (w->attention.load(std::memory_order_relaxed) == 0) [[likely]]
      continue;
    while (worth && w->ready_count() < 2 && length_of(from, to) > looks.calls()) {
      const I middle = index_after(from, length_of(from, to) / 2);
      g.run([&g, middle, to, &f] { run_piece(g, middle, to, f); });
      to = middle;
    }
    offer_if_asked(w);
  }
}

// Halves the range until a piece is no longer than `grain`; the right halves are tasks. `adapts`:
// pieces are halved further where that keeps others busy.
template <class I, class F>
void split(task_group& g, I from, I to, std::uint64_t grain, bool adapts, const F& f) {
  while (length_of(from, to) > grain) {
    const I middle = index_after(from, length_of(from, to) / 2);
    g.run([&g, middle, to, grain, adapts, &f] { split(g, middle, to, grain, adapts, f); });
    to = middle;
  }
  if (adapts) return run_piece(g, from, to, f);
  for (; from != to; ++from) f(from);
}

}  // namespace detail

// Calls f(i) for every i in [from, to), by all workers; returns when all calls have returned. Loops
// may nest. grain: calls that stay together, 0: at first an eighth of a worker's share, then as few
// as keep all workers busy, down to some microseconds; a loop that ends within a few stays here.
// Throws what one of them threw. The index has the bounds' common type: where that has no sign, a
// bound below 0 ends the process.
template <class I, class J, class F>
void parallel_for(I from, J to, const F& f, std::size_t grain = 0) {
  using index = std::common_type_t<I, J>;
  static_assert(std::is_integral_v<index> && sizeof(index) <= sizeof(std::uint64_t),
                "the index of a parallel_for is an integer of up to 64 bits");
  auto first = detail::bound_as<index>(from);
  const auto end = detail::bound_as<index>(to);
  if (first >= end) return;
  const unsigned all = std::max(workers(), 1u);
  const bool adapts = grain == 0 && all > 1;
  const std::uint64_t share = detail::length_of(first, end) / (8 * all);
  constexpr std::size_t kFirstCalls = 32;
  if (adapts && share > 1)
    first = detail::run_first(first, end, std::max(share / 2, kFirstCalls), f);
  if (first == end) return;
  if (grain == 0) grain = std::max(share, std::uint64_t{1});
  detail::halving_group g;
  detail::split(g, first, end, grain, adapts, f);
  g.wait();
}

}  // namespace ramjet::ult

#pragma GCC visibility pop
