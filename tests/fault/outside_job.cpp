// SPDX-License-Identifier: Apache-2.0
// Calls of Ramjet where there is no job, none any more, or none for the process or thread that
// calls, and messages to endpoints that are closed, for contract_test.py.
//
//   outside_job WHAT
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include "ramjet/ramjet.hpp"
#include "ramjet/ult.hpp"

namespace {

constexpr int kFlood = 5000;

int hits = 0;
void on_hit() { ++hits; }
int identity(int x) { return x; }

int right() { return (ramjet::rank() + 1) % ramjet::size(); }
ramjet::global_ptr<int> begin_of_right() {
  return {right(), reinterpret_cast<int*>(ramjet::segment_begin(0))};
}

void tell_end(pid_t child) {
  int ended = 0;
  ::waitpid(child, &ended, 0);
  std::printf("rank %d: its child %s\n", ramjet::rank(),
              WIFSIGNALED(ended) && WTERMSIG(ended) == SIGABRT ? "was aborted" : "lived");
}

// Calls f in a forked child, and goes on when that has ended, which it has to by a line.
template <class F>
void in_child(F&& f) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    f();
    std::_Exit(0);
  }
  tell_end(child);
}

// Calls f(i) for each i below 10; from 5 on in a forked child alone, which has to end by a line.
template <class F>
RAMJET_INLINE void loop_in_child(F&& f) {
  std::fflush(nullptr);
  pid_t child = -1;
  for (int i = 0; i < 10; ++i) {
    if (i == 5) {
      child = ::fork();
      if (child != 0) break;
    }
    f(i);
  }
  if (child == 0) std::_Exit(0);
  tell_end(child);
}

// Calls f in a user-level thread at a worker that has no endpoint.
template <class F>
void at_second_worker(F&& f) {
  ramjet::ult::start({.workers = 2});
  ramjet::ult::spawn({.name = "elsewhere", .worker = 1}, std::forward<F>(f)).join();
}

struct mistake {
  const char* name;
  void (*make)();
};

