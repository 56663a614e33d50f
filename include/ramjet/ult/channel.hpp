// SPDX-License-Identifier: Apache-2.0
// A bounded queue between user-level threads.
//
//   ult::channel<int> c(16);
//   c.push(5);                             // waits while it is full
//   while (auto v = c.pop()) use(*v);      // waits while it is empty; nothing once it is closed
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/ult/condition_variable.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// Any number of threads push and pop. push and pop are cancellation points.
template <class T>
class channel {
 public:
  // Holds up to `capacity` values, at least 1.
  explicit channel(std::size_t capacity) : capacity_(capacity) {
    RAMJET_CHECK(capacity != 0, "a channel holds at least one value");
  }

  // Waits for room. false: the channel is closed, and the value was not taken.
  bool push(T value) {
    std::unique_lock hold(mutex_);
    room_.wait(hold, [&] { return closed_ || values_.size() < capacity_; });
    return put(std::move(value));
  }
  // false: there was no room, or the channel is closed.
  bool try_push(T value) {
    {
      const std::unique_lock hold(mutex_);
      if (values_.size() < capacity_ && put(std::move(value))) return true;
    }
    detail::note_failed_try();
    return false;
  }
  // Waits for a value; nothing once the channel is closed and empty.
  std::optional<T> pop() {
    std::unique_lock hold(mutex_);
    filled_.wait(hold, [&] { return closed_ || !values_.empty(); });
    return take();
  }
  std::optional<T> try_pop() {
    std::optional<T> value;
    {
      const std::unique_lock hold(mutex_);
      value = take();
    }
    if (!value) detail::note_failed_try();
    return value;
  }
  // No value goes in any more; waiting threads go on.
  void close() {
    const std::unique_lock hold(mutex_);
    closed_ = true;
    room_.notify_all();
    filled_.notify_all();
  }
  std::size_t size() {
    const std::unique_lock hold(mutex_);
    return values_.size();
  }

 private:
  bool put(T&& value) {
    if (closed_) return false;
    values_.push_back(std::move(value));
    filled_.notify_one();
    return true;
  }
  std::optional<T> take() {
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    room_.notify_one();
    return value;
  }

  const std::size_t capacity_;
  bool closed_ = false;
  std::deque<T> values_;
  mutex mutex_;
  condition_variable room_, filled_;
};

}  // namespace ramjet::ult

#pragma GCC visibility pop
