// SPDX-License-Identifier: Apache-2.0
// Points in time that waits end at.
#pragma once

#include <chrono>
#include <ratio>
#include <type_traits>

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

using time_point = std::chrono::steady_clock::time_point;
inline constexpr time_point kNoDeadline = time_point::max();

// `time` from now, rounded up; kNoDeadline from 146 years on, so that every sum is one that the
// clock's type holds. A time below 0 is none.
template <class Rep, class Period>
time_point time_from_now(std::chrono::duration<Rep, Period> time) {
  using ticks = std::chrono::steady_clock::duration;
  static_assert(std::is_same_v<ticks::period, std::nano>);
  constexpr double kForever = 0x1p62;
  const double wanted = std::chrono::duration<double, ticks::period>(time).count();
  if (!(wanted < kForever)) return kNoDeadline;
  const time_point now = std::chrono::steady_clock::now();
  return wanted <= 0 ? now : now + std::chrono::ceil<ticks>(time);
}

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
