// SPDX-License-Identifier: Apache-2.0
// What a worker owns beyond its hot lines, and what all workers share.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <vector>

#include "base/settings.hpp"
#include "ramjet/detail/base/wait_loop.hpp"
#include "ramjet/ult/detail/wait_list.hpp"
#include "ramjet/ult/scheduler.hpp"
#include "ult/guard.hpp"
#include "ult/network.hpp"
#include "ult/stacks.hpp"

namespace ramjet::ult::detail {

inline constexpr unsigned kWorkersMax = ramjet::base::kUltWorkersMax;
inline constexpr std::int32_t kTicksMax = 32;  // most steps between the watcher's turns

inline constexpr unsigned kTestsMax = 256;  // kinds of tests in a program

// The same where only an idle worker waits: what becomes ready tells by itself.
inline constexpr std::int32_t kAskedTicks = 512;

// worker::idleness.
enum idleness : std::uint32_t {
  kHasWork,   // or is about to be given some
  kIdle,      // has nothing to do
  kLongIdle,  // has had nothing to do for some microseconds, and would take a lone thread
};

struct worker_parts {
  std::array<wait_list, kTestsMax> wait_lists;  // by number of test
  std::uint32_t posted = 0;    // conditions on all of them
  std::uint32_t posted_calls = 0;  // those among them that are functions of the user
  std::uint64_t now_ns = 0;    // for deadlines; read once a pass
  free_list stacks[kStackClasses];  // but those of the default class
  const network* net = nullptr;  // how to poll and to wait, where messages come in
  exceptions* raised = nullptr;  // worker::raised, unless all go the slow way (threads.cpp)
  bool notes_switches = false;  // a trace is told of each
  // Where this worker sleeps while idle: written by itself while it is awake, read by those who
  // wake it. Published by worker::asleep.
  std::atomic<void*> sleeps_at{nullptr};
  unsigned fruitless = 0;  // passes in a row that found nothing
  // Work that is given and ends at once costs both workers more than it saves: each time doubles
  // the wait before this worker asks again, up to a limit. Lone threads cost more, and have a wait
  // of their own.
  std::uint64_t given_since_ns = 0;  // since it runs what it was given, 0: it does not
  bool given_lone = false;  // that was a lone thread
  std::uint64_t idle_wait_ns = 0, lone_wait_ns = 0;
  std::uint64_t idle_after_ns = 0,
                lone_after_ns = 0;  // the waits' ends: not kIdle, kLongIdle before
  unsigned passes = 0;  // counted where builds audit
  ramjet::detail::spin_policy spin;
  // Steps since the worker last yielded the processor or waited, without an endpoint, whose polls
  // do so; counted at the watcher's turns. `turn`: the steps to the next one, when they began.
  std::uint32_t steps = 0;
  std::int32_t turn = 0;
  unsigned failed_tries = 0;  // since they last yielded the processor
  std::uint64_t shuffle = 0;  // state of the random order, 0: in order
  pthread_t system{};
  control* departing = nullptr;  // moves to another worker once it is saved
  unsigned departing_to = 0;
};

struct pool {
  worker* workers[kWorkersMax] = {};
  std::atomic<unsigned> count{0};
  // Workers whose idleness is not kHasWork. Written with it; read by all. Publishes nothing.
  std::atomic<unsigned> idle_workers{0};
  std::atomic<bool> stopping{false};
  pthread_t first{};  // the system thread of worker 0
  options wanted;
  std::vector<int> cpus;  // that workers may be bound to
  bool first_is_bound = false;  // a start has bound worker 0 to cpus[0]
};
extern pool worker_pool;

// Of thread 1: there before any worker is.
extern descriptor thread_1;

// Whether thread 1 runs there, the program of worker 0's system thread; not a thread that has
// borrowed its stack.
bool is_thread_1(const control* c) noexcept;

// Of worker::ended_of, which is not nullptr.
void report_ends(worker* w);

// Of a thread that its home sends to another worker, and of those who lend it their stack.
inline void move_home(worker* from, control* c, std::uint16_t home) {
  if (from->ended_of != nullptr) report_ends(from);  // a task on its stack may be all they wait for
  c->home.store(home, std::memory_order_relaxed);
  for (const lender* l = c->lenders; l != nullptr; l = l->below)
    l->who->home.store(home, std::memory_order_release);  // pairs: ult.home
  c->who->home.store(home, std::memory_order_release);  // pairs: ult.home
}

inline bool has_ended(const descriptor* d) noexcept {
  const auto ended = d->ended.load(std::memory_order_acquire);  // pairs: ult.ended
  note_acquire(&d->ended);
  return ended == descriptor::kEnded;
}

// Whether the thread would throw `cancelled` where it waits: not in a task that it runs, which goes
// on to its end, nor once it has thrown.
inline bool is_cancelled(const descriptor* d) noexcept {
  const unsigned requests = d->requests.load(std::memory_order_relaxed);
  return (requests & descriptor::kCancel) != 0 && !d->runs_task;
}

// Whether a thread handles an exception, or its stack unwinds.
inline bool has_any(const exceptions* its) noexcept {
  return (its->caught != nullptr) | (its->uncaught != 0);
}

// Runs act at the thread's home. Blocks unless that is here and act says to go on.
void at_home(descriptor* d, const blocked_on& why, bool (*act)(descriptor*, control*));

// Puts an item into the inbox of a worker, any worker's, and wakes it.
void send(worker* to, item i);
// From now on a trace is told of the worker's switches; or no more.
void note_switches(worker* w, bool note) noexcept;
// Has a worker check its inbox and `stopping`, soon; wakes it.
void call(worker* w);
// Runs what is in the inbox, and gives work away where another worker is idle.
void drain_inbox(worker* w);
// Does what others want, and tests posted conditions: at most `most` of a kind.
void drain_inbox_and_test(worker* w, std::uint32_t most);
// What the watcher does: passes, whatever is ready, waiting. Returns when the workers are stopped.
void watch(worker* w);
// The item that runs after a thread that has posted a condition; that thread itself, if it holds.
item next_after_posting(worker* w);
// Waits until there is something to do (watch.cpp).
void idle(worker* w);
void wake_worker(worker* w) noexcept;

// Sets when the watcher is next due, after something was posted or taken back.
void set_ticks(worker* w) noexcept;
// The watcher is due in at most `most` steps.
inline void shorten_turn(worker* w, std::int32_t most) noexcept {
  if (w->ticks <= most) return;
  w->parts->turn -= w->ticks - most;
  w->ticks = most;
}

void install_signal_handlers() noexcept;
void install_signal_stack();
// Whether the calling system thread stands in a handler or in a condition's test, where nothing may
// block or start.
bool in_handler_or_test() noexcept;
// Reports a deadlock and ends the process, if there is one.
void check_deadlock();

}  // namespace ramjet::ult::detail