const mistake kInJob[] = {
    {"init_twice",
     [] {
       std::string message;
       static_cast<void>(ramjet::try_init({}, message));
       std::puts(message.c_str());
     }},
    {"child_sends", [] { in_child([] { ramjet::request<on_hit>(right()); }); }},
    {"child_polls", [] { in_child([] { ramjet::poll(); }); }},
    {"child_waits",
     [] { in_child([] { static_cast<void>(ramjet::wait_until([] { return false; })); }); }},
    {"child_barrier", [] { in_child([] { static_cast<void>(ramjet::barrier()); }); }},
    {"child_rank", [] { in_child([] { std::printf("%d\n", ramjet::rank()); }); }},
    {"child_calls", [] { in_child([] { static_cast<void>(ramjet::call<identity>(0, 1)); }); }},
    {"child_reads",
     [] {
       const ramjet::global_ptr<int> first(0, reinterpret_cast<int*>(ramjet::segment_begin(0)));
       in_child([first] { std::printf("%d\n", ramjet::read(first)); });
     }},
    // Loops that have looked up where the rank's memory is, before the fork and not after it.
    {"child_writes_on",
     [] {
       const ramjet::global_ptr<int> first = begin_of_right();
       loop_in_child([first](int i) { first[i] = i; });
     }},
    {"child_reads_on",
     [] {
       const ramjet::global_ptr<int> first = begin_of_right();
       static_cast<void>(ramjet::read(first));
       int sum = 0;
       loop_in_child([first, &sum](int i) { sum += first[i]; });
       std::printf("the sum is %d\n", sum);  // so that the reads are needed
     }},
    {"child_finalizes", [] { in_child([] { ramjet::finalize(); }); }},
    {"child_opens", [] { in_child([] { const ramjet::endpoint own(1); }); }},
    {"child_exits",
     [] {
       std::fflush(nullptr);
       const pid_t child = ::fork();
       if (child == 0) std::exit(ramjet::initialized() ? 1 : 0);
       int ended = 0;
       ::waitpid(child, &ended, 0);
       std::printf("its child exited with %d\n", WIFEXITED(ended) ? WEXITSTATUS(ended) : -1);
     }},
    {"call_in_a_thread",
     [] { std::thread([] { static_cast<void>(ramjet::call<identity>(0, 1)); }).join(); }},
    {"barrier_in_a_thread", [] { std::thread([] { ramjet::barrier(); }).join(); }},
    {"call_at_second_worker",
     [] { at_second_worker([] { static_cast<void>(ramjet::call<identity>(0, 1)); }); }},
    {"request_at_second_worker", [] { at_second_worker([] { ramjet::request<on_hit>(0); }); }},
    {"poll_at_second_worker", [] { at_second_worker([] { ramjet::poll(); }); }},
    {"barrier_at_second_worker",
     [] { at_second_worker([] { static_cast<void>(ramjet::barrier()); }); }},
    {"finalize_in_a_thread",
     [] {
       std::thread([] {
         const ramjet::endpoint own(1);
         ramjet::finalize();
       }).join();
     }},
    {"closed_endpoint",
     [] {
       std::thread([] { const ramjet::endpoint own(1); }).join();
       static_cast<void>(ramjet::barrier());
       ramjet::request<on_hit>(ramjet::address(right(), 1));
       static_cast<void>(ramjet::quiesce());
     }},
    {"ahead_of_closed_endpoint",  // of a member that has not called, and never will
     [] {
       std::thread([] {
         const ramjet::endpoint own(1);
         static_cast<void>(ramjet::barrier());
         for (int i = 0; ramjet::rank() == 0 && i < 1000; ++i) {
           ramjet::poll();
           ::usleep(100);
         }
         for (int i = 0; ramjet::rank() != 0 && i < 20'000; ++i) {
           int value = 1;
           static_cast<void>(ramjet::reduce(value, std::plus<>{}));
         }
       }).join();
       static_cast<void>(ramjet::barrier());
     }},
    {"try_closed_endpoint",
     [] {
       std::thread([] { const ramjet::endpoint own(1); }).join();
       static_cast<void>(ramjet::barrier());
       static_cast<void>(ramjet::try_request<on_hit>(ramjet::address(right(), 1)));
     }},
    {"chain_to_closed_endpoint",
     [] {
       std::thread([] { const ramjet::endpoint own(1); }).join();
       static_cast<void>(ramjet::barrier());
       static_cast<void>(ramjet::chain<on_hit>(ramjet::address(right(), 1)));
     }},
    // Both sides know each other before: the way between them is open when the endpoint closes.
    {"endpoint_closed_later",
     [] {
       std::atomic<bool> end = false;
       std::atomic<int> seen = 0;
       std::thread served([&] {
         const ramjet::endpoint own(1);
         hits = 0;
         while (hits == 0) ramjet::poll();
         ++seen;
         static_cast<void>(ramjet::wait_until([&] { return end.load(); }));
       });
       ramjet::request<on_hit>(ramjet::address(right(), 1));
       static_cast<void>(ramjet::wait_until([&] { return seen.load() != 0; }));
       static_cast<void>(ramjet::barrier());
       end = true;
       served.join();
       static_cast<void>(ramjet::barrier());
       for (int i = 0; i < 1000; ++i) {
         ramjet::request<on_hit>(ramjet::address(right(), 1));
         static_cast<void>(ramjet::wait_for(5, [] { return false; }));
       }
     }},
    {"open_endpoint_at_the_end",
     [] {
       std::thread([] {
         static const ramjet::endpoint own(1);  // till the process ends
       }).join();
     }},
    // More than there is room for on the way, by one rank.
    {"flood_closed_endpoint",
     [] {
       std::thread([] { const ramjet::endpoint own(1); }).join();
       static_cast<void>(ramjet::barrier());
       if (ramjet::rank() != 0) return;
       for (int i = 0; i < kFlood; ++i) ramjet::request<on_hit>(ramjet::address(1, 1));
     }},
    {"flood_of_chains_to_closed_endpoint",
     [] {
       std::thread([] { const ramjet::endpoint own(1); }).join();
       static_cast<void>(ramjet::barrier());
       if (ramjet::rank() != 0) return;
       for (int i = 0; i < kFlood; ++i)
         static_cast<void>(ramjet::chain<on_hit>(ramjet::address(1, 1)));
     }},
    {"unopened_endpoint", [] { ramjet::request<on_hit>(ramjet::address(right(), 1)); }},
    {"unopened_endpoint_of_a_thread",
     [] {
       std::thread([] {
         const ramjet::endpoint own(1);
         ramjet::request<on_hit>(ramjet::address(right(), 2));
       }).join();
     }},
    {"unopened_endpoints",
     [] {
       for (int r = 0; r < ramjet::size(); ++r)
         if (r != ramjet::rank()) ramjet::request<on_hit>(ramjet::address(r, 1));
     }},
    {"unopened_endpoints_of_a_thread",
     [] {
       std::thread([] {
         const ramjet::endpoint own(1);
         for (int r = 0; r < ramjet::size(); ++r)
           if (r != ramjet::rank()) ramjet::request<on_hit>(ramjet::address(r, 2));
       }).join();
     }},
    // Rank 2 dies: the others leave for that, and nobody opens anything any more.
    {"unopened_endpoint_after_a_death",
     [] {
       if (ramjet::rank() == 0) ramjet::request<on_hit>(ramjet::address(1, 1));
       static_cast<void>(ramjet::wait_for(100, [] { return false; }));
       if (ramjet::rank() == 2) ::raise(SIGKILL);
       while (ramjet::last_failure().rank < 0) ramjet::poll();
     }},
    // The way to it is made, and brings the word that it is closed, before the sender closes.
    {"closed_endpoint_of_a_thread",
     [] {
       std::thread([] { const ramjet::endpoint own(2); }).join();
       static_cast<void>(ramjet::barrier());
       std::thread([] {
         const ramjet::endpoint own(1);
         ramjet::request<on_hit>(ramjet::address(right(), 2));
         static_cast<void>(ramjet::wait_for(500, [] { return false; }));
       }).join();
     }},
};

