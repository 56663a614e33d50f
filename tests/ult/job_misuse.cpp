// SPDX-License-Identifier: Apache-2.0
// Broken contracts of tasks, futures, and of calls that need an endpoint: job_misuse WHAT. Each
// ends with one line, which job_misuse_test.py reads.
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "ramjet/coroutine.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

namespace ult = ramjet::ult;

int square(int x) { return x * x; }
void on_note(int) {}
void on_block(ramjet::payload) {}
void on_row(ramjet::deposit) {}
void on_job(ramjet::thread_token) {}

// Before init, too: what a call says there is its own.
int next_rank() { return ramjet::initialized() ? (ramjet::rank() + 1) % ramjet::size() : 0; }

// Rank 0 goes on, and what it calls at the next rank has no answer while it does: the others do not
// poll. They live until the job ends, which it does by rank 0's mistake.
void unanswered() {
  while (ramjet::rank() != 0) ::pause();
}

ramjet::task<int> ask(int to) { co_return co_await ramjet::call<square>(to, 3); }
ramjet::future<int> unanswered_call() {
  unanswered();
  return ramjet::call<square>(next_rank(), 5);
}
ramjet::task<std::string> text() { co_return std::string(100, 'x'); }
ramjet::task<int> wait_for(ramjet::task<int>& t) { co_return co_await t; }
ramjet::task<int> wait_for(ramjet::future<int>& f) { co_return co_await std::move(f); }

// Both await what has not ended yet.
void two_await_one_task() {
  unanswered();
  auto t = ask(next_rank());
  auto a = wait_for(t), b = wait_for(t);
  std::printf("b %d\n", b.get());
  std::printf("a %d\n", a.get());
}

void await_at_another_worker() {
  unanswered();
  ult::start({.workers = 2});
  auto t = ask(next_rank());
  ult::spawn({.worker = 1}, [&] { wait_for(t).get(); }).join();
}

template <class F>
void in_a_system_thread(F f) {
  std::thread(f).join();
}
template <class F>
void at_worker_1(F f) {
  ult::start({.workers = 2});
  ult::spawn({.worker = 1}, f).join();
}

// What needs an endpoint.
const std::map<std::string, void (*)()> kCalls = {
    {"request", [] { ramjet::request<on_note>(next_rank(), 1); }},
    {"request_medium", [] { ramjet::request_medium<on_block>(next_rank(), "block", 5); }},
    {"request_long",
     [] {
       auto* to = ramjet::segment_begin(next_rank());
       ramjet::request_long<on_row>(next_rank(), to, "row", 3);
     }},
    {"chain", [] { ramjet::chain<on_note>(next_rank(), 1); }},
    {"chain_medium", [] { ramjet::chain_medium<on_block>(next_rank(), "block", 5); }},
    {"call", [] { static_cast<void>(ramjet::call<square>(next_rank(), 1)); }},
    {"spawn_call", [] { static_cast<void>(ramjet::spawn_call<square>(next_rank(), 1)); }},
    {"spawn_request", [] { ramjet::spawn_request<on_job>(next_rank()); }},
    {"poll", [] { ramjet::poll(); }},
    {"wait_until", [] { static_cast<void>(ramjet::wait_until([] { return false; })); }},
    {"wait_for", [] { static_cast<void>(ramjet::wait_for(1, [] { return false; })); }},
    {"barrier", [] { static_cast<void>(ramjet::barrier()); }},
    {"quiesce", [] { static_cast<void>(ramjet::quiesce()); }},
    {"coroutine", [] { static_cast<void>(ask(next_rank()).get()); }},
};

