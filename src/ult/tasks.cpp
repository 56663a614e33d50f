// SPDX-License-Identifier: Apache-2.0
#include "ramjet/ult/tasks.hpp"

#include "base/process_label.hpp"
#include "ramjet/ult/thread.hpp"
#include "ult/parts.hpp"

namespace ramjet::ult {

namespace detail {

namespace {

constexpr std::size_t kTaskStackBytes = 8 * 1024;  // left free, for a task to be run on it

// The news that tasks ended at another worker.
struct ended_tasks : parcel {
  task_count* of = nullptr;
  std::int64_t count = 0;
};

void on_tasks_done(worker* w, parcel* p) {
  const ended_tasks news = *static_cast<ended_tasks*>(p);
  release<ended_tasks>(w, p);
  news.of->own -= news.count;
  if (news.of->waits != nullptr) end_awaited(*news.of);
}

// For a task, which sees no exception of this thread.
RAMJET_INLINE bool has_room(const control* c, const exceptions* raised) {
  const auto* here = static_cast<const std::byte*>(__builtin_frame_address(0));
  return c->low != nullptr && std::size_t(here - c->low) > kTaskStackBytes && !has_any(raised);
}

// On the stack of the thread that waits for the task's group.
RAMJET_INLINE void run_here(control* me, task* t) {
  descriptor* const who = me->who;
  if (who->runs_task) return t->run(t);  // within a task of another group
  who->runs_task = true;
  t->run(t);
  who->runs_task = false;
}

}  // namespace

void add_elsewhere(task_count& c) { c.others.fetch_add(2, std::memory_order_relaxed); }

// The group may be gone as soon as its owner sees the last task end: nothing of it is touched
// afterwards. While the owner waits, its home counts.
void report_ends(worker* w) {
  task_count& c = *std::exchange(w->ended_of, nullptr);
  note_release(&c.others);
  const std::int64_t ended = std::exchange(w->ended, 0);
  std::int64_t now = c.others.load(std::memory_order_relaxed);
  while ((now & 1) == 0)
    // pairs: ult.tasks
    if (c.others.compare_exchange_weak(now, now - 2 * ended, std::memory_order_release,
                                       std::memory_order_relaxed))
      return;
  auto* news = ::new (allocate<ended_tasks>(w)) ended_tasks;
  news->run = on_tasks_done;
  news->of = &c;
  news->count = ended;
  send(worker_pool.workers[c.home], item_of(news));
}

void end_elsewhere(task_count& c) {
  worker* w = this_worker();
  if (w->ended_of != nullptr) report_ends(w);
  w->ended_of = &c;
  w->ended = 1;
}

void end_awaited(task_count& c) {
  if (c.none_left()) ready(std::exchange(c.waits, nullptr));
}

void keep_failure(task_count& c) {
  if (!c.failed.exchange(true, std::memory_order_relaxed)) c.failure = std::current_exception();
}

void offer(worker* w) {
  if (w->self != w->watcher) drain_inbox(w);
}

void offer_if_asked(worker* w) {
  if (w->attention.load(std::memory_order_relaxed) != 0) offer(w);
}

namespace {

constexpr unsigned kTasksInARow = 32;
constexpr std::uint32_t kAhead = 8;  // tasks whose memory is fetched before their turn

// Lets `next`, which is out of the ring, run; this thread comes right after it.
void step_aside(worker* w, item next) {
  control* me = w->self;
  if (w->ready_count() >= w->capacity) grow_ring(w);
  w->ring[--w->head & (w->capacity - 1)] = item_of(me);
  go_on(w, me, next);
}

// Every now and then others have a turn: the thread that has been ready longest, or the watcher.
void let_others_in(worker* w) {
  if (w->attention.load(std::memory_order_relaxed) != 0) drain_inbox(w);
  const item oldest = w->empty() ? 0 : w->ring[w->head & (w->capacity - 1)];
  const bool waits = oldest != 0 && (oldest & kKindMask) != kTask;
  step_aside(w, waits ? pop(w) : item_of(w->watcher));
}

void wait_for_the_end(worker* w, task_count& c) {
  c.waits = w->self;
  c.others.fetch_or(1, std::memory_order_acquire);  // pairs: ult.tasks
  if (!c.none_left()) suspend(w, {"task", &c});
  c.waits = nullptr;
  c.others.fetch_and(~std::int64_t{1}, std::memory_order_relaxed);
}

}  // namespace

namespace {

// Runs the group's newest tasks on this stack, depth first; whatever else is newest at this worker
// goes before, on a stack of its own.
__attribute__((noinline)) void wait_for_several(task_count& c) {
  worker* w = blocking_worker("task");
  control* const me = w->self;
  const bool room = has_room(me, w->parts->raised);
  for (unsigned run = 1; !c.none_left(); ++run) {
    w = this_worker();
    if (run % kTasksInARow == 0) {
      let_others_in(w);
      w = this_worker();
    }
    if (w->empty()) {
      if (!c.none_left()) wait_for_the_end(w, c);
      continue;
    }
    const item newest = w->ring[--w->tail & (w->capacity - 1)];
    __builtin_prefetch(linked_of(w->ring[(w->tail - kAhead) & (w->capacity - 1)]));
    auto* t = (newest & kKindMask) == kTask ? of<task>(newest) : nullptr;
    if (t != nullptr && t->count == &c && room)
      run_here(me, t);
    else
      step_aside(w, newest);
  }
  note_acquire(&c.others);
}

}  // namespace

// Mostly there is a single one, the newest of all. Where switches are noted, this thread counts as
// one in the midst of an exception here.
void wait_for_tasks(task_count& c) {
  worker* w = this_worker();
  const bool blocks = w->handler_free && w->self != w->watcher;
  if (blocks && !w->empty() && has_room(w->self, w->raised)) [[likely]] {
    const item newest = w->ring[(w->tail - 1) & (w->capacity - 1)];
    auto* t = of<task>(newest);
    if ((newest & kKindMask) == kTask && t->count == &c) [[likely]] {
      --w->tail;
      run_here(w->self, t);
      if (c.none_left()) [[likely]]
        return;
    }
  }
  wait_for_several(c);
}

void throw_failure(task_count& c) {
  c.failed.store(false, std::memory_order_relaxed);
  std::rethrow_exception(std::exchange(c.failure, nullptr));
}

}  // namespace detail
}  // namespace ramjet::ult
