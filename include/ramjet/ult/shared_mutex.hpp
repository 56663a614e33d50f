// SPDX-License-Identifier: Apache-2.0
// A lock for many readers or one writer, between user-level threads: first come, first served, so
// that neither side starves. Not for handlers.
#pragma once

#include "ramjet/ult/detail/wait_queue.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

class shared_mutex {
 public:
  shared_mutex() = default;
  shared_mutex(const shared_mutex&) = delete;
  shared_mutex& operator=(const shared_mutex&) = delete;

  void lock();
  bool try_lock();
  void unlock();
  void lock_shared();
  bool try_lock_shared();
  void unlock_shared();

 private:
  bool enter(bool writing);  // under the guard
  void wait_for(bool writing);
  void leave(bool writing);

  std::uint32_t readers_ = 0;  // inside; guarded, as all here
  const detail::descriptor* writer_ = nullptr;  // of the thread that writes; nullptr: nobody
  detail::wait_queue waiters_;
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