const std::map<std::string, std::function<void()>> kCases = {
    {"two_await_one_task", two_await_one_task},
    {"await_at_another_worker", await_at_another_worker},
    {"get_twice",
     [] {
       auto t = text();
       t.get();
       t.get();
     }},
    {"get_after_await",
     [] {
       auto t = ask(next_rank());
       wait_for(t).get();
       t.get();
     }},
    {"await_after_get",
     [] {
       auto t = ask(next_rank());
       t.get();
       wait_for(t).get();
     }},
    {"get_of_a_moved_task",
     [] {
       auto t = text();
       const auto u = std::move(t);
       t.get();  // NOLINT(bugprone-use-after-move): that is the mistake, here and below
     }},
    {"ready_of_a_moved_task",
     [] {
       auto t = text();
       const auto u = std::move(t);
       static_cast<void>(t.ready());  // NOLINT(bugprone-use-after-move)
     }},
    {"await_of_a_moved_task",
     [] {
       auto t = ask(next_rank());
       const auto u = std::move(t);
       wait_for(t).get();  // NOLINT(bugprone-use-after-move)
     }},
    {"moved_task_is_not_valid",
     [] {
       auto t = text();
       auto u = std::move(t);
       const bool right = !t.valid() && u.valid();  // NOLINT(bugprone-use-after-move)
       u.get();
       std::printf("%s\n", right && u.valid() ? "done" : "wrong");
     }},
    {"get_of_no_future", [] { ramjet::future<int>().get(); }},
    {"wait_of_no_future", [] { ramjet::future<int>().wait(); }},
    {"ready_of_no_future", [] { static_cast<void>(ramjet::future<int>().ready()); }},
    {"then_of_no_future", [] { ramjet::future<void>().then([](ramjet::status) {}); }},
    {"await_of_no_future",
     [] {
       ramjet::future<int> none;
       wait_for(none).get();
     }},
    {"ended_of_no_future",
     [] {
       const ramjet::future<int> none;
       ult::wait_until(ramjet::ended(none));
     }},
    {"future_in_another_thread",
     [] {
       auto f = unanswered_call();
       in_a_system_thread([&] { f.get(); });
     }},
    {"future_in_another_thread_of_threads",
     [] {
       ult::spawn([] {}).join();
       auto f = unanswered_call();
       in_a_system_thread([&] { f.get(); });
     }},
    {"future_at_worker_1",
     [] {
       auto f = unanswered_call();
       at_worker_1([&] { f.get(); });
     }},
    {"future_at_another_endpoint",
     [] {
       auto f = unanswered_call();
       in_a_system_thread([&] {
         const ramjet::endpoint own(1);
         f.get();
       });
     }},
};

// In a handler that a co-processor runs, or in a system thread that is not a worker.
const std::map<std::string, std::function<void()>> kThreadCalls = {
    {"spawn", [] { ult::spawn([] {}).join(); }},
    {"task_group",
     [] {
       ult::task_group g;
       g.run([] {});
     }},
    {"worker", [] { static_cast<void>(ult::this_thread::worker()); }},
    {"set_name", [] { ult::this_thread::set_name("name"); }},
    {"bind", [] { ult::this_thread::bind(0); }},
    {"sleep_for", [] { ult::this_thread::sleep_for(std::chrono::milliseconds(1)); }},
    {"semaphore", [] { ult::semaphore(0).acquire(); }},
    {"latch", [] { ult::latch(1).wait(); }},
    {"barrier", [] { ult::barrier(2).arrive_and_wait(); }},
    {"shared_mutex", [] { ult::shared_mutex().lock(); }},
};
std::string chosen_call;
void on_misuse() { kThreadCalls.at(chosen_call)(); }

}  // namespace

template <>
inline constexpr bool ramjet::coproc_safe<&on_misuse> = true;

namespace {

// A co-processor is never a worker, not even where no thread has run before.
void misuse_threads(const std::string& where, const std::string& call) {
  chosen_call = call;
  if (where == "coprocessor") {
    ramjet::request<on_misuse>(ramjet::rank());
  } else {
    ult::spawn([] {}).join();
    in_a_system_thread(on_misuse);
  }
  for (;;) ::pause();
}

}  // namespace

// job_misuse WHAT, or job_misuse thread|worker|outside CALL, or job_misuse coprocessor|foreign
// CALL.
int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "coprocessor" || what == "foreign") {
    ramjet::init(count, words);
    misuse_threads(what, words[2]);
  } else if (count == 3) {
    const auto call = kCalls.at(words[2]);
    if (what == "outside") call();
    ramjet::init(count, words, {.endpoints = 2});
    what == "worker" ? at_worker_1(call) : in_a_system_thread(call);
  } else {
    ramjet::init(count, words, {.endpoints = 2});
    kCases.at(what)();
  }
  ramjet::finalize();
}
