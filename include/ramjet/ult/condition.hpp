// SPDX-License-Identifier: Apache-2.0
// Conditions that are polled: a thread posts one and yields; the scheduler tests it as it passes
// and lets the thread go on once it holds. (SCALE Suite 1997, section 2, Figures 4 and 5.)
//
//   ult::wait_until(ult::value(turn) == 3);            // a variable and a constant
//   ult::wait_until(ult::value(tail) != ult::value(head));
//   ult::wait_until([&] { return queue.size() > 9; }); // any test; it may not wait or throw
//   switch (ult::wait_any(ult::value(stop) != 0, ult::after(5ms))) ...
//
// Variables may be plain, volatile or std::atomic, of 1, 2, 4 or 8 bytes, in private or in shared
// memory: a store by another thread, another worker, another process or a remote put wakes the
// thread. They are read with acquire order. Variables and tests live until the wait is over. Waits
// here are cancellation points. Not in handlers, nor in tests.
// Cost: about half a ns a pass for a variable, 2 ns for a test; a worker tests at most
// options::tests_per_pass of a kind in a pass while threads are ready. A worker with nothing to do
// tests posted conditions at least every ms; where messages come in, every 100 ms once nothing
// has come for long.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <type_traits>

#include "ramjet/ult/detail/deadline.hpp"
#include "ramjet/ult/detail/wait_list.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

namespace detail {

void throw_if_cancelled(const worker* w);
std::uint64_t ns_of(std::chrono::steady_clock::time_point when) noexcept;
bool has_passed(std::uint64_t when_ns) noexcept;
void post_deadline(worker* w, std::uint64_t when_ns, place* at);
// Posts nothing by itself: blocks for the group whose conditions are posted.
void wait_for_group(worker* w, posted_group& g, cancellation may_cancel);

enum class relation { equal, unequal, less, not_above };

template <relation R, class T>
constexpr bool compare(T a, T b) noexcept {
  if constexpr (R == relation::equal) return a == b;
  if constexpr (R == relation::unequal) return a != b;
  if constexpr (R == relation::less) return a < b;
  return a <= b;
}

template <class T>
RAMJET_INLINE T look_at(const void* variable) noexcept {
  T value;
  // pairs: ult.variable
  __atomic_load(static_cast<const T*>(variable), &value, __ATOMIC_ACQUIRE);
  return value;
}

// What a wait list keeps of a constant.
template <class T>
std::uint64_t as_word(T value) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}
template <class T>
RAMJET_INLINE T from_word(std::uint64_t word) noexcept {
  T value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// variable R constant, or constant R variable where `Swapped`.
template <relation R, class T, bool Swapped>
struct against_constant {
  static constexpr bool kCallsOut = false;
  static RAMJET_INLINE bool holds(const void* a, std::uint64_t b) noexcept {
    const T left = look_at<T>(a), right = from_word<T>(b);
    return Swapped ? compare<R, T>(right, left) : compare<R, T>(left, right);
  }
};
template <relation R, class T>
struct against_variable {
  static constexpr bool kCallsOut = false;
  static RAMJET_INLINE bool holds(const void* a, std::uint64_t b) noexcept {
    return compare<R, T>(look_at<T>(a), look_at<T>(reinterpret_cast<const void*>(b)));
  }
};
struct by_function {
  static constexpr bool kCallsOut = true;
  static RAMJET_INLINE bool holds(const void* a, std::uint64_t b) {
    return reinterpret_cast<bool (*)(void*)>(b)(const_cast<void*>(a));
  }
};

// A condition of kind Test, not yet posted.
template <class Test>
struct comparison {
  const void* a;
  std::uint64_t b;
  bool holds() const { return Test::holds(a, b); }
  void post_at(worker* w, place* at) const { post(w, wait_list_of<Test>, a, b, at); }
};

template <class T>
struct plain {
  using type = std::remove_cv_t<T>;
};
template <class T>
struct plain<std::atomic<T>> {
  using type = T;
};
template <class T>
struct plain<const std::atomic<T>> {
  using type = T;
};
template <class T>
struct plain<volatile std::atomic<T>> {
  using type = T;
};

}  // namespace detail

// A variable, to be compared. The thread that changes it publishes what belongs to the change by a
// store with release order. pairs: ult.variable (release)
template <class T>
struct watched {
  static_assert(std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> ||
                    std::is_floating_point_v<T>,
                "conditions look at numbers, enumerations and pointers");
  static_assert(sizeof(T) <= 8, "conditions look at variables of up to 8 bytes");
  const void* at;
};

template <class T>
watched<typename detail::plain<T>::type> value(T& variable) noexcept {
  static_assert(sizeof(T) == sizeof(typename detail::plain<T>::type));
  return {const_cast<const void*>(static_cast<const volatile void*>(&variable))};
}

