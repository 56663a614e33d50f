// SPDX-License-Identifier: Apache-2.0
// The life of a thread: begin, join, end.
//
// A stack goes from one thread to the next without a switch: a thread that has ended takes what
// comes next, and runs it on this stack if it has none yet.
#include "ramjet/ult/thread.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/process_label.hpp"
#include "ramjet/ult/condition.hpp"
#include "ult/locals.hpp"
#include "ult/parts.hpp"
#include "ult/sanitizers.hpp"
#include "ult/wait_lists.hpp"

namespace ramjet::ult {

namespace detail {

namespace {

bool add_joiner(descriptor* d, control* joiner) {
  if (has_ended(d)) return true;
  joiner->next = reinterpret_cast<linked*>(d->ended.load(std::memory_order_relaxed));
  d->ended.store(reinterpret_cast<std::uintptr_t>(joiner), std::memory_order_relaxed);
  return false;
}

[[noreturn]] void unjoined_failure(const control* me) {
  std::fprintf(stderr, "%s: an exception left the detached thread %u%s%s\n", base::process_label(),
               me->id, me->more.name != nullptr ? " " : "",
               me->more.name != nullptr ? me->more.name : "");
  std::terminate();
}

outcome* keep_exception(std::exception_ptr what) {
  return ::new (allocate<failed>(this_worker())) failed(std::move(what));
}

// The thread runs on the stack of `me`; its control block is the thread's from now on.
RAMJET_INLINE void become(control* me, descriptor* d, std::uint64_t identity) {
  constexpr std::uint64_t kNoPins = (std::uint64_t{1} << kRestShift) - 1;
  me->who = d;
  set_identity_word(*me, identity & kNoPins);
  d->stack = me;
  d->started = true;
}

// Everybody who joined goes on. Where nobody else is ready, one joiner is not made ready but
// returned: it comes next.
__attribute__((noinline)) control* wake_joiners(worker* w, control* joiner) {
  control* heir = nullptr;
  while (joiner != nullptr) {
    auto* next = static_cast<control*>(joiner->next);
    if (next == nullptr && w->empty() && joiner->home.load(std::memory_order_relaxed) == w->index)
      heir = joiner;
    else
      ready(joiner);
    joiner = next;
  }
  return heir;
}

// The thread's result, handed through.
RAMJET_COLD outcome* drop_extras(control* me, outcome* result) {
  if (me->more.values != nullptr) end_locals(me);
  std::free(std::exchange(me->more.name, nullptr));
  return result;
}

struct successor {
  worker* at;  // where the thread has ended
  control* heir;  // who comes next, nullptr: anybody
  bool detached;  // the descriptor has no owner
};

// The descriptor belongs to the handle from now on, if there is one: nothing of it is touched.
RAMJET_INLINE successor end_thread(control* me, descriptor* d, outcome* result) {
  if (me->more.any()) [[unlikely]]
    result = drop_extras(me, result);
  worker* w = this_worker();
  ++w->finished;
  d->result = result;
  const bool detached = d->detached;
  auto* joiner = reinterpret_cast<control*>(d->ended.load(std::memory_order_relaxed));
  note_release(&d->ended);
  d->ended.store(descriptor::kEnded, std::memory_order_release);  // pairs: ult.ended
  return {w, joiner == nullptr ? nullptr : wake_joiners(w, joiner), detached};
}

// The item that runs after a thread that has ended.
RAMJET_INLINE item next_after(control* heir) {
  worker* w = this_worker();
  if (heir != nullptr) {
    heir->woken_by = wake::normal;
    if (!due(w)) [[likely]]
      return item_of(heir);
    push(w, item_of(heir));
    return next_slow(w);
  }
  return due(w) ? next_slow(w) : pop(w);
}

// In the midst of what is thrown.
RAMJET_COLD outcome* note_failure(const control* me, descriptor* d, bool was_cancelled) {
  const bool asked = (d->requests.load(std::memory_order_relaxed) & descriptor::kDetach) != 0;
  if ((d->detached || asked) && !was_cancelled) unjoined_failure(me);
  d->threw = true;
  return d->detached ? nullptr : keep_exception(std::current_exception());
}

RAMJET_INLINE successor run_thread(control* me, descriptor* d, std::uint64_t identity, char* name) {
  auto* const run = d->run;
  me->more = {name, nullptr};
  become(me, d, identity);
  outcome* result = nullptr;
  try {
    result = run(d);
  } catch (const cancelled&) {
    result = note_failure(me, d, true);
  } catch (...) {
    result = note_failure(me, d, false);
  }
  return end_thread(me, d, result);
}

char* name_of(descriptor* d) { return d->named ? d->inner<chosen>()->name : nullptr; }

// Of a detached thread. The destructor is the user's: the thread may go on at another worker then,
// and have made values of its own, or have taken a name.
RAMJET_COLD worker* drop_result(control* me, descriptor* d) {
  outcome* const result = std::exchange(d->result, nullptr);
  result->drop(result);
  if (me->more.any()) drop_extras(me, nullptr);
  return this_worker();
}

// On a stack of its own.
RAMJET_INLINE control* run_alone(control* me, descriptor* d) {
  successor next = run_thread(me, d, identity_word(*d), name_of(d));
  if (next.detached) {
    if (d->result != nullptr) [[unlikely]]
      next.at = drop_result(me, d);
    release_descriptor(next.at, d);
  }
  return next.heir;
}

// --- Lent stacks --------------------------------------------------------------------------------

// What is forked and joined runs depth first, without a switch and without a stack of its own.

constexpr std::uint32_t kLookedAt = 4;

item& newest(const worker* w, std::uint32_t back) {
  return w->ring[(w->tail - back) & (w->capacity - 1)];
}

// Takes a thread out of the ring if it is among those right before the newest.
bool take_back_slow(worker* w, item wanted) {
  const std::uint32_t looked_at = std::min(w->ready_count(), kLookedAt);
  for (std::uint32_t back = 2; back <= looked_at; ++back) {
    if (newest(w, back) != wanted) continue;
    for (; back > 1; --back) newest(w, back) = newest(w, back - 1);
    --w->tail;
    return true;
  }
  return false;
}

RAMJET_INLINE bool take_back(worker* w, item wanted) {
  if (w->empty() || newest(w, 1) != wanted) [[unlikely]]
    return take_back_slow(w, wanted);
  --w->tail;
  return true;
}

// A trace wants to be told of each thread's begin and end.
__attribute__((noinline)) bool may_not_lend(const worker* w) {
  return w->parts->notes_switches || has_any(w->parts->raised);
}

// The other gets as much stack as is promised, and sees no exception of this thread.
RAMJET_INLINE bool has_room_to_lend(const worker* w, const control* me) {
  bool raised = (w->raised->caught != nullptr) | (w->raised->uncaught != 0);
  if (raised) [[unlikely]]
    raised = may_not_lend(w);
  // By the frame: the address sanitizer may keep a variable elsewhere.
  const auto room = static_cast<const std::byte*>(__builtin_frame_address(0)) - me->low;
  return !raised && room >= std::ptrdiff_t(worker_pool.wanted.stack_bytes);
}

bool stays(const control* me) { return me->pins != 0 || me->who->bound || is_thread_1(me); }

// The joiner finds itself at another worker, where the other went meanwhile; some have to go back.
__attribute__((noinline)) void arrive_elsewhere(control* me, const lender& mine, unsigned lent_at) {
  me->id = me->who->id;
  me->pins = std::uint16_t(mine.identity >> kRestShift);  // before others may take it on
  if (stays(me)) {
    const blocked_on why{"move to another worker"};
    worker* w = this_worker();
    w->parts->departing = me;
    w->parts->departing_to = lent_at;
    me->waits = &why;
    go_on(w, me, item_of(w->watcher));
    me->waits = nullptr;
  }
}

// The record lies in the caller's frame. Nobody detaches a thread that is being joined.
RAMJET_INLINE void run_on_lent_stack(worker* w, control* me, lender& mine, descriptor* d,
                                     std::uint64_t identity, char* name) {
  mine.more = me->more;
  mine.joins = d;
  mine.identity = identity_word(*me);
  mine.below = me->lenders;
  // Whole, before a report finds it by `who`. store-load: ult.report (both, compiler only)
  std::atomic_signal_fence(std::memory_order_seq_cst);
  mine.who = me->who;
  me->lenders = &mine;
  const successor next = run_thread(me, d, identity, name);
  if (next.heir != nullptr) [[unlikely]]
    ready(next.heir);
  me->lenders = mine.below;
  me->more = mine.more;
  me->who = mine.who;
  if (next.at != w) [[unlikely]]
    return arrive_elsewhere(me, mine, w->index);
  set_identity_word(*me, mine.identity);
}

// What is far ahead is fetched: tasks may come from another worker, and be over in some ns.
RAMJET_INLINE item pop_far(worker* w) {
  constexpr std::uint32_t kAhead = 8;
  if (w->ready_count() > kAhead)
    __builtin_prefetch(linked_of(w->ring[(w->head + kAhead) & (w->capacity - 1)]));
  return w->empty() ? item_of(w->watcher) : w->ring[w->head++ & (w->capacity - 1)];
}

// A thread without a name for as many tasks as come one after the other; returns what comes then.
item run_tasks(control* me, task* t) {
  worker* w = this_worker();
  auto* d = take<descriptor>(w->descriptors, kDescriptors);
  begin_descriptor(w, d);
  d->detached = true;
  become(me, d, identity_word(*d));
  item next = 0;
  do {
    t->run(t);
    if (me->more.values != nullptr) [[unlikely]]
      end_locals(me);
    w = this_worker();
    next = due(w) ? next_slow(w) : pop_far(w);
    const bool is_task = (next & kKindMask) == kTask;
    if (w->ended_of != nullptr && (!is_task || of<task>(next)->count != w->ended_of))
      report_ends(w);
    t = of<task>(next);
  } while ((next & kKindMask) == kTask);
  const successor end = end_thread(me, d, nullptr);  // nobody joins it
  release_descriptor(end.at, d);
  return next;
}

std::uint32_t class_for(item fresh) {
  if ((fresh & kKindMask) == kTask) return default_stack_class;
  auto* d = of<descriptor>(fresh);
  if (!d->own_stack) [[likely]]
    return default_stack_class;
  return d->inner<const chosen>()->stack_class;
}

control* give_a_stack(worker* w, item fresh) {
  control* c = take_stack(w, class_for(fresh));
  c->todo = fresh;
  return c;
}

// Leaves a stack whose thread has ended; comes back when it is taken for another one. Inlined: no
// call may be open meanwhile.
RAMJET_INLINE void park(worker* w, control* me, item next) {
  give_stack(w, me);
  control* to = (next & kKindMask) == kStarted ? of<control>(next) : give_a_stack(w, next);
  w->self = to;
  if (announces_switches()) [[unlikely]]
    return announced_switch(me, to);
  switch_context(me, to);
}

}  // namespace

// What all stacks run: one thread after the other (context.cpp).
extern "C" [[noreturn]] void ramjet_ult_main(context* at) {
  arrived();
  auto* me = static_cast<control*>(at);
  item next = std::exchange(me->todo, 0);
  if (next == item_of(me)) watch(this_worker());
  for (;;) {
    if ((next & kKindMask) == kTask) {
      next = run_tasks(me, of<task>(next));
    } else {
      next = next_after(run_alone(me, of<descriptor>(next)));
    }
    const item kind = next & kKindMask;
    if (kind == kStarted || (kind == kFresh && class_for(next) != me->stack_class)) {
      park(this_worker(), me, next);
      next = std::exchange(me->todo, 0);
    }
  }
}

void run_item(worker* w, control* from, item next) {
  control* to = give_a_stack(w, next);
  w->self = to;
  switch_context(from, to);
}

namespace {

// In place of the run-time's, where switches are noted or announced: each goes the way of a thread
// in the midst of an exception, and no other process pays for that.
constinit exceptions always_raised{.uncaught = 1};

void note_switch(worker* w, item next) {
  std::uint32_t to = 0;
  if ((next & kKindMask) == kFresh) to = of<descriptor>(next)->id;
  if ((next & kKindMask) == kStarted && of<control>(next) != w->watcher)
    to = of<control>(next)->who->id;
  const control* const from = w->self;
  w->parts->net->note_switch(from == w->watcher || from->who == nullptr ? 0 : from->who->id, to);
}

}  // namespace

// The C++ run-time keeps the exceptions in progress for each system thread: they belong to the
// user-level thread here.
void go_on_handling(worker* w, control* from, item next) {
  if (w->parts->notes_switches) note_switch(w, next);
  const exceptions mine = std::exchange(*w->parts->raised, {});
  control* const to = (next & kKindMask) == kStarted ? of<control>(next) : give_a_stack(w, next);
  w->self = to;
  if (announces_switches())
    announced_switch(from, to);
  else
    switch_context(from, to);
  *this_worker()->parts->raised = mine;
}

void note_switches(worker* w, bool note) noexcept {
  w->parts->notes_switches = note;
  w->raised = note || announces_switches() ? &always_raised : w->parts->raised;
}

worker* check_blocking(const char* what) {
  char call[64];
  std::snprintf(call, sizeof call, "a wait for a %s", what);
  worker* w = open_worker(call);
  const bool nested = w->self == w->watcher || (w->parts->net && w->parts->net->in_handler());
  if (!nested) [[likely]]
    return w;
  std::fprintf(stderr, "%s: a handler or a condition's test may not wait (for a %s)\n",
               base::process_label(), what);
  std::abort();
}

void throw_if_cancelled(const worker* w) {
  RAMJET_CHECK(w->self->who != nullptr, "a handler or a condition's test is not a thread");
  descriptor* const who = w->self->who;
  if (!is_cancelled(who)) [[likely]]
    return;
  // Once: what unwinds may wait again.
  who->requests.fetch_and(std::uint8_t(~descriptor::kCancel), std::memory_order_relaxed);
  throw cancelled{};
}

// --- Joins ------------------------------------------------------------------------------------

namespace {

__attribute__((noinline)) void join_slow(descriptor* d) {
  worker* w = blocking_worker("thread");
  // What others want is done first, where that is all: what runs goes on depth first.
  if (w->attention.load(std::memory_order_relaxed) > worker::kShareLone && w->ticks > 1 &&
      w->parts->shuffle == 0) {
    drain_inbox(w);
    if (has_ended(d)) return;
  }
  // pairs: ult.home
  if (d->home.load(std::memory_order_acquire) != w->index) {
    if (!has_ended(d)) at_home(d, {"thread", d, d->id}, add_joiner);
    return;
  }
  control* me = w->self;
  lender mine;
  const bool may_lend = !d->started && !d->own_stack && has_room_to_lend(w, me);
  // Where schedules are tried at random, something is always due.
  if (may_lend && !due(w) && take_back(w, item_of(d)))
    return run_on_lent_stack(w, me, mine, d, identity_word(*d), name_of(d));
  RAMJET_CHECK(me->who != d, "a thread may not join itself");
  if (!add_joiner(d, me)) suspend(w, {"thread", d, d->id});
}

}  // namespace

// The newest thread of all, about which nothing is special, is run at once; not in a condition's
// test or a handler, which may not wait: join_slow says so.
void join_unended(descriptor* d) {
  worker* w = this_worker();
  if (w->handler_free && !w->empty() && newest(w, 1) == item_of(d)) [[likely]] {
    control* me = w->self;
    lender mine;
    const std::uint64_t identity = identity_word(*d);
    if (identity >> kRestShift == 0 && has_room_to_lend(w, me) && !due(w)) [[likely]] {
      --w->tail;
      return run_on_lent_stack(w, me, mine, d, identity, nullptr);
    }
  }
  join_slow(d);
}

}  // namespace detail
}  // namespace ramjet::ult