const mistake kBeforeInit[] = {
    {"rank_before_init", [] { std::printf("%d\n", ramjet::rank()); }},
    {"size_before_init", [] { std::printf("%d\n", ramjet::size()); }},
    {"nodes_before_init", [] { std::printf("%d\n", ramjet::nodes()); }},
    {"node_of_before_init", [] { std::printf("%d\n", ramjet::node_of(0)); }},
};

const mistake kAfterFinalize[] = {
    {"rank_after_finalize", [] { std::printf("%d\n", ramjet::rank()); }},
    {"size_after_finalize", [] { std::printf("%d\n", ramjet::size()); }},
    {"request_after_finalize", [] { ramjet::request<on_hit>(0); }},
    {"poll_after_finalize", [] { ramjet::poll(); }},
    {"barrier_after_finalize", [] { static_cast<void>(ramjet::barrier()); }},
    {"finalize_twice", [] { ramjet::finalize(); }},
    {"endpoint_after_finalize", [] { const ramjet::endpoint own(1); }},
    {"init_after_finalize",
     [] {
       std::string message;
       if (ramjet::try_init({}, message) != ramjet::status::ok) std::puts(message.c_str());
     }},
};

template <std::size_t N>
void make(const mistake (&all)[N], const std::string& name) {
  for (const mistake& m : all)
    if (name == m.name) m.make();
}

}  // namespace

int main(int argc, char** argv) {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const std::string what = argc > 1 ? argv[1] : "";
  make(kBeforeInit, what);
  ramjet::options wanted;
  wanted.endpoints = 3;
  ramjet::init(argc, argv, wanted);
  make(kInJob, what);
  ramjet::finalize();
  make(kAfterFinalize, what);
  return 0;
}
