// SPDX-License-Identifier: Apache-2.0
// User-level threads for C: each function is one call of its C++ form.
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <mutex>
#include <new>

#include "ramjet/ramjet_ult.h"
#include "ramjet/ult.hpp"

namespace ult = ramjet::ult;
namespace self = ramjet::ult::this_thread;

namespace {

using words = std::array<std::uint64_t, RAMJET_ULT_WORDS_MAX>;

std::uint64_t run(ramjet_ult_function f, const words& w) { return f(w.data()); }

ult::detail::time_point when(std::uint64_t timeout_ns) {
  return ult::detail::time_from_now(std::chrono::duration<std::uint64_t, std::nano>(timeout_ns));
}

ramjet_status status_of(bool in_time) { return in_time ? RAMJET_OK : RAMJET_TIMED_OUT; }

template <class C>
ramjet_status wait_with(const C& condition, std::uint64_t timeout_ns) {
  if (timeout_ns == RAMJET_ULT_FOREVER) {
    ult::wait_until(condition);
    return RAMJET_OK;
  }
  return status_of(ult::wait_any(condition, ult::deadline(when(timeout_ns))) == 0);
}

template <class T>
auto value_at(const volatile T* variable) {
  RAMJET_CHECK(variable != nullptr, "ramjet_ult_wait: the variable is null");
  return ult::value(*variable);
}

template <class A, class B>
ramjet_status wait_related(A a, ramjet_ult_relation relation, B b, std::uint64_t timeout_ns) {
  switch (relation) {
    case RAMJET_ULT_EQUAL:
      return wait_with(a == b, timeout_ns);
    case RAMJET_ULT_UNEQUAL:
      return wait_with(a != b, timeout_ns);
    case RAMJET_ULT_LESS:
      return wait_with(a < b, timeout_ns);
    case RAMJET_ULT_NOT_ABOVE:
      return wait_with(a <= b, timeout_ns);
    case RAMJET_ULT_ABOVE:
      return wait_with(a > b, timeout_ns);
    case RAMJET_ULT_NOT_BELOW:
      return wait_with(a >= b, timeout_ns);
  }
  RAMJET_CHECK(false, "ramjet_ult_wait: no such relation");
  __builtin_unreachable();
}

// As the C++ attribute, where numbers below 0 mean any worker; one that is too large for it is
// refused like any other that there is not.
int worker_attribute(unsigned worker) {
  return int(std::min(worker, unsigned(std::numeric_limits<int>::max())));
}

constexpr const char* kNoObject = "a mutex, semaphore, condition, barrier or lock is null";

// The C++ object behind a C one.
template <class T, class C>
T& behind(C* object) {
  static_assert(sizeof(T) <= sizeof(C) && alignof(T) <= alignof(C));
  RAMJET_CHECK(object != nullptr, kNoObject);
  return *std::launder(reinterpret_cast<T*>(object));
}
template <class T, class C, class... A>
void make(C* object, A&&... arguments) {
  static_assert(sizeof(T) <= sizeof(C) && alignof(T) <= alignof(C));
  RAMJET_CHECK(object != nullptr, kNoObject);
  ::new (static_cast<void*>(object)) T(std::forward<A>(arguments)...);
}

ult::mutex& of(ramjet_ult_mutex* m) { return behind<ult::mutex>(m); }
ult::unowned_mutex& of(ramjet_ult_unowned_mutex* m) { return behind<ult::unowned_mutex>(m); }
ult::semaphore& of(ramjet_ult_semaphore* s) { return behind<ult::semaphore>(s); }
ult::condition_variable& of(ramjet_ult_cond* c) { return behind<ult::condition_variable>(c); }
ult::barrier& of(ramjet_ult_barrier* b) { return behind<ult::barrier>(b); }
ult::shared_mutex& of(ramjet_ult_rwlock* l) { return behind<ult::shared_mutex>(l); }

}  // namespace

struct ramjet_ult_thread {
  ult::thread<std::uint64_t> thread;  // or, of a thread that was attached again:
  ult::thread<> attached;
};

// --- Workers ------------------------------------------------------------------------------------

void ramjet_ult_start(const ramjet_ult_options* wanted) {
  ult::options o;
  if (wanted != nullptr) {
    o.workers = wanted->all_processors != 0 ? 0 : std::max(wanted->workers, 1u);
    o.bind = wanted->bind != 0;
    if (wanted->stack_bytes != 0) o.stack_bytes = wanted->stack_bytes;
    if (wanted->tests_per_pass != 0) o.tests_per_pass = wanted->tests_per_pass;
    o.shuffle_seed = wanted->shuffle_seed;
  }
  ult::start(o);
}
void ramjet_ult_stop(void) { ult::stop(); }
unsigned ramjet_ult_workers(void) { return ult::workers(); }

