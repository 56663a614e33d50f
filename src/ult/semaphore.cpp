// SPDX-License-Identifier: Apache-2.0
#include "ramjet/ult/semaphore.hpp"

#include "ult/guard.hpp"

namespace ramjet::ult {

using namespace detail;

// Its unit has been requested already. A release that came in between has left one in `early_`.
bool semaphore::acquire_slow(time_point deadline, cancellation may_cancel, const char* what) {
  blocking_worker(what);
  waiters_.lock();
  if (early_ > 0) {
    --early_;
    waiters_.unlock();
    return true;
  }
  waiter one;
  one.what = what;
  one.object = this;
  one.tag = reinterpret_cast<std::uintptr_t>(this);
  one.give_up = give_up;
  return wait_in(waiters_, one, may_cancel, deadline);
}

// Takes back the request, unless a release is on its way to this waiter: then units_ shows
// no thread without one.
bool semaphore::give_up(waiter& one) {
  auto& units = reinterpret_cast<semaphore*>(one.tag)->units_;
  std::int64_t now = units.load(std::memory_order_relaxed);
  while (now < 0)
    if (units.compare_exchange_weak(now, now + 1, std::memory_order_relaxed)) return true;
  return false;
}

void semaphore::release_slow() {
  waiters_.lock();
  waiter* one = waiters_.pop();
  if (one == nullptr) ++early_;
  waiters_.unlock();
  if (one != nullptr) hand_over(one);
}

}  // namespace ramjet::ult
