// SPDX-License-Identifier: Apache-2.0
// User-level threads: voluntary switches only. (SCALE Suite 1997, section 2.)
//
//   auto t = ult::spawn(count, 17, "words");   // any callable, its arguments moved into it
//   int n = t.join();                          // any number of threads may join
//
// A thread runs until it blocks, yields or ends. Arguments are kept as std::thread keeps them.
// errno, thread_local variables and pthread_self() belong to the system thread. A thread that is
// not bound may continue at another worker after any call that can switch, and compilers keep the
// addresses of errno and of a thread_local variable across the call: a function that used one of
// them before would read, or change, that of the former worker. Two rules avoid this: nothing in
// errno or in a thread_local variable is expected to survive a switch, and after a switch both are
// accessed through this_thread::on_this_worker or this_thread::error_number, below. ult::local
// gives each user-level thread a variable of its own.
// A function that is compiled for more vector registers than its file, by a target attribute, must
// not call what can switch: its vectors and masks would be lost (ult/detail/switch.hpp).
// An exception that leaves a thread is thrown again by join; from a detached thread it ends the
// process. In handlers: spawn, detach, and queries about threads; the rest may wait for another
// worker.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <tuple>
#include <type_traits>

#include "ramjet/ult/detail/blocks.hpp"
#include "ramjet/ult/detail/deadline.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// What a thread may be given beside its callable.
struct attributes {
  const char* name = nullptr;  // for reports; copied
  // 0: as options::stack_bytes says. Below a stack lies a guard, a quarter as large, up to 64 KiB:
  // a thread that touches it ends the process with a report. A frame that is larger may reach over
  // it, into other threads' stacks, unless its file is compiled with -fstack-clash-protection.
  std::size_t stack_bytes = 0;
  int worker = -1;  // bound to this worker, from the start; -1: wherever there is room
};

// Thrown in a thread that was cancelled, where it waits next: in a condition, a semaphore, a
// condition variable, a channel, a barrier, a latch, sleep_for, check_cancelled. Let it pass. Not
// in tasks: those of a thread's groups go on to their end.
struct cancelled {};

namespace detail {

// The result of a thread, or the exception that it ended with. A result that is small and needs no
// destruction stays in the descriptor.
template <class R>
struct result : outcome {
  explicit result(R&& v) : outcome{&destroy}, value(std::move(v)) {}
  static void destroy(outcome* o) noexcept {
    static_cast<result*>(o)->~result();
    release<result>(this_worker(), o);
  }
  R value;
};
template <class T>
constexpr bool fits_inside = sizeof(T) <= kInsideBytes && alignof(T) <= kInsideBytes;
template <class R>
constexpr bool stays_inside = fits_inside<R> && std::is_trivially_destructible_v<R>;
struct failed : outcome {
  explicit failed(std::exception_ptr w) : outcome{&destroy}, what(std::move(w)) {}
  static void destroy(outcome* o) noexcept {
    static_cast<failed*>(o)->~failed();
    release<failed>(this_worker(), o);
  }
  std::exception_ptr what;
};

// A T at `place`; undoes what the caller says where T's constructor throws.
template <class T, class Undo, class... A>
RAMJET_INLINE T* construct(void* place, [[maybe_unused]] const Undo& undo, A&&... a) {
  if constexpr ((std::is_nothrow_constructible_v<std::decay_t<A>, A&&> && ...)) {
    return ::new (place) T(std::forward<A>(a)...);
  } else {
    try {
      return ::new (place) T(std::forward<A>(a)...);
    } catch (...) {
      undo(this_worker());
      throw;
    }
  }
}

// The callable of a thread and its arguments, until it has ended.
template <class F, class... A>
struct job {
  using value = std::invoke_result_t<F, A...>;
  static_assert(!std::is_reference_v<value>, "a thread returns a value, not a reference");
  [[no_unique_address]] F f;
  [[no_unique_address]] std::tuple<A...> arguments;

  template <class G, class... B>
  explicit job(G&& g, B&&... b) : f(std::forward<G>(g)), arguments(std::forward<B>(b)...) {}

