// SPDX-License-Identifier: Apache-2.0
// co_await on futures, for those who prefer stackless code.
//
//   ramjet::task<int> sum(int peer) {
//     int a = co_await ramjet::call<left>(peer);
//     int b = co_await ramjet::call<right>(peer);
//     co_return a + b;
//   }
//   int s = sum(1).get();     // in a user-level thread, or the main program
//
// A coroutine goes on in a user-level thread of its own when what it awaits is there: it may send
// and wait like any other. It stays at the worker where it was started, and so does the one that
// awaits its task.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "ramjet/threads.hpp"
#include "ramjet/ult/semaphore.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {

inline void resume_in_thread(std::coroutine_handle<> h) {
  const ult::attributes here{.worker = int(ult::this_thread::worker())};
  ult::spawn(here, [h] { h.resume(); }).detach();
}

// The number of this system thread's worker; 0, as it will be, where none has been started.
inline unsigned worker_here() noexcept {
  const ult::detail::worker* w = ult::detail::this_worker();
  return w->open ? w->index : 0;
}

template <class R>
struct future_awaiter {
  future<R> awaited;
  bool await_ready() const { return awaited.ready(); }
  void await_suspend(std::coroutine_handle<> h) {
    call_access::when_done(awaited, [h] { resume_in_thread(h); });
  }
  R await_resume() { return awaited.get(); }
};

// What task<R> and its promise share: how it ended.
template <class R>
struct task_result {
  std::optional<R> value;
  void return_value(R v) { value.emplace(std::move(v)); }
  R take() { return std::move(*value); }
};
template <>
struct task_result<void> {
  void return_void() noexcept {}
  void take() noexcept {}
};

}  // namespace detail

// Throws ramjet::failure in the coroutine if the call failed.
template <class R>
detail::future_awaiter<R> operator co_await(future<R>&& f) {
  return {std::move(f)};
}

// A coroutine that returns R. It runs as far as it gets when it is called. Wait for it by get(), or
// by co_await in another one; an exception comes out there. Its result is taken once, and one
// coroutine awaits it. Destroying a task waits for its end. Movable; using one that was moved from,
// other than by valid(), ends the process, and so does breaking the other rules here.
template <class R = void>
class [[nodiscard]] task {
 public:
  struct promise_type : detail::task_result<R> {
    std::exception_ptr failure;
    std::coroutine_handle<> follower;  // who awaits it
    bool finished = false;
    bool taken = false;  // its result
    const unsigned started_at = detail::worker_here();
    ult::semaphore over{0};

    task get_return_object() {
      return task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct last {
        bool await_ready() const noexcept { return false; }
        std::coroutine_handle<> await_suspend(
            std::coroutine_handle<promise_type> h) const noexcept {
          promise_type& p = h.promise();
          const std::coroutine_handle<> next = p.follower ? p.follower : std::noop_coroutine();
          p.finished = true;
          p.over.release();  // the frame may be gone from here on
          return next;
        }
        void await_resume() const noexcept {}
      };
      return last{};
    }
    void unhandled_exception() { failure = std::current_exception(); }
  };

  task(task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task& operator=(task&&) = delete;
  ~task() {
    if (!coroutine_) return;
    promise().over.acquire_uncancellable();
    coroutine_.destroy();
  }

  // Whether it refers to a coroutine.
  bool valid() const noexcept { return bool(coroutine_); }
  // Whether the coroutine has ended.
  bool ready() const { return promise().finished; }
  // Waits for its end; the result, or what it threw. Once.
  R get() {
    check_taken_once();
    wait();
    return result();
  }

  bool await_ready() const {
    check_taken_once();
    return ready();
  }
  void await_suspend(std::coroutine_handle<> h) {
    promise_type& p = promise();
    RAMJET_CHECK(!p.follower, "one coroutine awaits a task: another one awaits this one already");
    RAMJET_CHECK(p.started_at == detail::worker_here(),
                 "a task is awaited at the worker where it was started");
    p.follower = h;
  }
  R await_resume() { return result(); }

 private:
  explicit task(std::coroutine_handle<promise_type> c) : coroutine_(c) {}
  promise_type& promise() const {
    RAMJET_CHECK(valid(), "this task refers to no coroutine: it was moved from");
    return coroutine_.promise();
  }
  void check_taken_once() const {
    RAMJET_CHECK(!promise().taken, "the result of a task is taken once: it was taken already");
  }
  void wait() {
    ult::semaphore& over = promise().over;
    over.acquire();
    over.release();
  }
  R result() {
    promise_type& p = promise();
    check_taken_once();
    p.taken = true;
    if (p.failure) std::rethrow_exception(p.failure);
    return p.take();
  }

  std::coroutine_handle<promise_type> coroutine_;
};

}  // namespace ramjet

#pragma GCC visibility pop