// --- Threads ------------------------------------------------------------------------------------

ramjet_ult_thread* ramjet_ult_spawn(const ramjet_ult_attributes* with, ramjet_ult_function function,
                                    const uint64_t* given, unsigned count) {
  RAMJET_CHECK(function != nullptr, "ramjet_ult_spawn: no function");
  RAMJET_CHECK(count <= RAMJET_ULT_WORDS_MAX, "ramjet_ult_spawn: at most 16 words");
  RAMJET_CHECK(count == 0 || given != nullptr,
               "ramjet_ult_spawn: the words are null, and their count is not 0");
  words w{};
  std::copy_n(given, count, w.begin());
  ult::attributes a;
  if (with != nullptr) {
    a.name = with->name;
    a.stack_bytes = with->stack_bytes;
    if (with->bound != 0) a.worker = worker_attribute(with->worker);
  }
  return new ramjet_ult_thread{ult::spawn(a, run, function, w), {}};
}

uint64_t ramjet_ult_join(ramjet_ult_thread* thread, int* cancelled) {
  RAMJET_CHECK(thread != nullptr, "join of no thread");
  if (cancelled != nullptr) *cancelled = 0;
  try {
    if (thread->thread.joinable()) return thread->thread.join();
    thread->attached.join();
    return 0;
  } catch (const ult::cancelled&) {
    if (cancelled != nullptr) *cancelled = 1;
    return 0;
  }
}
void ramjet_ult_free(ramjet_ult_thread* thread) { delete thread; }
void ramjet_ult_detach(ramjet_ult_thread* thread) {
  RAMJET_CHECK(thread != nullptr, "detach of no thread");
  if (thread->thread.joinable())
    thread->thread.detach();
  else
    thread->attached.detach();
  delete thread;
}
ramjet_ult_thread* ramjet_ult_attach(void) { return new ramjet_ult_thread{{}, self::attach()}; }
void ramjet_ult_cancel(ramjet_ult_thread* thread) {
  RAMJET_CHECK(thread != nullptr, "cancel of no thread");
  thread->thread.joinable() ? thread->thread.cancel() : thread->attached.cancel();
}

void ramjet_ult_yield(void) { self::yield(); }
uint32_t ramjet_ult_self(void) { return self::id(); }
unsigned ramjet_ult_worker(void) { return self::worker(); }
const char* ramjet_ult_name(void) { return self::name(); }
void ramjet_ult_set_name(const char* name) { self::set_name(name); }
void ramjet_ult_bind(unsigned worker) { self::bind(worker); }
void ramjet_ult_unbind(void) { self::unbind(); }
void ramjet_ult_sleep(uint64_t nanoseconds) { self::sleep_until(when(nanoseconds)); }
void ramjet_ult_check_cancelled(void) { self::check_cancelled(); }

// --- Conditions ---------------------------------------------------------------------------------

ramjet_status ramjet_ult_wait_32(const volatile int32_t* variable, ramjet_ult_relation relation,
                                 int32_t constant, uint64_t timeout_ns) {
  return wait_related(value_at(variable), relation, constant, timeout_ns);
}
ramjet_status ramjet_ult_wait_64(const volatile int64_t* variable, ramjet_ult_relation relation,
                                 int64_t constant, uint64_t timeout_ns) {
  return wait_related(value_at(variable), relation, constant, timeout_ns);
}
ramjet_status ramjet_ult_wait_pair_32(const volatile int32_t* a, ramjet_ult_relation relation,
                                      const volatile int32_t* b, uint64_t timeout_ns) {
  return wait_related(value_at(a), relation, value_at(b), timeout_ns);
}
ramjet_status ramjet_ult_wait_pair_64(const volatile int64_t* a, ramjet_ult_relation relation,
                                      const volatile int64_t* b, uint64_t timeout_ns) {
  return wait_related(value_at(a), relation, value_at(b), timeout_ns);
}
ramjet_status ramjet_ult_wait_test(int (*test)(void*), void* argument, uint64_t timeout_ns) {
  RAMJET_CHECK(test != nullptr, "ramjet_ult_wait_test: the test is null");
  struct c_test {
    int (*run)(void*);
    void* argument;
  } posted{test, argument};
  const auto run = [](void* p) {
    const auto& t = *static_cast<c_test*>(p);
    return t.run(t.argument) != 0;
  };
  return wait_with(ult::test(run, &posted), timeout_ns);
}

// --- Locks and signals --------------------------------------------------------------------------

