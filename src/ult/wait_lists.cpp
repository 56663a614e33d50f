// SPDX-License-Identifier: Apache-2.0
#include "ult/wait_lists.hpp"

#include <algorithm>
#include <array>

#include "base/clock.hpp"
#include "ramjet/ult/condition.hpp"
#include "ult/parts.hpp"

namespace ramjet::ult::detail {

namespace {

// Filled during static initialisation, whose order is nobody's to choose.
struct registry {
  std::array<scan_function, kTestsMax> scans{};
  std::array<bool, kTestsMax> calls_out{};
  std::uint32_t count = 0;
};
constinit registry tests;

// Deadlines are tested against the time of the pass.
struct passed {
  static bool holds(const void* now, std::uint64_t when) noexcept {
    return *static_cast<const std::uint64_t*>(now) >= when;
  }
};
void scan_deadlines(worker* w, wait_list& s, std::uint32_t most) {
  w->parts->now_ns = base::now_ns();
  scan<passed>(w, s, most);
}

const std::uint32_t kDeadlines = register_test(&scan_deadlines, false);

RAMJET_INLINE void remove(worker* w, wait_list& s, std::uint32_t index) noexcept {
  --w->parts->posted;
  w->parts->posted_calls -= s.calls_out;
  const posted& last = s.entries[--s.count];
  if (index == s.count) return;
  s.entries[index] = last;
  last.at->index = index;
}

}  // namespace

std::uint32_t register_test(scan_function scan, bool calls_out) noexcept {
  RAMJET_CHECK(tests.count < kTestsMax, "a program has at most 256 kinds of conditions");
  tests.scans[tests.count] = scan;
  tests.calls_out[tests.count] = calls_out;
  return tests.count++;
}

void post(worker* w, std::uint32_t index, const void* a, std::uint64_t b, place* at) {
  worker_parts& p = *w->parts;
  wait_list& s = p.wait_lists[index];
  if (s.count == s.capacity) [[unlikely]] {
    s.calls_out = tests.calls_out[index];
    s.capacity = std::max(s.capacity * 2, 64u);
    posted* more = new posted[s.capacity];
    std::copy_n(s.entries, s.count, more);
    delete[] s.entries;
    s.entries = more;
  }
  at->list = index;
  at->index = s.count;
  s.entries[s.count++] = {a, b, at};
  ++p.posted;
  p.posted_calls += s.calls_out;
  const std::int32_t turn = std::int32_t(w->ready_count()) + 1;
  shorten_turn(w, turn);
}

void unpost(worker* w, posted_group& g) noexcept {
  for (std::uint32_t i = 0; i < g.count; ++i)
    remove(w, w->parts->wait_lists[g.places[i].list], g.places[i].index);
  g.count = 0;
}

void fire(worker* w, wait_list& s, std::uint32_t index) {
  place* at = s.entries[index].at;
  posted_group& g = *at->group;
  g.fired = std::uint32_t(at - g.places);
  if (g.count == 1) {
    remove(w, s, index);
    g.count = 0;
  } else {
    unpost(w, g);
  }
  wake by = wake::normal;
  if (g.claim != nullptr) [[unlikely]] {
    if (!g.claim(g)) return;
    by = wake::timed_out;
  }
  g.thread->woken_by = by;  // at home, where its conditions pin it
  push_ready(w, item_of(g.thread));
}

void test_posted(worker* w, std::uint32_t most) {
  worker_parts& p = *w->parts;
  for (std::uint32_t i = 0; i < tests.count; ++i)
    if (p.wait_lists[i].count != 0) tests.scans[i](w, p.wait_lists[i], most);
}

const void* find_test_of_first_thread(bool (*test)(void*)) noexcept {
  const wait_list& s = this_worker()->parts->wait_lists[wait_list_of<by_function>];
  const posted* first = nullptr;
  for (const posted* p = s.entries; p != s.entries + s.count; ++p) {
    if (p->b != reinterpret_cast<std::uint64_t>(test)) continue;
    if (first == nullptr || p->at->group->thread->id < first->at->group->thread->id) first = p;
  }
  return first == nullptr ? nullptr : first->a;
}

void audit_wait_lists(const worker* w) {
  const worker_parts& p = *w->parts;
  std::uint32_t posted_here = 0, calls = 0;
  for (std::uint32_t list = 0; list < tests.count; ++list) {
    const wait_list& s = p.wait_lists[list];
    RAMJET_CHECK(s.count <= s.capacity, "a wait list's entries have room");
    RAMJET_CHECK(s.count == 0 || s.calls_out == tests.calls_out[list],
                 "a wait list knows what its tests are");
    for (std::uint32_t i = 0; i < s.count; ++i) {
      const place* at = s.entries[i].at;
      RAMJET_CHECK(at->list == list && at->index == i, "a posted condition's place points to it");
      const posted_group& g = *at->group;
      RAMJET_CHECK(g.places <= at && at < g.places + g.count,
                   "a posted condition's place is one of its group's");
    }
    posted_here += s.count;
    calls += s.calls_out ? s.count : 0;
  }
  RAMJET_CHECK(posted_here == p.posted && calls == p.posted_calls,
               "the counts of posted conditions are those of the lists");
}

// A deadline is a condition too.
void post_deadline(worker* w, std::uint64_t when_ns, place* at) {
  post(w, kDeadlines, &w->parts->now_ns, when_ns, at);
}

std::uint64_t first_deadline(const worker* w) noexcept {
  const wait_list& s = w->parts->wait_lists[kDeadlines];
  std::uint64_t first = 0;
  for (std::uint32_t i = 0; i < s.count; ++i)
    if (first == 0 || s.entries[i].b < first) first = s.entries[i].b;
  return first;
}

}  // namespace ramjet::ult::detail