namespace detail {
template <class T>
struct no_deduction {
  using type = T;
};
template <class T>
using given = typename no_deduction<T>::type;

template <relation R, class T>
comparison<against_variable<R, T>> of_two(watched<T> a, watched<T> b) noexcept {
  return {a.at, reinterpret_cast<std::uint64_t>(b.at)};
}
template <relation R, bool Swapped, class T>
comparison<against_constant<R, T, Swapped>> of_one(watched<T> a, T b) noexcept {
  return {a.at, as_word(b)};
}
}  // namespace detail

// Two variables, or a variable and a constant.
template <class T>
auto operator==(watched<T> a, watched<T> b) noexcept {
  return detail::of_two<detail::relation::equal>(a, b);
}
template <class T>
auto operator!=(watched<T> a, watched<T> b) noexcept {
  return detail::of_two<detail::relation::unequal>(a, b);
}
template <class T>
auto operator<(watched<T> a, watched<T> b) noexcept {
  return detail::of_two<detail::relation::less>(a, b);
}
template <class T>
auto operator<=(watched<T> a, watched<T> b) noexcept {
  return detail::of_two<detail::relation::not_above>(a, b);
}
template <class T>
auto operator>(watched<T> a, watched<T> b) noexcept {
  return b < a;
}
template <class T>
auto operator>=(watched<T> a, watched<T> b) noexcept {
  return b <= a;
}
template <class T>
auto operator==(watched<T> a, detail::given<T> b) noexcept {
  return detail::of_one<detail::relation::equal, false>(a, b);
}
template <class T>
auto operator!=(watched<T> a, detail::given<T> b) noexcept {
  return detail::of_one<detail::relation::unequal, false>(a, b);
}
template <class T>
auto operator<(watched<T> a, detail::given<T> b) noexcept {
  return detail::of_one<detail::relation::less, false>(a, b);
}
template <class T>
auto operator<=(watched<T> a, detail::given<T> b) noexcept {
  return detail::of_one<detail::relation::not_above, false>(a, b);
}
template <class T>
auto operator>(watched<T> a, detail::given<T> b) noexcept {
  return detail::of_one<detail::relation::less, true>(a, b);
}
template <class T>
auto operator>=(watched<T> a, detail::given<T> b) noexcept {
  return detail::of_one<detail::relation::not_above, true>(a, b);
}

// A point in time, as a condition.
class deadline {
 public:
  explicit deadline(std::chrono::steady_clock::time_point when) noexcept
      : when_ns_(detail::ns_of(when)) {}
  bool holds() const noexcept { return detail::has_passed(when_ns_); }
  void post_at(detail::worker* w, detail::place* at) const {
    detail::post_deadline(w, when_ns_, at);
  }

 private:
  std::uint64_t when_ns_;
};
template <class Rep, class Period>
deadline after(std::chrono::duration<Rep, Period> time) {
  return deadline(detail::time_from_now(time));
}

// A function with its argument, as a condition: true once function(argument) is. It runs on the
// scheduler's stack, between threads; it may not wait.
inline auto test(bool (*function)(void*), void* argument) noexcept {
  return detail::comparison<detail::by_function>{argument,
                                                 reinterpret_cast<std::uint64_t>(function)};
}

template <class C>
concept condition = requires(const C& c, detail::worker* w, detail::place* at) {
  { c.holds() } -> std::convertible_to<bool>;
  c.post_at(w, at);
};

namespace detail {

template <cancellation May, condition... C>
std::size_t wait_for_any(const C&... conditions) {
  constexpr std::uint32_t count = sizeof...(C);
  static_assert(count != 0, "there is nothing to wait for");
  std::uint32_t i = 0;
  if ((... || (conditions.holds() || (++i, false)))) return i;
  std::array<place, count> places;
  posted_group group;
  group.what = "condition";
  group.places = places.data();
  group.count = count;
  worker* w = blocking_worker(group.what);
  const bool wanted = w->self->who->requests.load(std::memory_order_relaxed) != 0;
  if (May == cancellable && wanted) [[unlikely]]
    throw_if_cancelled(w);
  i = 0;
  ((places[i].group = &group, conditions.post_at(w, &places[i]), ++i), ...);
  wait_for_group(w, group, May);
  if constexpr (count > 1) {  // several may hold by now
    i = 0;
    if ((... || (conditions.holds() || (++i, false)))) return i;
  }
  return group.fired;
}

}  // namespace detail

// Waits until one of the conditions holds; returns which, counted from 0, the first if several do.
template <condition... C>
std::size_t wait_any(const C&... conditions) {
  return detail::wait_for_any<detail::cancellable>(conditions...);
}

// Waits until the condition holds.
template <condition C>
void wait_until(const C& c) {
  static_cast<void>(wait_any(c));
}

// Waits until test() is true. It is called from the scheduler's stack, between threads.
template <class Test>
  requires std::is_invocable_r_v<bool, Test&> && (!condition<Test>)
void wait_until(Test&& test_it) {
  using plain = std::remove_reference_t<Test>;
  wait_until(test([](void* t) { return bool((*static_cast<plain*>(t))()); },
                  const_cast<void*>(static_cast<const void*>(std::addressof(test_it)))));
}

}  // namespace ramjet::ult

#pragma GCC visibility pop