void ramjet_ult_mutex_init(ramjet_ult_mutex* m) { make<ult::mutex>(m); }
void ramjet_ult_mutex_lock(ramjet_ult_mutex* m) { of(m).lock(); }
ramjet_status ramjet_ult_mutex_try(ramjet_ult_mutex* m) {
  return of(m).try_lock() ? RAMJET_OK : RAMJET_RETRY;
}
ramjet_status ramjet_ult_mutex_lock_for(ramjet_ult_mutex* m, uint64_t timeout_ns) {
  return status_of(of(m).try_lock_until(when(timeout_ns)));
}
void ramjet_ult_mutex_unlock(ramjet_ult_mutex* m) { of(m).unlock(); }

void ramjet_ult_unowned_mutex_init(ramjet_ult_unowned_mutex* m) { make<ult::unowned_mutex>(m); }
void ramjet_ult_unowned_mutex_lock(ramjet_ult_unowned_mutex* m) { of(m).lock(); }
ramjet_status ramjet_ult_unowned_mutex_try(ramjet_ult_unowned_mutex* m) {
  return of(m).try_lock() ? RAMJET_OK : RAMJET_RETRY;
}
ramjet_status ramjet_ult_unowned_mutex_lock_for(ramjet_ult_unowned_mutex* m, uint64_t timeout_ns) {
  return status_of(of(m).try_lock_until(when(timeout_ns)));
}
void ramjet_ult_unowned_mutex_unlock(ramjet_ult_unowned_mutex* m) { of(m).unlock(); }

void ramjet_ult_semaphore_init(ramjet_ult_semaphore* s, int64_t units) {
  make<ult::semaphore>(s, units);
}
void ramjet_ult_semaphore_wait(ramjet_ult_semaphore* s) { of(s).acquire(); }
ramjet_status ramjet_ult_semaphore_try(ramjet_ult_semaphore* s) {
  return of(s).try_acquire() ? RAMJET_OK : RAMJET_RETRY;
}
ramjet_status ramjet_ult_semaphore_wait_for(ramjet_ult_semaphore* s, uint64_t timeout_ns) {
  return status_of(of(s).try_acquire_until(when(timeout_ns)));
}
void ramjet_ult_semaphore_post(ramjet_ult_semaphore* s) { of(s).release(); }

void ramjet_ult_cond_init(ramjet_ult_cond* c) { make<ult::condition_variable>(c); }
void ramjet_ult_cond_wait(ramjet_ult_cond* c, ramjet_ult_mutex* held) {
  [[maybe_unused]] const ramjet_status s = ramjet_ult_cond_wait_for(c, held, RAMJET_ULT_FOREVER);
}
ramjet_status ramjet_ult_cond_wait_for(ramjet_ult_cond* c, ramjet_ult_mutex* held,
                                       uint64_t timeout_ns) {
  std::unique_lock<ult::mutex> lock(of(held), std::adopt_lock);
  const std::cv_status how = of(c).wait_until(lock, when(timeout_ns));  // cancelled: unlocks
  lock.release();  // the caller does
  return status_of(how == std::cv_status::no_timeout);
}
void ramjet_ult_cond_signal(ramjet_ult_cond* c) { of(c).notify_one(); }
void ramjet_ult_cond_broadcast(ramjet_ult_cond* c) { of(c).notify_all(); }

void ramjet_ult_barrier_init(ramjet_ult_barrier* b, unsigned count) {
  make<ult::barrier>(b, std::ptrdiff_t(count));
}
void ramjet_ult_barrier_wait(ramjet_ult_barrier* b) { of(b).arrive_and_wait(); }

void ramjet_ult_rwlock_init(ramjet_ult_rwlock* l) { make<ult::shared_mutex>(l); }
void ramjet_ult_rwlock_read(ramjet_ult_rwlock* l) { of(l).lock_shared(); }
void ramjet_ult_rwlock_write(ramjet_ult_rwlock* l) { of(l).lock(); }
void ramjet_ult_rwlock_end_read(ramjet_ult_rwlock* l) { of(l).unlock_shared(); }
void ramjet_ult_rwlock_end_write(ramjet_ult_rwlock* l) { of(l).unlock(); }

// --- The rest -----------------------------------------------------------------------------------

void ramjet_ult_parallel_for(size_t from, size_t to, size_t grain, void (*f)(size_t, void*),
                             void* context) {
  RAMJET_CHECK(f != nullptr, "ramjet_ult_parallel_for: no function");
  ult::parallel_for(from, to, [=](std::size_t i) { f(i, context); }, grain);
}

void ramjet_ult_dump(int file) { ult::dump(file); }