  static outcome* run_inside(descriptor* d) {
    struct callable {
      job* it;
      value call() { return std::apply(std::move(it->f), std::move(it->arguments)); }
      ~callable() { it->~job(); }
    };
    if constexpr (std::is_void_v<value>) {
      callable{d->inner<job>()}.call();
      return nullptr;
    } else {
      value v = callable{d->inner<job>()}.call();
      return keep(d, std::move(v));
    }
  }
  static outcome* run_elsewhere(descriptor* d) {
    job here = take(static_cast<job*>(d->inner<chosen>()->job));
    if constexpr (std::is_void_v<value>) {
      std::apply(std::move(here.f), std::move(here.arguments));
      return nullptr;
    } else {
      value v = std::apply(std::move(here.f), std::move(here.arguments));
      return keep(d, std::move(v));
    }
  }
  // Its block is given back, also where a move throws.
  static job take(job* there) {
    struct block {
      job* it;
      ~block() {
        it->~job();
        release<job>(this_worker(), it);
      }
    };
    return std::move(*block{there}.it);
  }
  template <class V>
  static outcome* keep(descriptor* d, V&& v) {
    if constexpr (stays_inside<value>) {
      ::new (d->inside) value(std::forward<V>(v));
      return nullptr;
    } else {
      void* block = allocate<result<value>>(this_worker());
      const auto undo = [block](worker* here) { release<result<value>>(here, block); };
      return construct<result<value>>(block, undo, std::forward<V>(v));
    }
  }
};

// For threads that choose: a name, a stack, a worker.
void choose(descriptor* d, const attributes& wanted);
// Puts a fresh thread where it will be run.
RAMJET_COLD void send_fresh(worker* w, descriptor* d);
void join_unended(descriptor* d);
void detach(descriptor* d);
// With its result, whose destructor is the user's: the thread may go on at another worker then.
RAMJET_INLINE void release_descriptor(worker* w, descriptor* d) noexcept {
  if (d->result != nullptr) [[unlikely]] {
    d->result->drop(d->result);
    w = this_worker();
  }
  d->id = 0;
  give(w->descriptors, d, kDescriptors);
}
[[noreturn]] void throw_failed(const descriptor* d);
void cancel(descriptor* d);

// A descriptor gets its number, and counts.
RAMJET_INLINE void begin_descriptor(worker* w, descriptor* d) noexcept {
  const std::uint64_t word = w->next_identity;
  w->next_identity = (word + w->id_step) & ~(std::uint64_t{kIdMask} + 1);
  set_identity_word(*d, word);
  d->ended.store(0, std::memory_order_relaxed);
  ++w->started;
}

// Puts the callable where it belongs.
template <bool Chooses, class Job, class... A>
RAMJET_INLINE void place_job(worker* w, descriptor* d, A&&... a) {
  if constexpr (!Chooses && fits_inside<Job>) {
    const auto undo = [d](worker* here) { give(here->descriptors, d, kDescriptors); };
    construct<Job>(d->inside, undo, std::forward<A>(a)...);
    d->run = &Job::run_inside;
  } else {
    void* block = allocate<Job>(w);
    const auto undo = [d, block](worker* here) {
      release<Job>(here, block);
      give(here->descriptors, d, kDescriptors);
    };
    construct<Job>(block, undo, std::forward<A>(a)...);
    ::new (d->inside) chosen{block, nullptr, 0};
    d->run = &Job::run_elsewhere;
  }
}

template <bool Chooses, class F, class... A>
RAMJET_INLINE descriptor* spawn(const attributes* wanted, F&& f, A&&... a) {
  using all = job<std::decay_t<F>, std::decay_t<A>...>;
  worker* w = this_worker();
  if (!w->open) [[unlikely]]
    w = open_worker("ult::spawn");
  auto* d = take<descriptor>(w->descriptors, kDescriptors);
  place_job<Chooses, all>(w, d, std::forward<F>(f), std::forward<A>(a)...);
  // A constructor of the user's may have blocked, and gone on at another worker.
  if constexpr (!(is_plain<F> && ... && is_plain<A>)) w = this_worker();
  begin_descriptor(w, d);
  bool bound = false;
  if constexpr (Chooses) {
    choose(d, *wanted);
    bound = d->bound;
  }
  if (bound || would_share(w)) [[unlikely]]
    send_fresh(w, d);
  else
    push(w, item_of(d));
  return d;
}

}  // namespace detail

namespace detail {
struct thread_access;
}

// A thread, held by its one owner. Movable. Destroying it waits for the thread, and drops its
// result.
template <class R = void>
class thread {
 public:
  thread() = default;
  thread(thread&& other) noexcept : who_(std::exchange(other.who_, nullptr)) {}
  thread& operator=(thread&& other) noexcept {
    std::swap(who_, other.who_);
    return *this;
  }
  ~thread() {
    if (who_ != nullptr) drop();
  }

  // Whether it refers to a thread.
  bool joinable() const noexcept { return who_ != nullptr; }
  std::uint32_t id() const noexcept { return who_ == nullptr ? 0 : who_->id; }
  // Whether the thread has ended.
  bool ended() const noexcept {
    if (who_ == nullptr) return false;
    const auto now = who_->ended.load(std::memory_order_acquire);  // pairs: ult.ended
    return now == detail::descriptor::kEnded;
  }

