// SPDX-License-Identifier: Apache-2.0
// Values of which each user-level thread has its own; a thread_local would be the system thread's.
//
//   ult::local<int> depth;      // one object for all threads, of static duration
//   ++*depth;                   // this thread's own, made on first use
#pragma once

#include <memory>
#include <new>

#include "ramjet/ult/detail/worker.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

namespace detail {
unsigned register_local();
// This thread's value of that number; nullptr before set_local.
void* get_local(unsigned number) noexcept;
void set_local(unsigned number, void* value, void (*destroy)(void*));
}  // namespace detail

// Made with T{} when a thread uses it first, destroyed when the thread ends. Tasks see the value of
// the thread that runs them: its destructor may run after their group's wait. Cost: two loads.
template <class T>
class local {
 public:
  local() : number_(detail::register_local()) {}
  local(const local&) = delete;
  local& operator=(const local&) = delete;

  T& get() const {
    if (T* there = find()) [[likely]]
      return *there;
    auto made = std::make_unique<T>();
    detail::set_local(number_, made.get(), [](void* value) { delete static_cast<T*>(value); });
    return *made.release();
  }
  // Null before this thread's first use.
  T* find() const noexcept { return static_cast<T*>(detail::get_local(number_)); }
  T& operator*() const { return get(); }
  T* operator->() const { return &get(); }

 private:
  unsigned number_;
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
