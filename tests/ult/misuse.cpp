// SPDX-License-Identifier: Apache-2.0
// Programs that end badly, or that are looked at from outside: misuse NAME. misuse_test.py runs
// them and reads what they say.
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "ramjet/ramjet_ult.h"
#include "ramjet/ult.hpp"

namespace {

namespace ult = ramjet::ult;
using namespace std::chrono_literals;

bool claims_many = false, claims_large_pages = false;

}  // namespace

// Goes before the one of the C library: the mask of a machine of 300 processors, if it is wanted.
extern "C" int sched_getaffinity(pid_t who, std::size_t bytes, cpu_set_t* set) noexcept {
  std::memset(set, 0, bytes);
  if (!claims_many) return ::syscall(SYS_sched_getaffinity, who, bytes, set) < 0 ? -1 : 0;
  for (std::size_t cpu = 0; cpu < 300; ++cpu) CPU_SET_S(cpu, bytes, set);
  return 0;
}

// The sanitizers' libraries call it before they are set up.
extern "C" __attribute__((no_sanitize("address", "thread"))) int getpagesize() noexcept {
  return claims_large_pages ? 65536 : int(::sysconf(_SC_PAGESIZE));
}

namespace {

std::uint64_t first_word(const std::uint64_t* words) { return words[0]; }

void start_in_a_test() {
  ult::wait_until([tested = false]() mutable {
    if (std::exchange(tested, true)) ult::start({.workers = 2});  // the first is by the thread
    return false;
  });
}

void start_on_many_processors() {
  claims_many = true;
  std::printf("%u workers\n", ult::workers(0));
}

// The processors of each worker, as many workers as there are for or as are wanted.
void show_processors(unsigned wanted) {
  ult::start({.workers = wanted});
  for (unsigned i = 0; i < ult::workers(); ++i)
    ult::spawn({.worker = int(i)}, [i] {
      cpu_set_t set;
      sched_getaffinity(0, sizeof set, &set);
      std::printf("%u:", i);
      for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set)) std::printf(" %zu", cpu);
      std::printf("\n");
    }).join();
}

// The program narrows itself to the first of its processors, after a start that has looked at them.
void show_own_mask() {
  ult::start();
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  std::size_t first = 0;
  while (!CPU_ISSET(first, &set)) ++first;
  CPU_ZERO(&set);
  CPU_SET(first, &set);
  sched_setaffinity(0, sizeof set, &set);
  show_processors(2);
}

void show_bound_before() {
  ult::start({.bind = true});
  show_processors(2);
}

// Two threads take two mutexes in opposite orders, at the given number of workers.
void lock_crosswise(unsigned workers) {
  ult::start({.workers = workers});
  static ult::mutex first, second;
  static ult::barrier both(2);
  std::printf("first %p second %p\n", static_cast<void*>(&first), static_cast<void*>(&second));
  const auto cross = [](ult::mutex& mine, ult::mutex& other) {
    const std::lock_guard hold(mine);
    both.arrive_and_wait();
    const std::lock_guard wait(other);
  };
  auto a = ult::spawn({.name = "alice"}, cross, std::ref(first), std::ref(second));
  auto b = ult::spawn({.name = "bob"}, cross, std::ref(second), std::ref(first));
  std::printf("alice %u bob %u\n", a.id(), b.id());
  std::fflush(stdout);
  a.join();
}

[[gnu::noinline]] int descend(int depth) {
  volatile char room[512];
  room[0] = char(depth);
  return depth == 1'000'000'000 ? 0 : descend(depth + 1) + room[0];
}

