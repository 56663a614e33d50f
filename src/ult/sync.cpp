// SPDX-License-Identifier: Apache-2.0
// Condition variables, barriers, latches, read-write locks: a queue, a guard, and a count.
#include "ramjet/ult/barrier.hpp"
#include "ramjet/ult/condition_variable.hpp"
#include "ramjet/ult/shared_mutex.hpp"
#include "ult/guard.hpp"

namespace ramjet::ult {

using namespace detail;

namespace {

waiter waiter_for(const char* what, const void* object) {
  waiter one;
  one.what = what;
  one.object = object;
  return one;
}

// All that wait, taken out at once; linked by `next`.
waiter* take_all(wait_queue& q) {
  waiter* list = nullptr;
  waiter** end = &list;
  while (waiter* one = q.pop()) {
    one->next = nullptr;
    *end = one;
    end = &one->next;
  }
  return list;
}

void hand_over_all(waiter* list) {
  while (list != nullptr) {
    waiter* next = list->next;
    hand_over(list);
    list = next;
  }
}

}  // namespace

// --- condition_variable -------------------------------------------------------------------------

void condition_variable::notify_one() {
  waiters_.lock();
  waiter* one = waiters_.pop();
  waiters_.unlock();
  if (one != nullptr) hand_over(one);
}

void condition_variable::notify_all() {
  waiters_.lock();
  waiter* list = take_all(waiters_);
  waiters_.unlock();
  hand_over_all(list);
}

std::cv_status condition_variable::wait_until(std::unique_lock<mutex>& held, time_point when) {
  RAMJET_CHECK(held.owns_lock(), "condition_variable: the mutex is not held");
  blocking_worker("condition variable");
  waiter one = waiter_for("condition variable", this);
  struct relock {  // however the wait ends
    std::unique_lock<mutex>& held;
    ~relock() {
      held.lock();
      note_acquire(&held.mutex()->word_);
    }
  };
  waiters_.lock();
  note_release(&held.mutex()->word_);
  held.unlock();  // a thread that changes the condition now finds the guard held
  const relock again{held};
  return wait_in(waiters_, one, cancellable, when) ? std::cv_status::no_timeout
                                                   : std::cv_status::timeout;
}

// --- barrier, latch -----------------------------------------------------------------------------

bool barrier::arrive() {
  RAMJET_CHECK(missing_ > 0, "barrier: all of its threads have dropped out");
  return --missing_ == 0;
}

void barrier::complete() {
  missing_ = count_;
  waiter* list = take_all(waiters_);
  waiters_.unlock();
  hand_over_all(list);
}

void barrier::arrive_and_wait() {
  blocking_worker("barrier");
  waiters_.lock();
  if (arrive()) return complete();
  waiter one = waiter_for("barrier", this);
  one.tag = reinterpret_cast<std::uintptr_t>(this);
  one.give_up = [](waiter& who) {  // cancelled: its arrival is taken back
    ++reinterpret_cast<barrier*>(who.tag)->missing_;
    return true;
  };
  wait_in(waiters_, one, cancellable);
}

void barrier::arrive_and_drop() {
  waiters_.lock();
  --count_;
  if (arrive()) return complete();
  waiters_.unlock();
}

void latch::count_down(std::ptrdiff_t by) {
  waiters_.lock();
  RAMJET_CHECK(by >= 0 && by <= left_, "latch: counted down below 0");
  left_ -= by;
  waiter* list = left_ == 0 ? take_all(waiters_) : nullptr;
  waiters_.unlock();
  hand_over_all(list);
}

bool latch::try_wait() noexcept {
  waiters_.lock();
  const bool open = left_ == 0;
  waiters_.unlock();
  if (!open) note_failed_try();
  return open;
}

void latch::wait() {
  blocking_worker("latch");
  waiters_.lock();
  if (left_ == 0) return waiters_.unlock();
  waiter one = waiter_for("latch", this);
  wait_in(waiters_, one, cancellable);
}

// --- shared_mutex -------------------------------------------------------------------------------

bool shared_mutex::enter(bool writing) {
  if (writer_ != nullptr || (writing && readers_ != 0)) return false;
  if (writing)
    writer_ = this_worker()->self->who;
  else
    ++readers_;
  return true;
}

void shared_mutex::wait_for(bool writing) {
  const worker* w = blocking_worker("shared mutex");
  waiters_.lock();
  RAMJET_CHECK(writer_ != w->self->who, "shared_mutex: this thread holds it already");
  if (waiters_.empty() && enter(writing)) return waiters_.unlock();
  waiter one = waiter_for("shared mutex", this);
  one.owner = writer_ != nullptr ? writer_->id : 0;
  one.tag = writing;
  wait_in(waiters_, one);
}

bool shared_mutex::try_lock() {
  waiters_.lock();
  const bool in = waiters_.empty() && enter(true);
  waiters_.unlock();
  if (!in) note_failed_try();
  return in;
}

bool shared_mutex::try_lock_shared() {
  waiters_.lock();
  const bool in = waiters_.empty() && enter(false);
  waiters_.unlock();
  if (!in) note_failed_try();
  return in;
}

// Lets in who comes next: one writer, or the readers up to the next writer.
void shared_mutex::leave(bool writing) {
  waiters_.lock();
  RAMJET_CHECK(writing ? writer_ == this_worker()->self->who : readers_ != 0,
               "shared_mutex: unlock by a thread that does not hold it");
  if (writing)
    writer_ = nullptr;
  else
    --readers_;
  waiter* list = nullptr;
  waiter** end = &list;
  while (waiter* one = waiters_.first()) {
    const bool writes = one->tag != 0;
    if (writer_ != nullptr || (writes && readers_ != 0)) break;
    if (writes)
      writer_ = one->thread->who;
    else
      ++readers_;
    waiters_.remove(*one);
    one->next = nullptr;
    *end = one;
    end = &one->next;
  }
  waiters_.unlock();
  hand_over_all(list);
}

void shared_mutex::lock() { wait_for(true); }
void shared_mutex::unlock() { leave(true); }
void shared_mutex::lock_shared() { wait_for(false); }
void shared_mutex::unlock_shared() { leave(false); }

}  // namespace ramjet::ult
