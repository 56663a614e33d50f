// SPDX-License-Identifier: Apache-2.0
// The watcher: passes over posted conditions and the network, and waiting when nothing is ready.
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/backoff.hpp"
#include "base/clock.hpp"
#include "base/futex.hpp"
#include "ult/parts.hpp"
#include "ult/wait_lists.hpp"

namespace ramjet::ult::detail {

namespace {

constexpr unsigned kPassesToLongIdle = 200;
constexpr std::uint64_t kLoneWorthNs = 10'000;  // what a lone thread has to take, to be sent
constexpr std::uint64_t kLoneWaitNsMin = 50'000, kLoneWaitNsMax = 4'000'000;
constexpr std::uint64_t kWorthNs = 4'000;  // likewise, of a part of several
constexpr std::uint64_t kIdleWaitNsMin = 4'000, kIdleWaitNsMax = 128'000;
constexpr std::uint32_t kIdleTests = 1024;  // of a kind, between two polls of the network
constexpr std::uint64_t kSleepNsMax = 250'000'000;
constexpr std::uint32_t kStepsMax = 16384;  // between two yields of the processor
// Between tests of memory that changes without a message.
constexpr std::uint64_t kTestNsMin = 50'000, kTestNsMax = 1'000'000;

// Written by each thread that gets an endpoint, always the same; read by workers that open, and by
// those that wake others. Publishes nothing: what it points to is constant.
constinit std::atomic<const network*> lent{nullptr};

std::uint32_t random_below(std::uint64_t& state, std::uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return std::uint32_t((state >> 16) % n);
}

// Any of the ready ones comes next (options::shuffle_seed).
void shuffle(worker* w) {
  const std::uint32_t at = w->head + random_below(w->parts->shuffle, w->ready_count());
  std::swap(w->ring[at & (w->capacity - 1)], w->ring[w->head & (w->capacity - 1)]);
}

void ask_all_others(const worker* w) {
  const unsigned count = workers();
  for (unsigned i = 0; i < count; ++i)
    if (i != w->index)
      // pairs: ult.attention
      worker_pool.workers[i]->attention.store(worker::kNever, std::memory_order_release);
}

// After each pass that found nothing; announces again if the work that this worker was given has
// been passed on.
void announce_idle(worker* w) {
  if (worker_mode == one_worker) return;
  std::uint32_t now = w->idleness.load(std::memory_order_relaxed);
  if (now == kHasWork) {
    worker_parts& p = *w->parts;
    if (p.idle_after_ns != 0 && base::now_ns() < p.idle_after_ns) return;
    p.idle_after_ns = 0;
    p.fruitless = 0;
    w->idleness.store(kIdle, std::memory_order_relaxed);
    worker_pool.idle_workers.fetch_add(1, std::memory_order_relaxed);  // published by `attention`
    ask_all_others(w);
  } else if (now == kIdle && ++w->parts->fruitless >= kPassesToLongIdle) {
    w->parts->fruitless = 0;
    if (base::now_ns() < w->parts->lone_after_ns) return;
    if (w->idleness.compare_exchange_strong(now, kLongIdle, std::memory_order_relaxed))
      ask_all_others(w);
  }
}

// With nothing left to do.
void judge_gift(worker_parts& p) {
  if (p.given_since_ns == 0) return;
  const std::uint64_t now = base::now_ns(), took = now - std::exchange(p.given_since_ns, 0);
  if (p.given_lone) {
    p.lone_wait_ns =
        took >= kLoneWorthNs ? 0 : std::clamp(2 * p.lone_wait_ns, kLoneWaitNsMin, kLoneWaitNsMax);
    p.lone_after_ns = now + p.lone_wait_ns;
  } else {
    p.idle_wait_ns =
        took >= kWorthNs ? 0 : std::clamp(2 * p.idle_wait_ns, kIdleWaitNsMin, kIdleWaitNsMax);
    p.idle_after_ns = now + p.idle_wait_ns;
  }
}

// When to ask for work, or for a lone thread, at the latest, CLOCK_MONOTONIC in ns; 0: it has been
// asked for.
std::uint64_t next_question(const worker* w) {
  if (w->parts->idle_after_ns != 0) return w->parts->idle_after_ns;
  return w->idleness.load(std::memory_order_relaxed) == kLongIdle ? 0 : w->parts->lone_after_ns;
}

void withdraw_idle(worker* w) {
  if (w->idleness.load(std::memory_order_relaxed) == kHasWork) return;
  if (w->idleness.exchange(kHasWork, std::memory_order_relaxed) != kHasWork)
    worker_pool.idle_workers.fetch_sub(1, std::memory_order_relaxed);
}

bool stops(const worker* w) {
  return w->index != 0 && worker_pool.stopping.load(std::memory_order_relaxed);
}

bool found_work(worker* w) {
  drain_inbox_and_test(w, kIdleTests);
  if (w->empty()) announce_idle(w);
  return !w->empty() || stops(w);
}

void sleep(worker* w, ramjet::detail::idle_turns& turns) {
  w->asleep.store(1, std::memory_order_release);  // pairs: ult.asleep
  // store-load: ult.sleep (sleeper)
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const bool tests = w->parts->posted != 0;
  std::uint64_t time = base::next_sleep_ns(turns, tests ? kTestNsMin : kSleepNsMax,
                                           tests ? kTestNsMax : kSleepNsMax);
  for (const std::uint64_t first : {tests ? first_deadline(w) : 0, next_question(w)}) {
    if (first == 0) continue;
    const std::uint64_t now = base::now_ns();
    time = std::min(time, first > now ? first - now : 1);
  }
  const bool wanted = w->inbox.load(std::memory_order_relaxed) != 0 || stops(w);
  if (!wanted) base::futex_wait(w->asleep, 1, time);
  w->asleep.store(0, std::memory_order_relaxed);
}

// The message layer sleeps by its own protocol, and calls this before; what comes into the inbox
// afterwards has to find the flag set.
bool found_work_between_polls(worker* w) {
  if (worker_mode != one_worker && w->asleep.load(std::memory_order_relaxed) == 0) {
    w->asleep.store(1, std::memory_order_release);  // pairs: ult.asleep
    // store-load: ult.sleep (sleeper)
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  return found_work(w);
}

// A worker without an endpoint, in wait_in_turns.
struct lone_waiter {
  worker* w;
  ramjet::detail::idle_turns turns = {};

  bool done() { return found_work(w); }
  static bool progress() { return false; }
  static status busy() { return status::ok; }
  status idle() {
    worker_parts& p = *w->parts;
    if (!base::sleeps_for_yield(p.spin) && !base::yield_in_wait(p.spin, turns)) return status::ok;
    p.fruitless = kPassesToLongIdle - 1;  // it is about to sleep
    announce_idle(w);
    sleep(w, turns);
    if (turns.sleeps > 1 && p.posted == 0) check_deadlock();
    return status::ok;
  }
};

// The ready threads may all be in loops of yields.
void yield_if_due(worker_parts& p) {
  if (p.steps < kStepsMax) return;
  p.steps = 0;
  base::yield_and_learn(p.spin);
}

// Answers to what the threads have just asked come soon, as a rule: looks for them kPolls times
// before the worker waits as one that has nothing to do. false: nothing has become ready.
bool found_by_polls(worker* w) {
  constexpr unsigned kPolls = 32;
  const worker_parts& p = *w->parts;
  if (p.net == nullptr || p.posted != 0) return false;
  for (unsigned i = 0; i < kPolls && w->attention.load(std::memory_order_relaxed) == 0; ++i) {
    if (p.net->poll() == 0) ramjet::detail::cpu_relax();
    if (!w->empty()) return true;
  }
  return false;
}

void wait_alone(worker* w) {
  w->parts->steps = 0;
  lone_waiter waiter{w, {}};
  static_cast<void>(wait_in_turns(waiter, waiter.turns, w->parts->spin));
}

// Sends on a thread that moves to another worker: it is saved by now.
void send_departing(worker* w) {
  control* c = w->parts->departing;
  w->parts->departing = nullptr;
  const auto home = std::uint16_t(w->parts->departing_to);
  move_home(w, c, home);
  send(worker_pool.workers[home], item_of(c));
}

}  // namespace

void lend_network(const network* n) noexcept { lent.store(n, std::memory_order_relaxed); }

bool in_handler_or_test() noexcept {
  const worker* w = current_worker;
  const network* net = lent.load(std::memory_order_relaxed);
  return (w->open && w->self == w->watcher) || (net != nullptr && net->in_handler());
}

void join_network() noexcept {
  worker* w = current_worker;
  const network* net = lent.load(std::memory_order_relaxed);
  if (!w->open || net == nullptr || !net->join()) return;
  w->parts->net = net;
  note_switches(w, net->notes_switches());
  w->parts->sleeps_at.store(net->sleeping_place(), std::memory_order_relaxed);
  w->handler_free = false;
  set_ticks(w);
}

void leave_network() noexcept {
  worker* w = current_worker;
  if (!w->open) return;
  w->parts->net = nullptr;
  note_switches(w, false);
  w->parts->sleeps_at.store(nullptr, std::memory_order_relaxed);
  w->handler_free = true;
}

void set_ticks(worker* w) noexcept {
  const bool watching = w->parts->posted != 0 || w->parts->net != nullptr;
  const bool asked = w->attention.load(std::memory_order_relaxed) != 0;
  w->ticks = watching ? std::clamp(std::int32_t(w->ready_count()), 1, kTicksMax)
             : asked  ? kAskedTicks
                      : worker::kUnwatched;
  w->parts->turn = w->ticks;
}

void note_failed_try() noexcept {
  struct counter {
    ramjet::detail::spin_policy spin;
    unsigned failed_tries = 0;
  };
  constinit thread_local counter own;  // of a system thread that is not a worker
  worker* w = current_worker;
  if (w->open)
    base::yield_after_tries(w->parts->spin, w->parts->failed_tries);
  else
    base::yield_after_tries(own.spin, own.failed_tries);
}

void drain_inbox_and_test(worker* w, std::uint32_t most) {
  const bool wanted = w->attention.load(std::memory_order_relaxed) != 0 ||
                      w->inbox.load(std::memory_order_relaxed) != 0;
  if (wanted) drain_inbox(w);
  if (w->parts->posted != 0) test_posted(w, most);
}

void idle(worker* w) {
  judge_gift(*w->parts);
  if (const network* net = w->parts->net; net != nullptr) {
    const std::uint64_t deadline = first_deadline(w), question = next_question(w);
    const bool sooner =
        question != 0 && question > base::now_ns() && (deadline == 0 || question < deadline);
    net->wait(w, found_work_between_polls, sooner ? question : deadline, w->parts->posted != 0);
    w->asleep.store(0, std::memory_order_relaxed);
  } else {
    wait_alone(w);
  }
  withdraw_idle(w);
}

void wake_worker(worker* w) noexcept {
  if (w->asleep.exchange(0, std::memory_order_acquire) == 0) return;  // pairs: ult.asleep
  if (void* place = w->parts->sleeps_at.load(std::memory_order_relaxed); place != nullptr)
    lent.load(std::memory_order_relaxed)->wake(place);
  else
    base::futex_wake(w->asleep);
}

void watch(worker* w) {
  for (;;) {
    w->parts->steps += std::uint32_t(w->parts->turn - std::max(w->ticks, 0));
    w->ticks = 0;  // a yield in a handler or a test takes the slow way, which refuses it
    if (w->parts->departing != nullptr) send_departing(w);
    drain_inbox_and_test(w, worker_pool.wanted.tests_per_pass);
    if constexpr (ramjet::detail::kAudits)
      if (++w->parts->passes % 64 == 0) audit_wait_lists(w);
    if (w->parts->net != nullptr) w->parts->net->poll();
    if (w->empty()) {
      if (!found_by_polls(w)) idle(w);
    } else if (w->parts->net == nullptr) {
      yield_if_due(*w->parts);
    }
    if (stops(w)) return;
    set_ticks(w);
    if (!w->empty()) go_on(w, w->watcher, pop(w));
  }
}

item next_slow(worker* w) {
  const bool watch_now = w->ticks <= 0;
  if (w->attention.load(std::memory_order_relaxed) != 0) {
    control* me = w->self;
    ++me->pins;  // it may be among the ready, but is not saved yet: nobody else can run it
    drain_inbox(w);
    --me->pins;
  }
  if (watch_now || stops(w)) return item_of(w->watcher);
  if (w->parts->shuffle != 0 && !w->empty()) shuffle(w);
  return pop(w);
}

// With nothing else to do, the thread tests what is posted where it stands, in the watcher's stead.
item next_after_posting(worker* w) {
  const worker_parts& p = *w->parts;
  const bool watcher_wanted =
      p.net != nullptr || p.posted_calls != 0 || w->attention.load(std::memory_order_relaxed) != 0;
  if (watcher_wanted || !w->empty()) return due(w) ? next_slow(w) : pop(w);
  test_posted(w, worker_pool.wanted.tests_per_pass);
  set_ticks(w);
  return pop(w);
}

void yield_slow(worker* w) {
  if (!w->open) {
    w->ticks = worker::kUnwatched;
    ::sched_yield();
    return;
  }
  const bool nested = w->self == w->watcher || (w->parts->net && w->parts->net->in_handler());
  RAMJET_CHECK(!nested, "a handler or a condition's test may not yield");
  control* me = w->self;
  if (w->ready_count() >= w->capacity) grow_ring(w);
  push(w, item_of(me));
  const item next = next_slow(w);
  if (next != item_of(me)) go_on(w, me, next);
}

void grow_ring(worker* w) {
  const std::uint32_t capacity = std::max(w->capacity * 2, 256u);
  item* ring = new item[capacity];
  const std::uint32_t count = w->ready_count();
  for (std::uint32_t i = 0; i < count; ++i) ring[i] = w->ring[(w->head + i) & (w->capacity - 1)];
  delete[] w->ring;
  w->ring = ring;
  w->head = 0;
  w->tail = count;
  w->capacity = capacity;
}

void push_ready_slow(worker* w, item i) noexcept {
  grow_ring(w);
  push_ready(w, i);
}

}  // namespace ramjet::ult::detail
