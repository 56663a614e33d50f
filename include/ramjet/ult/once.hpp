// SPDX-License-Identifier: Apache-2.0
// Doing something once: the first caller does it, the others wait for it.
#pragma once

#include <mutex>

#include "ramjet/ult/mutex.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

class once_flag {
 public:
  constexpr once_flag() = default;

 private:
  template <class F, class... A>
  friend void call_once(once_flag& flag, F&& f, A&&... a);

  std::atomic<bool> done_{false};
  mutex mutex_;
};

// Calls f(a...) unless that was done through this flag. If f throws, it was not, and the next one
// tries. Cost afterwards: one load.
template <class F, class... A>
void call_once(once_flag& flag, F&& f, A&&... a) {
  if (flag.done_.load(std::memory_order_acquire)) return;  // pairs: ult.once
  const std::lock_guard hold(flag.mutex_);
  if (flag.done_.load(std::memory_order_relaxed)) return;
  std::forward<F>(f)(std::forward<A>(a)...);
  flag.done_.store(true, std::memory_order_release);  // pairs: ult.once
}

}  // namespace ramjet::ult

#pragma GCC visibility pop
