// SPDX-License-Identifier: Apache-2.0
// What is done to threads by their handles, and by themselves: choose, detach, cancel, move.
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ramjet/ult/condition.hpp"
#include "ramjet/ult/thread.hpp"
#include "ult/parts.hpp"

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
  if (home != w->index) return send(worker_pool.workers[home], item_of(p));  // it has moved
  if (e->act(e->at, e->asked_by)) ready(e->asked_by);
}

}  // namespace

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
  ++me->pins;  // answers find it by this worker
  send(worker_pool.workers[home], item_of(&e));
  suspend(w, why);
  --me->pins;
}

void choose(descriptor* d, const attributes& wanted) {
  auto* c = d->inner<chosen>();
  if (wanted.name != nullptr) {
    c->name = ::strdup(wanted.name);
    d->named = true;
  }
  if (wanted.stack_bytes != 0) {
    c->stack_class = stack_class_of(wanted.stack_bytes);
    d->own_stack = true;
  }
  if (wanted.worker < 0) return;
  RAMJET_CHECK(unsigned(wanted.worker) < workers(), "attributes::worker: there is no such worker");
  d->bound = true;
  d->home.store(std::uint16_t(wanted.worker), std::memory_order_relaxed);
}

namespace {

// Of a thread that has ended, where nothing may wait. The result's destructor is the user's, and
// may: a thread of its own calls it.
void release_without_waiting(worker* w, descriptor* d) {
  if (d->result == nullptr) return release_descriptor(w, d);
  auto releases = [d] { release_descriptor(this_worker(), d); };
  auto* fresh = take<descriptor>(w->descriptors, kDescriptors);
  place_job<false, job<decltype(releases)>>(w, fresh, releases);
  begin_descriptor(w, fresh);
  fresh->detached = true;
  push(w, item_of(fresh));
}

// Nobody waits for it: the handle is gone.
struct detach_call : parcel {
  descriptor* at = nullptr;
};

void run_detach_call(worker* w, parcel* p) {
  descriptor* const d = static_cast<detach_call*>(p)->at;
  const unsigned home = d->home.load(std::memory_order_acquire);  // pairs: ult.home
  if (home != w->index && !has_ended(d)) return send(worker_pool.workers[home], item_of(p));
  release<detach_call>(w, p);
  if (has_ended(d)) return release_without_waiting(w, d);
  d->detached = true;
  d->requests.fetch_and(std::uint8_t(~descriptor::kDetach), std::memory_order_relaxed);
}

}  // namespace

void detach(descriptor* d) {
  worker* w = open_worker("detach");
  if (has_ended(d))
    return in_handler_or_test() ? release_without_waiting(w, d) : release_descriptor(w, d);
  const unsigned home = d->home.load(std::memory_order_acquire);  // pairs: ult.home
  if (home == w->index) {
    d->detached = true;
    return;
  }
  auto* last = ::new (allocate<detach_call>(w)) detach_call;
  last->run = run_detach_call;
  last->at = d;
  d->requests.fetch_or(descriptor::kDetach, std::memory_order_relaxed);
  send(worker_pool.workers[home], item_of(last));
}

// The news that its handle is gone may still be under way, here or from a worker where it was.
descriptor* attach_self() {
  descriptor* d = open_worker("ult::this_thread::attach")->self->who;
  RAMJET_CHECK(d != nullptr, "attach: a handler or a condition's test is not a thread");
  while (!d->detached && (d->requests.load(std::memory_order_relaxed) & descriptor::kDetach) != 0) {
    drain_inbox(this_worker());
    if (!d->detached) yield();
  }
  RAMJET_CHECK(d->detached, "attach: somebody holds this thread already");
  d->detached = false;
  return d;
}

void cancel(descriptor* d) {
  d->requests.fetch_or(descriptor::kCancel, std::memory_order_relaxed);
  if (has_ended(d)) return;
  at_home(d, {"thread's home", d, d->id}, [](descriptor* its, control*) {
    if (has_ended(its) || !its->started || !is_cancelled(its)) return true;
    control* c = its->stack;
    if (c->who != its) return true;  // it lends its stack: a join goes on to its end
    auto* waits = const_cast<blocked_on*>(c->waits);
    if (waits != nullptr && waits->withdraw != nullptr && waits->withdraw(*waits))
      ready(c, wake::cancelled);
    return true;
  });
}

void throw_failed(const descriptor* d) {
  std::rethrow_exception(static_cast<const failed*>(d->result)->what);
}

}  // namespace detail

// --- The running thread -------------------------------------------------------------------------

namespace this_thread {

using namespace detail;

const char* name() noexcept {
  const control* me = this_worker()->self;
  return me->more.name != nullptr ? me->more.name : "";
}

void set_name(const char* name) {
  RAMJET_CHECK(name != nullptr, "set_name: the name is null");
  control* me = open_worker("ult::this_thread::set_name")->self;
  std::free(std::exchange(me->more.name, ::strdup(name)));
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

int error_number() noexcept { return errno; }

void unbind() noexcept {
  const control* me = open_worker("ult::this_thread::unbind")->self;
  if (!is_thread_1(me)) me->who->bound = false;
}

void check_cancelled() { throw_if_cancelled(open_worker("ult::this_thread::check_cancelled")); }

}  // namespace this_thread
}  // namespace ramjet::ult
