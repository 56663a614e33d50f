// SPDX-License-Identifier: Apache-2.0
// The life of a thread: begin, end, join, detach, cancel, move.
//
// A stack goes from one thread to the next without a switch: who has ended takes what comes next,
// and runs it where it stands if that has no stack yet.
#include "ramjet/ult/thread.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/process_label.hpp"
#include "ramjet/ult/condition.hpp"
#include "ult/locals.hpp"
#include "ult/parts.hpp"
#include "ult/sanitizers.hpp"
#include "ult/wait_lists.hpp"

namespace ramjet::ult {

namespace detail {

namespace {

// A function that another worker's thread wants run at a descriptor's home, while it waits.
struct home_call : parcel {
  descriptor* at = nullptr;
  control* asked_by = nullptr;
  // Whether the asker goes on at once; else `act` has arranged who makes it ready.
  bool (*act)(descriptor* d, control* asked_by) = nullptr;
};

void run_home_call(worker* w, parcel* p) {
  auto* e = static_cast<home_call*>(p);
  const unsigned home = e->at->home.load(std::memory_order_acquire);  // pairs: ult.home
  if (home != w->index) return send(everyone.workers[home], item_of(p));  // it has moved
  if (e->act(e->at, e->asked_by)) ready(e->asked_by);
}

// Runs act at the thread's home. Blocks unless that is here and act says to go on.
void at_home(descriptor* d, const blocked_on& why, bool (*act)(descriptor*, control*)) {
  worker* w = blocking_worker(why.what);
  control* me = w->self;
  const unsigned home = d->home.load(std::memory_order_acquire);  // pairs: ult.home
  if (home == w->index) {
    if (!act(d, me)) suspend(w, why);
    return;
  }
  home_call e;
  e.run = run_home_call;
  e.at = d;
  e.asked_by = me;
  e.act = act;
  ++me->pins;  // whoever answers knows it by this worker
  send(everyone.workers[home], item_of(&e));
  suspend(w, why);
  --me->pins;
}

bool has_ended(const descriptor* d) {
  return d->ended.load(std::memory_order_acquire) == descriptor::kEnded;  // pairs: ult.ended
}

bool add_joiner(descriptor* d, control* joiner) {
  if (has_ended(d)) return true;
  joiner->next = reinterpret_cast<linked*>(d->ended.load(std::memory_order_relaxed));
  d->ended.store(reinterpret_cast<std::uintptr_t>(joiner), std::memory_order_relaxed);
  return false;
}

[[noreturn]] void unjoined_failure(const control* me) {
  std::fprintf(stderr, "%s: an exception left the detached thread %u%s%s\n", base::process_label(),
               me->id, me->name != nullptr ? " " : "", me->name != nullptr ? me->name : "");
  std::terminate();
}

outcome* keep_exception(std::exception_ptr what) {
  return ::new (allocate<failed>(this_worker())) failed(std::move(what));
}

void become(control* me, descriptor* d) {
  me->who = d;
  me->id = d->id;
  d->body = me;
  d->started = true;
}

// Everybody who joined goes on; the descriptor belongs to the handle from now on. Where nobody else
// is ready, one joiner is not made ready but returned: it comes next.
RAMJET_INLINE control* end_thread(control* me, descriptor* d, outcome* result) {
  if (me->values != nullptr) [[unlikely]]
    end_locals(me);
  if (me->name != nullptr) [[unlikely]]
    std::free(std::exchange(me->name, nullptr));
  worker* w = this_worker();
  ++w->finished;
  d->body = result;
  const bool detached = d->detached;
  auto* joiner = reinterpret_cast<control*>(d->ended.load(std::memory_order_relaxed));
  d->ended.store(descriptor::kEnded, std::memory_order_release);  // pairs: ult.ended
  control* heir = nullptr;
  while (joiner != nullptr) {
    auto* next = static_cast<control*>(joiner->next);
    if (next == nullptr && w->empty() && joiner->home.load(std::memory_order_relaxed) == w->index)
      heir = joiner;
    else
      ready(joiner);
    joiner = next;
  }
  if (detached) release_descriptor(w, d);
  return heir;
}

// Who comes after a thread that has ended.
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

RAMJET_INLINE control* run_thread(control* me, descriptor* d) {
  auto* job = static_cast<work*>(d->body);
  become(me, d);
  me->name = job->name;
  outcome* result = nullptr;
  try {
    result = job->run(job);
  } catch (const cancelled&) {
    d->threw = true;
    if (!d->detached) result = keep_exception(std::current_exception());
  } catch (...) {
    if (d->detached) unjoined_failure(me);
    d->threw = true;
    result = keep_exception(std::current_exception());
  }
  return end_thread(me, d, result);
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

// The other gets as much stack as is promised, and sees no exception of this thread.
RAMJET_INLINE bool may_lend(const worker* w, const descriptor* d) {
  const auto* here = static_cast<const std::byte*>(__builtin_frame_address(0));
  const bool raised = (w->raised->caught != nullptr) | (w->raised->uncaught != 0);
  return !d->started && !d->own_stack && !raised &&
         here - w->self->low >= std::ptrdiff_t(everyone.wanted.stack_bytes);
}

bool stays(const control* me) { return me->pins != 0 || me->who->bound || is_thread_1(me); }

// Those who have to stay may find themselves at another worker, where the other went meanwhile.
void go_back(control* me, const lender& mine) {
  const blocked_on why{"move to another worker"};
  worker* w = this_worker();
  w->parts->departing = me;
  w->parts->departing_to = mine.home;
  me->waits = &why;
  go_on(w, me, item_of(w->watcher));
  me->waits = nullptr;
}

RAMJET_INLINE void run_on_lent_stack(worker* w, descriptor* d) {
  control* me = w->self;
  lender mine{.who = me->who,
              .name = me->name,
              .values = me->values,
              .joins = d,
              .id = me->id,
              .home = w->index,
              .pins = me->pins,
              .below = me->lenders};
  me->lenders = &mine;
  me->pins = 0;
  const bool has_more = (mine.name != nullptr) | (mine.values != nullptr);
  if (has_more) me->name = nullptr, me->values = nullptr;
  if (control* heir = run_thread(me, d); heir != nullptr) [[unlikely]]
    ready(heir);
  me->lenders = mine.below;
  if (has_more) me->name = mine.name, me->values = mine.values;  // the other's are gone
  me->who = mine.who;
  me->id = mine.id;
  if (this_worker()->index != mine.home && (mine.pins != 0 || stays(me))) [[unlikely]]
    go_back(me, mine);
  me->pins = mine.pins;
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
  descriptor* d = make_descriptor(w);
  d->detached = true;
  become(me, d);
  item next = 0;
  do {
    t->run(t);
    if (me->values != nullptr) [[unlikely]]
      end_locals(me);
    w = this_worker();
    next = due(w) ? next_slow(w) : pop_far(w);
    const bool is_task = (next & kKindMask) == kTask;
    if (w->ended_of != nullptr && (!is_task || of<task>(next)->count != w->ended_of)) tell_ends(w);
    t = of<task>(next);
  } while ((next & kKindMask) == kTask);
  end_thread(me, d, nullptr);  // nobody joins it
  return next;
}

std::uint32_t class_for(item fresh) {
  if ((fresh & kKindMask) == kTask) return default_stack_class;
  const auto* d = of<descriptor>(fresh);
  if (!d->own_stack) [[likely]]
    return default_stack_class;
  return static_cast<work*>(d->body)->stack_class;
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
      next = next_after(run_thread(me, of<descriptor>(next)));
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

// In place of the run-time's, where switches are noted: each goes the way of a thread in the midst
// of an exception, and none pays for it else.
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
  if (w->raised == &always_raised) note_switch(w, next);
  const exceptions mine = std::exchange(*w->parts->raised, {});
  if ((next & kKindMask) != kStarted) {
    run_item(w, from, next);
  } else {
    w->self = of<control>(next);
    switch_context(from, w->self);
  }
  *this_worker()->parts->raised = mine;
}

void note_switches(worker* w, bool note) noexcept {
  w->raised = note ? &always_raised : w->parts->raised;
}

worker* check_blocking(const char* what) {
  worker* w = open_worker();
  const bool nested = w->self == w->watcher || (w->parts->net && w->parts->net->in_handler());
  if (!nested) [[likely]]
    return w;
  std::fprintf(stderr, "%s: a handler or a condition's test may not wait (for a %s)\n",
               base::process_label(), what);
  std::abort();
}

void throw_if_cancelled(const worker* w) {
  RAMJET_CHECK(w->self->who != nullptr, "a handler or a condition's test is no thread");
  std::atomic<std::uint8_t>& flag = w->self->who->cancelled;
  if (flag.load(std::memory_order_relaxed) == 0) [[likely]]
    return;
  flag.store(0, std::memory_order_relaxed);  // once: what unwinds may wait again
  throw cancelled{};
}

// --- Handles ----------------------------------------------------------------------------------

void choose(descriptor* d, work* job, const attributes& wanted) {
  if (wanted.name != nullptr) job->name = ::strdup(wanted.name);
  if (wanted.stack_bytes != 0) {
    job->stack_class = stack_class_of(wanted.stack_bytes);
    d->own_stack = true;
  }
  if (wanted.worker < 0) return;
  RAMJET_CHECK(unsigned(wanted.worker) < workers(), "attributes::worker: there is no such worker");
  d->bound = true;
  d->home.store(std::uint16_t(wanted.worker), std::memory_order_relaxed);
}

void join_slow(descriptor* d) {
  worker* w = blocking_worker("thread");
  // What others want is done first, where that is all: what runs goes on depth first.
  if (w->attention.load(std::memory_order_relaxed) > worker::kShareLone && w->ticks > 1 &&
      w->parts->shuffle == 0) {
    attend(w);
    if (has_ended(d)) return;
  }
  if (d->home.load(std::memory_order_relaxed) != w->index) {
    if (!has_ended(d)) at_home(d, {"thread", d, d->id}, add_joiner);
    return;
  }
  // Where schedules are tried at random, something is always due.
  if (may_lend(w, d) && !due(w) && take_back(w, item_of(d))) [[likely]]
    return run_on_lent_stack(w, d);
  RAMJET_CHECK(w->self->who != d, "a thread may not join itself");
  if (!add_joiner(d, w->self)) suspend(w, {"thread", d, d->id});
}

namespace {

void detach_at_home(descriptor* d) {
  if (has_ended(d))
    release_descriptor(this_worker(), d);
  else
    d->detached = true;
}

// Nobody waits for it: the handle is gone.
struct detach_call : parcel {
  descriptor* at = nullptr;
};

void run_detach_call(worker* w, parcel* p) {
  auto* e = static_cast<detach_call*>(p);
  const unsigned home = e->at->home.load(std::memory_order_acquire);  // pairs: ult.home
  if (home != w->index && !has_ended(e->at)) return send(everyone.workers[home], item_of(p));
  detach_at_home(e->at);
  release<detach_call>(w, e);
}

}  // namespace

void detach(descriptor* d) {
  worker* w = open_worker();
  if (has_ended(d) || d->home.load(std::memory_order_relaxed) == w->index) {
    detach_at_home(d);
    return;
  }
  auto* last = ::new (allocate<detach_call>(w)) detach_call;
  last->run = run_detach_call;
  last->at = d;
  const unsigned home = d->home.load(std::memory_order_acquire);  // pairs: ult.home
  send(everyone.workers[home], item_of(last));
}

descriptor* attach_self() {
  descriptor* d = open_worker()->self->who;
  RAMJET_CHECK(d != nullptr && d->detached, "attach: somebody holds this thread already");
  d->detached = false;
  return d;
}

void cancel(descriptor* d) {
  d->cancelled.store(1, std::memory_order_relaxed);
  if (has_ended(d)) return;
  at_home(d, {"thread's home", d, d->id}, [](descriptor* its, control*) {
    const bool heard = its->cancelled.load(std::memory_order_relaxed) == 0;  // it has thrown
    if (heard || has_ended(its) || !its->started) return true;
    auto* c = static_cast<control*>(its->body);
    if (c->who != its) return true;  // it lends its stack: a join goes on to its end
    auto* waits = const_cast<blocked_on*>(c->waits);
    if (waits != nullptr && waits->withdraw != nullptr && waits->withdraw(*waits))
      ready(c, wake::cancelled);
    return true;
  });
}

void throw_failed(const descriptor* d) {
  std::rethrow_exception(static_cast<const failed*>(d->body)->what);
}

}  // namespace detail

// --- The running thread -------------------------------------------------------------------------

namespace this_thread {

using namespace detail;

const char* name() noexcept {
  const control* me = this_worker()->self;
  return me->name != nullptr ? me->name : "";
}

void set_name(const char* name) {
  control* me = open_worker()->self;
  std::free(std::exchange(me->name, ::strdup(name)));
}

void bind(unsigned worker) {
  const blocked_on why{"move to another worker"};
  detail::worker* w = blocking_worker(why.what);
  RAMJET_CHECK(worker < workers(), "bind: there is no such worker");
  control* me = w->self;
  RAMJET_CHECK(me->pins == 0, "bind: a thread with tasks under way stays where it is");
  RAMJET_CHECK(!is_thread_1(me) || worker == 0, "bind: thread 1 stays at worker 0");
  me->who->bound = true;
  if (worker == w->index) return;
  w->parts->departing = me;
  w->parts->departing_to = worker;
  me->waits = &why;
  go_on(w, me, item_of(w->watcher));
  me->waits = nullptr;
}

void unbind() noexcept {
  const control* me = open_worker()->self;
  if (!is_thread_1(me)) me->who->bound = false;
}

void check_cancelled() { throw_if_cancelled(open_worker()); }

}  // namespace this_thread
}  // namespace ramjet::ult
