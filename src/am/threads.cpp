// SPDX-License-Identifier: Apache-2.0
// The engine under user-level threads: a wait posts its condition with the scheduler and yields;
// the scheduler's watcher polls, and waits by the engine's policy when no thread is ready. Handlers
// run on the watcher's stack then. (SCALE Suite 1997, section 3, Figure 10.)
#include <algorithm>
#include <chrono>

#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "am/trace.hpp"
#include "base/clock.hpp"
#include "node/wake.hpp"
#include "ramjet/detail/am/engine.hpp"
#include "ramjet/threads.hpp"
#include "ult/network.hpp"

namespace ramjet::detail {

namespace {

using ult::detail::worker;

bool join() {
  if (!current_engine->is_open()) return false;
  current_engine->serve_threads(true);
  return true;
}

unsigned poll_here() {
  const unsigned handled = current_engine->poll();
  current_engine->count_arrivals(handled);
  return handled;
}

void wait_here(worker* by, bool (*found)(worker*), std::uint64_t deadline_ns, bool tests_memory) {
  waiting w{
      .name = kThreadsWait, .any_death = false, .messages_only = !tests_memory, .of_threads = true};
  w.deadline_ns = deadline_ns;
  w.since_ns = current_engine->parts().collectives.in_vain_since_ns;
  static_cast<void>(current_engine->wait_as_rank<true>(w, [by, found] { return found(by); }));
}

void* sleeping_place() { return &current_engine->port(); }
void wake(void* place) { node::wake(*static_cast<port_line*>(place)); }
bool in_handler() { return current_engine->in_handler(); }

void note_switch(std::uint32_t from, std::uint32_t to) {
  trace::recorder* const noted = current_engine->parts().recorder.get();
  if (noted != nullptr) noted->add(trace::kind::thread, trace::kAnyPort, 0, to, from);
}
bool notes_switches() { return current_engine->parts().recorder != nullptr; }

constexpr ult::detail::network kNetwork{join, poll_here,  wait_here,      sleeping_place,
                                        wake, in_handler, notes_switches, note_switch};

// What a waiting thread has the scheduler test.
struct thread_wait {
  engine* by;
  bool (*done)(void*);
  void* argument;
  const waiting* of;
  unsigned failures;
};

// Several threads may wait for room on the same way.
void want_room(const peer& p, int change) {
  std::atomic<std::uint32_t>& wanted = p.in_credit->room_wanted;
  const std::uint32_t threads = wanted.load(std::memory_order_relaxed) + std::uint32_t(change);
  wanted.store(threads, std::memory_order_relaxed);
}

bool has_news(void* p) {
  const auto& t = *static_cast<const thread_wait*>(p);
  return t.done(t.argument) || t.by->failures() != t.failures;
}

}  // namespace

const waiting& first_wait_of_threads(const waiting& none) noexcept {
  const void* const t = ult::detail::find_test_of_first_thread(has_news);
  return t == nullptr ? none : *static_cast<const thread_wait*>(t)->of;
}

void lend_to_threads() noexcept {
  ult::detail::lend_network(&kNetwork);
  ult::detail::join_network();
}

void leave_threads(engine& e) noexcept {
  e.serve_threads(false);
  ult::detail::leave_network();
}

std::uint32_t running_thread() noexcept {
  const ult::detail::control* const c = ult::detail::this_worker()->self;
  return c == nullptr || c->who == nullptr ? 0 : c->who->id;
}

bool is_worker() noexcept { return ult::detail::this_worker()->open; }

engine* message_thread_begins() noexcept {
  ++current_engine->parts().spawned;
  return current_engine;
}
void message_thread_ends(engine* begun_at) noexcept {
  RAMJET_CHECK(current_engine == begun_at,
               "a message's thread ends at the worker where it began: bind it there again");
  report_dropped_token(*begun_at);
  --begun_at->parts().spawned;
}
unsigned long long messages_handled() {
  ult::detail::open_worker("the count of handled messages");  // nobody counts before
  return current_engine->arrivals();
}

unsigned engine::poll_and_yield_slow() {
  if (!is_open()) no_endpoint("poll");
  check_may_poll();
  if (!serves_threads()) return poll_unchecked();
  ult::detail::this_worker()->ticks = 0;  // so that a handler that yields ends the process
  const unsigned handled = poll_unchecked();
  arrivals_ += handled;
  const worker* w = ult::detail::this_worker();
  if (w->self != w->watcher) ult::this_thread::yield();  // else a wait's condition polls
  return handled;
}

// As wait_as_rank, turn by turn: what a death may end is tested every now and then after one.
status engine::wait_as_thread(waiting& w, bool (*done)(void*), void* argument) {
  using namespace std::chrono;
  if (!is_open()) no_endpoint(w.name);
  RAMJET_CHECK(this == current_engine,
               "a wait for messages at another worker than the endpoint's: bind the thread there");
  check_may_poll();
  constexpr auto kLookAgain = milliseconds(10);
  if (w.room_at != nullptr) want_room(*w.room_at, 1);
  const unsigned failures_before = failures_noted_;
  status s = status::ok;
  while (!done(argument)) {
    if (failures_noted_ != 0) {
      if (s = after_failure(w); s != status::ok) break;
      if (w.any_death && failures_noted_ != failures_before) {  // another thread has reported it
        s = status::peer_failed;
        break;
      }
      fail_calls_to_departed();
    }
    const std::uint64_t now = w.deadline_ns != 0 || w.overdue != nullptr ? base::now_ns() : 0;
    if (target_is_gone(w))
      s = status::peer_failed;
    else if (w.deadline_ns != 0 && now >= w.deadline_ns)
      s = status::timed_out;
    if (s != status::ok) break;
    if (w.since_ns == 0) w.since_ns = now;
    call_if_overdue(w, now);
    thread_wait t{this, done, argument, &w, failures_noted_};
    const auto news = ult::test(has_news, &t);
    using ult::detail::uncancellable;
    using ult::detail::wait_for_any;
    const std::uint64_t end_ns = w.overdue != nullptr && w.deadline_ns == 0
                                     ? w.since_ns + w.overdue_after_ns
                                     : w.deadline_ns;
    const steady_clock::time_point until{
        nanoseconds(std::min<std::uint64_t>(end_ns, nanoseconds::max().count()))};
    if (failures_noted_ != 0)
      wait_for_any<uncancellable>(news, ult::after(kLookAgain));
    else if (end_ns != 0)
      wait_for_any<uncancellable>(news, ult::deadline(until));
    else
      wait_for_any<uncancellable>(news);
  }
  if (w.room_at != nullptr) want_room(*w.room_at, -1);
  return s;
}

}  // namespace ramjet::detail