// Frames of which only both ends are used.
[[gnu::noinline]] int descend_in_steps(int depth) {
  volatile char room[20'000];
  room[0] = char(depth);
  return depth == 1'000'000'000 ? 0 : descend_in_steps(depth + 1) + room[0];
}

// A frame that reaches beyond the guards of several other stacks, used from below.
[[gnu::noinline]] int leap(int depth) {
  volatile char room[900'000];
  for (std::size_t i = 0; i < sizeof room; ++i) room[i] = char(depth);
  return room[0];
}

// Says that it is ready and shows itself to whoever sends SIGUSR1.
void be_looked_at() {
  ult::start({.workers = 2});
  ult::mutex held;
  ult::semaphore none(0);
  int never = 0;
  held.lock();
  auto locks = ult::spawn({.name = "locker"}, [&] { held.lock(); });
  auto takes = ult::spawn({.name = "taker"}, [&] { none.acquire(); });
  auto polls = ult::spawn({.name = "poller"}, [&] { ult::wait_until(ult::value(never) == 1); });
  auto joins = ult::spawn({.name = "joiner"}, [&] { takes.join(); });
  ult::this_thread::sleep_for(50ms);
  std::printf("ready\n");
  std::fflush(stdout);
  ult::this_thread::sleep_for(1h);
}

// Is looked at all the time while threads begin and end at two workers.
void be_looked_at_while_threads_end() {
  ult::start({.workers = 2});
  const int quiet = dup(STDERR_FILENO);
  std::freopen("/dev/null", "w", stderr);
  const pthread_t first = pthread_self();
  std::atomic<bool> done{false};
  std::thread looks([&] {
    while (!done) {
      pthread_kill(first, SIGUSR1);
      std::this_thread::sleep_for(5us);
    }
  });
  auto busy = ult::spawn({.worker = 1}, [&] {
    while (!done)
      for (int i = 0; i < 100; ++i) {
        auto t = ult::spawn({.name = "short", .worker = 1}, [] {
          std::array<std::uintptr_t, 28> no_thread;
          no_thread.fill(~std::uintptr_t{0});
          return no_thread;
        });
        t.join();
      }
  });
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < 1s) ult::this_thread::yield();
  done = true;
  looks.join();
  busy.join();
  dup2(quiet, STDERR_FILENO);
  std::printf("done\n");
}

void wait_in_a_test() {
  ult::semaphore none(0);
  int asked = 0;
  ult::wait_until([&] {
    if (++asked > 1) none.acquire();
    return false;
  });
}

void lock_before_the_first_thread() {
  ult::mutex m;
  ult::recursive_mutex r;
  r.lock();
  m.lock();
  auto t = ult::spawn([&] {
    if (m.try_lock() || r.try_lock()) std::abort();
    const std::lock_guard hold(m);
  });
  ult::this_thread::yield();
  m.unlock();
  t.join();
  r.unlock();
  std::printf("done\n");
}

// --- SIGSEGV, sent or by a fault, after threads have run -----------------------------------------

std::sig_atomic_t volatile seen = 0;
sigjmp_buf back;

void use_threads() {
  ult::spawn([] {}).join();
}

void take_segv(void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction taken{};
  taken.sa_sigaction = handler;
  taken.sa_flags = SA_SIGINFO | flags;
  sigaction(SIGSEGV, &taken, nullptr);
}

void send_segv() {
  kill(getpid(), SIGSEGV);
  std::printf("survived\n");
  std::fflush(stdout);
}

// The program's own handler sees each signal as it was sent.
void send_segv_to_a_handler() {
  take_segv([](int, siginfo_t* info, void*) { seen = seen + (info->si_pid == getpid()); }, 0);
  use_threads();
  for (int i = 0; i < 3; ++i) kill(getpid(), SIGSEGV);
  std::printf("%d seen\n", int(seen));
}

// Read where it is used: a compiler leaves out calls that only store to an address known as null.
int* volatile nowhere = nullptr;

// The fault is meant: a sanitizer would tell it first.
__attribute__((no_sanitize("undefined"))) void store_to_nothing() { *nowhere = 1; }

// The program's own handler leaves the fault by a jump, again and again, in a thread.
void recover_from_faults() {
  take_segv([](int, siginfo_t*, void*) { siglongjmp(back, 1); }, 0);
  use_threads();
  auto faults = ult::spawn([] {
    while (seen < 3)
      if (sigsetjmp(back, 1) == 0)
        store_to_nothing();
      else
        seen = seen + 1;
  });
  faults.join();
  std::printf("%d recovered\n", int(seen));
}

void overflow_with_a_handler() {
  take_segv([](int, siginfo_t*, void*) { _exit(7); }, SA_ONSTACK);
  ult::spawn({.name = "deep", .stack_bytes = 128 * 1024}, descend, 0).join();
}

const std::map<std::string, std::function<void()>> kCases = {
    {"deadlock", [] { lock_crosswise(1); }},
    {"deadlock_of_workers", [] { lock_crosswise(3); }},
    {"deadlock_after_stop",
     [] {
       ult::workers(2);
       ult::stop();
       ult::semaphore(0).acquire();
     }},
    {"self_deadlock",
     [] {
       ult::semaphore none(0);
       none.acquire();
     }},
    {"deadlock_on_a_lent_stack",
     [] {
       ult::semaphore none(0);
       ult::spawn({.name = "below"}, [&] {
         ult::spawn({.name = "above"}, [&] { none.acquire(); }).join();
       }).join();
     }},
    {"deadlock_with_a_lender",
     [] {
       ult::mutex held;
       ult::spawn({.name = "below"}, [&] {
         held.lock();
         ult::spawn({.name = "above"}, [&] { held.lock(); }).join();
       }).join();
     }},
    {"no_deadlock",
     [] {
       ult::semaphore s(0);
       auto t = ult::spawn([&] {
         ult::this_thread::sleep_for(2s);
         s.release();
       });
       s.acquire();
       std::printf("done\n");
     }},
    {"overflow",
     [] { ult::spawn({.name = "deep", .stack_bytes = 128 * 1024}, descend, 0).join(); }},
    {"overflow_at_worker_1",
     [] {
       ult::start({.workers = 2});
       ult::spawn({.name = "far", .worker = 1}, descend, 0).join();
     }},
    {"overflow_in_steps",
     [] { ult::spawn({.name = "steps", .stack_bytes = 128 * 1024}, descend_in_steps, 0).join(); }},
    {"overflow_by_a_leap",
     [] {
       auto t = ult::spawn({.name = "leaps", .stack_bytes = 128 * 1024}, leap, 1);
       t.join();
     }},
    {"other_fault", [] { ult::spawn([] { *static_cast<volatile int*>(nullptr) = 1; }).join(); }},
    {"sent_segv",
     [] {
       use_threads();
       send_segv();
     }},
    {"sent_segv_in_a_thread", [] { ult::spawn(send_segv).join(); }},
    {"sent_segv_at_worker_1",
     [] {
       ult::start({.workers = 2});
       ult::spawn({.worker = 1}, [] {
         pthread_kill(pthread_self(), SIGSEGV);
         std::printf("survived\n");
       }).join();
     }},
    {"sent_segv_to_a_handler", send_segv_to_a_handler},
    {"sent_segv_to_a_handler_once",
     [] {
       take_segv([](int, siginfo_t*, void*) { seen = 1; }, int(SA_RESETHAND));
       use_threads();
       kill(getpid(), SIGSEGV);
       std::printf("%d seen\n", int(seen));
       std::fflush(stdout);
       send_segv();
     }},
    {"sent_segv_ignored",
     [] {
       std::signal(SIGSEGV, SIG_IGN);
       use_threads();
       send_segv();
       send_segv();
     }},
    {"fault_while_ignored",
     [] {
       std::signal(SIGSEGV, SIG_IGN);
       ult::spawn([] { *static_cast<volatile int*>(nullptr) = 1; }).join();
     }},
    {"recover_from_faults", recover_from_faults},
    {"overflow_with_a_handler", overflow_with_a_handler},
    {"look", be_looked_at},
    {"look_while_threads_end", be_looked_at_while_threads_end},
    {"wait_in_a_test", wait_in_a_test},
    {"lock_first", lock_before_the_first_thread},
    {"start_twice",
     [] {
       ult::start({.workers = 2});
       ult::start({.workers = 2});
     }},
    {"start_late",
     [] {
       int never = 0;
       auto t = ult::spawn([&] { ult::wait_until(ult::value(never) == 1); });
       ult::start({.workers = 2});
     }},
    {"stop_elsewhere",
     [] {
       ult::start({.workers = 2});
       ult::spawn([] { ult::stop(); }).join();
     }},
    {"spawn_outside",
     [] {
       ult::spawn([] {}).join();
       std::thread([] { ult::spawn([] {}).join(); }).join();
     }},
    {"wait_outside",
     [] {
       ult::spawn([] {}).join();
       int never = 0;
       std::thread([&] { ult::wait_until(ult::value(never) == 1); }).join();
     }},
    {"lock_twice",
     [] {
       ult::mutex m;
       m.lock();
       m.lock();
     }},
    {"unlock_free",
     [] {
       ult::mutex m;
       m.unlock();
     }},
    {"unlock_unowned_free", [] { ult::unowned_mutex().unlock(); }},
    {"unlock_anothers",
     [] {
       ult::mutex m;
       m.lock();
       ult::spawn([&] { m.unlock(); }).join();
     }},
    {"unlock_recursive_free",
     [] {
       ult::recursive_mutex m;
       m.lock();
       m.unlock();
       m.unlock();
     }},
    {"unlock_shared_free",
     [] {
       ult::shared_mutex m;
       m.unlock_shared();
     }},
    {"wait_without_mutex",
     [] {
       ult::mutex m;
       ult::condition_variable c;
       std::unique_lock hold(m, std::defer_lock);
       c.wait(hold);
     }},
    {"latch_below_zero",
     [] {
       ult::latch l(1);
       l.count_down(2);
     }},
    {"latch_below_zero_at_first", [] { const ult::latch l(-1); }},
    {"barrier_of_nobody", [] { const ult::barrier b(0); }},
    {"barrier_after_all_dropped",
     [] {
       ult::barrier b(1);
       b.arrive_and_drop();
       b.arrive_and_wait();
     }},
    {"channel_of_nothing", [] { const ult::channel<int> c(0); }},
    {"null_name", [] { ult::this_thread::set_name(nullptr); }},
    {"loop_below_zero", [] { ult::parallel_for(-5, 5u, [](unsigned) {}); }},
    {"start_in_a_test", start_in_a_test},
    {"c_spawn_without_words", [] { ramjet_ult_spawn(nullptr, first_word, nullptr, 3); }},
    {"c_join_null", [] { ramjet_ult_join(nullptr, nullptr); }},
    {"c_detach_null", [] { ramjet_ult_detach(nullptr); }},
    {"c_cancel_null", [] { ramjet_ult_cancel(nullptr); }},
    {"c_null_test", [] { ramjet_ult_wait_test(nullptr, nullptr, 1000); }},
    {"c_null_variable", [] { ramjet_ult_wait_32(nullptr, RAMJET_ULT_EQUAL, 0, 1000); }},
    {"c_null_loop", [] { ramjet_ult_parallel_for(0, 10, 0, nullptr, nullptr); }},
    {"c_null_mutex", [] { ramjet_ult_mutex_lock(nullptr); }},
    {"c_null_barrier", [] { ramjet_ult_barrier_init(nullptr, 1); }},
    {"c_no_such_worker",
     [] {
       const ramjet_ult_attributes last{nullptr, 0, 1, ~0u};
       ramjet_ult_spawn(&last, first_word, nullptr, 0);
     }},
    {"join_nobody", [] { ult::thread<>().join(); }},
    {"join_itself",
     [] {
       ult::thread<> t;
       t = ult::spawn([&] { t.join(); });
       t.join();
     }},
    {"no_such_worker", [] { auto t = ult::spawn({.worker = 1}, [] {}); }},
    {"bind_nowhere", [] { ult::this_thread::bind(7); }},
    {"bind_main",
     [] {
       ult::start({.workers = 2});
       ult::this_thread::bind(1);
     }},
    {"huge_stack", [] { auto t = ult::spawn({.stack_bytes = std::size_t{2} << 30}, [] {}); }},
    {"throw_detached",
     [] {
       ult::spawn({.name = "lost"}, [] { throw 1; }).detach();
       ult::this_thread::yield();
     }},
    {"large_pages",
     [] {
       claims_large_pages = true;
       ult::start();
     }},
    {"processors", [] { show_processors(0); }},
    {"own_mask", show_own_mask},
    {"bound_before", show_bound_before},
    {"many_processors", start_on_many_processors},
    {"environment", [] { std::printf("%u workers\n", (ult::start(), ult::workers())); }},
};

}  // namespace

int main(int count, char** words) {
  const auto found = kCases.find(count == 2 ? words[1] : "");
  if (found == kCases.end()) {
    for (const auto& [name, run] : kCases) std::printf("%s\n", name.c_str());
    return 2;
  }
  found->second();
}