  // Waits for its end; the result, which lives as long as this object. Throws what the thread
  // threw. Any number of threads may join, while the owner keeps the object alive.
  std::conditional_t<std::is_void_v<R>, void, std::add_lvalue_reference_t<const R>> join() const {
    RAMJET_CHECK(who_ != nullptr, "join of no thread");
    if (!ended()) detail::join_unended(who_);
    if (who_->threw) [[unlikely]]
      detail::throw_failed(who_);
    if constexpr (std::is_void_v<R>)
      return;
    else if constexpr (detail::stays_inside<R>)
      return *who_->template inner<R>();
    else
      return static_cast<detail::result<R>*>(who_->result)->value;
  }

  // Nobody will ask for its result any more: it cleans up after itself.
  void detach() {
    RAMJET_CHECK(who_ != nullptr, "detach of no thread");
    detail::detach(std::exchange(who_, nullptr));
  }

  // Asks it to end: where it waits, or will wait next, `cancelled` is thrown in it. Does not wait
  // for that.
  void cancel() const {
    RAMJET_CHECK(who_ != nullptr, "cancel of no thread");
    detail::cancel(who_);
  }

 private:
  template <class F, class... A>
  friend auto spawn(F&& f, A&&... a)
      -> thread<std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>>;
  template <class F, class... A>
  friend auto spawn(const attributes& wanted, F&& f, A&&... a)
      -> thread<std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>>;

  friend struct detail::thread_access;
  explicit thread(detail::descriptor* d) noexcept : who_(d) {}
  void drop() noexcept {
    if (!ended()) detail::join_unended(who_);
    detail::release_descriptor(detail::this_worker(), who_);
  }

  detail::descriptor* who_ = nullptr;
};

namespace detail {
descriptor* attach_self();
struct thread_access {
  static thread<> hold(descriptor* d) noexcept { return thread<>(d); }
};
}  // namespace detail

// Starts a thread that calls f(a...), as std::thread does. It runs when this one blocks or yields,
// or at another worker; a thread that joins it before it has begun may run it on its own stack.
// Cost: create, run and join together take some 10 ns.
template <class F, class... A>
[[nodiscard]] RAMJET_INLINE auto spawn(F&& f, A&&... a)
    -> thread<std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>> {
  return thread<std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>>(
      detail::spawn<false>(nullptr, std::forward<F>(f), std::forward<A>(a)...));
}
template <class F, class... A>
[[nodiscard]] RAMJET_INLINE auto spawn(const attributes& wanted, F&& f, A&&... a)
    -> thread<std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>> {
  return thread<std::invoke_result_t<std::decay_t<F>, std::decay_t<A>...>>(
      detail::spawn<true>(&wanted, std::forward<F>(f), std::forward<A>(a)...));
}

// What a thread can do about itself.
namespace this_thread {

// Lets the other ready threads run. Some ns.
RAMJET_INLINE void yield() { detail::yield(); }

// From 1; never 0. Tasks have the number of the thread that runs them.
RAMJET_INLINE std::uint32_t id() noexcept { return detail::this_worker()->self->id; }
// The worker that runs this thread now. The first use of the library starts it.
RAMJET_INLINE unsigned worker() {
  const detail::worker* w = detail::this_worker();
  if (!w->open) [[unlikely]]
    w = detail::open_worker("ult::this_thread::worker");
  return w->index;
}

// f(), called in a way that no compiler merges with code before or after it. Within f, errno and
// thread_local variables are those of the worker that runs the thread now; their addresses must not
// leave f. f does not switch.
//   if (::open(path, O_RDONLY) < 0) fail(ult::this_thread::on_this_worker([] { return errno; }));
template <class F>
__attribute__((noinline)) auto on_this_worker(F&& f) -> std::invoke_result_t<F> {
  static_assert(!std::is_reference_v<std::invoke_result_t<F>>,
                "a reference to a thread_local variable is wrong after the next switch");
  asm volatile("" ::: "memory");  // else a compiler takes two calls for one
  return std::forward<F>(f)();
}
// errno as the last failed call has set it, for a function that calls what can switch.
int error_number() noexcept;

const char* name() noexcept;  // "" if it has none; valid until it is changed
void set_name(const char* name);

// Moves to the given worker, and stays there until unbind(). May block.
void bind(unsigned worker);
void unbind() noexcept;

// The other way round from thread::detach: this thread, which nobody holds, can be joined again,
// through the handle. Its result cannot be obtained. Not in tasks.
[[nodiscard]] inline thread<> attach() {
  return detail::thread_access::hold(detail::attach_self());
}

// Throws `cancelled` if somebody has cancelled this thread.
void check_cancelled();

void sleep_until(std::chrono::steady_clock::time_point when);
template <class Rep, class Period>
void sleep_for(std::chrono::duration<Rep, Period> time) {
  sleep_until(detail::time_from_now(time));
}

}  // namespace this_thread

}  // namespace ramjet::ult

#pragma GCC visibility pop
