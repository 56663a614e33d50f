// SPDX-License-Identifier: Apache-2.0
// Posted conditions: dense arrays, one for each kind of test, that a worker walks through as it
// passes. (SCALE Suite 1997, section 2: opportunistic polling.) Only the owning worker touches
// them.
#pragma once

#include "ramjet/ult/detail/worker.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult::detail {

struct posted_group;

// One condition of a group: where it stands now.
struct place {
  posted_group* group = nullptr;
  std::uint32_t list = 0;
  std::uint32_t index = 0;
};

// The conditions that one thread waits for, any of them. Lies on its stack.
struct posted_group : blocked_on {
  control* thread = nullptr;
  place* places = nullptr;
  std::uint32_t count = 0;
  std::uint32_t fired = 0;  // index of the one that held
  // Where something else can end the wait as well: false if it has. The wait is timed out if true.
  bool (*claim)(posted_group&) = nullptr;
};

struct posted {
  const void* a;  // what the test reads
  std::uint64_t b;  // and what it compares with
  place* at;
};

struct wait_list {
  posted* entries = nullptr;
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  std::uint32_t cursor = 0;  // where the next pass begins
  bool calls_out = false;  // its tests are the user's functions: only the watcher runs them
};

// Tests at most `most` conditions, from where the last pass ended, and makes the thread of the
// first one that holds ready: the next pass finds the others.
using scan_function = void (*)(worker*, wait_list&, std::uint32_t most);

// Gives a kind of test its number, the same on all workers. Static initialisation.
std::uint32_t register_test(scan_function scan, bool calls_out) noexcept;

void post(worker* w, std::uint32_t list, const void* a, std::uint64_t b, place* at);
// Takes the group's conditions back, all of them.
void unpost(worker* w, posted_group& g) noexcept;
// Condition `index` of the list holds: takes its group back and makes the thread ready.
void fire(worker* w, wait_list& s, std::uint32_t index);

// Test::holds(a, b) says whether the condition holds.
template <class Test>
void scan(worker* w, wait_list& s, std::uint32_t most) {
  std::uint32_t left = most < s.count ? most : s.count;
  while (left != 0) {
    if (s.cursor >= s.count) s.cursor = 0;
    const std::uint32_t run = s.count - s.cursor < left ? s.count - s.cursor : left;
    const posted* at = s.entries + s.cursor;
    const posted* end = at + run;
    while (at != end && !Test::holds(at->a, at->b)) ++at;
    s.cursor = std::uint32_t(at - s.entries);
    if (at != end) return fire(w, s, s.cursor);
    left -= run;
  }
}

template <class Test>
inline const std::uint32_t wait_list_of = register_test(&scan<Test>, Test::kCallsOut);

}  // namespace ramjet::ult::detail

#pragma GCC visibility pop
