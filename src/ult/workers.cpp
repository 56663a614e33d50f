// SPDX-License-Identifier: Apache-2.0
// Starting and ending workers.
#include <cxxabi.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/cpus.hpp"
#include "base/futex.hpp"
#include "base/process_label.hpp"
#include "base/settings.hpp"
#include "base/system.hpp"
#include "ramjet/ult/thread.hpp"
#include "ult/parts.hpp"
#include "ult/sanitizers.hpp"

namespace ramjet::ult {

namespace detail {

pool worker_pool;
worker_mode_kind worker_mode = one_worker;
std::uint32_t default_stack_class = 2;

namespace {

constexpr std::uint16_t kNowhere = 0xffff;
constexpr std::size_t kWatcherStackBytes = 1024 * 1024;  // handlers run there

// What runs where there is no worker. The first of them turns into thread 1, with all that it
// holds.
struct program : control {
  constexpr program() {
    id = 1;
    who = &thread_1;  // which a mutex that it locks already knows
  }
};
constinit program outside;
constinit exceptions none_raised;
// Of all other system threads once there is a worker: none of them is thread 1.
constinit control nobody;
struct closed_worker : worker {
  constexpr closed_worker() {
    self = &outside;
    raised = &none_raised;
    index = kNowhere;
  }
};
constinit closed_worker closed;

// Whether this process has a co-processor: a system thread of the library that is never a worker,
// and whose handlers wake threads. Written while there is one thread.
constinit bool coprocessor_runs = false;
constinit thread_local bool runs_coprocessor = false;  // this system thread does

void set_mode(unsigned workers) {
  worker_mode = workers == 1 && !coprocessor_runs ? one_worker
                : base::register_for_barrier()    ? many_workers
                                                  : many_without_barrier;
}

[[noreturn]] void refuse(const char* call) {
  if (runs_coprocessor)
    std::fprintf(stderr,
                 "%s: %s: the co-processor's system thread is not a worker; a coproc_safe handler "
                 "neither starts user-level threads nor waits: leave that to a handler that is not "
                 "coproc_safe, which the main program runs\n",
                 base::process_label(), call);
  else
    std::fprintf(stderr,
                 "%s: %s: this system thread is not a worker; user-level threads run on the one "
                 "that used them first, and on those that ult::start makes: make the call in a "
                 "user-level thread\n",
                 base::process_label(), call);
  std::abort();
}

// What the environment gives; ends the process if a setting does not take it.
base::settings settings_of_threads() {
  base::settings given{};
  std::string problem;
  if (base::read_settings(given, problem, base::kThreadSettings)) return given;
  std::fprintf(stderr, "ramjet: %s\n", problem.c_str());
  std::exit(EXIT_FAILURE);
}

void check_pages() {
  const std::string problem = base::page_size_problem();
  if (problem.empty()) return;
  std::fprintf(stderr, "%s: %s\n", base::process_label(), problem.c_str());
  std::exit(EXIT_FAILURE);
}

// Those that workers may use; asked before the first worker is bound.
const std::vector<int>& processors() {
  if (worker_pool.cpus.empty()) worker_pool.cpus = base::allowed_cpus();
  return worker_pool.cpus;
}

// The options with what the environment sets, and without what stands for something else.
options complete(options o) {
  const base::settings given = settings_of_threads();
  o.workers = unsigned(given.ult_workers.value_or(o.workers));
  o.shuffle_seed = given.ult_shuffle.value_or(o.shuffle_seed);
  if (o.workers == 0) o.workers = std::min(base::within_quota(processors().size()), kWorkersMax);
  RAMJET_CHECK(o.workers <= kWorkersMax, "there are at most 256 workers");
  if (o.tests_per_pass == 0) o.tests_per_pass = 1;
  return o;
}

// Makes the control block of the thread that a system thread runs by itself.
control* settle_system_thread(worker* w, control* c) {
  adopt_system_stack(c);
  c->home.store(w->index, std::memory_order_relaxed);
  return c;
}

// The watcher of worker 0 needs a stack: the system thread's own is that of thread 1.
control* make_watcher(worker* w) {
  control* c = take_stack(w, stack_class_of(kWatcherStackBytes));
  c->todo = item_of(c);  // itself: see ramjet_ult_main
  c->home.store(w->index, std::memory_order_relaxed);
  return c;
}

worker* make_worker(unsigned index) {
  auto* w = new worker;
  w->index = std::uint16_t(index);
  w->parts = new worker_parts;
  grow_ring(w);
  return w;
}

// So that no two workers give the same number, nor one that was given lately, nor 0.
void share_ids(unsigned workers) {
  const std::uint32_t step = std::bit_ceil(workers + 1);
  std::uint32_t given = 0;
  for (const worker* w : worker_pool.workers)
    if (w != nullptr) given = std::max(given, std::uint32_t(w->next_identity));
  const std::uint32_t from = (given + step - 1) / step * step;
  for (unsigned i = 0; i < workers; ++i) {
    worker_pool.workers[i]->id_step = step;
    const std::uint32_t first = (from + i + 1) & kIdMask;
    worker_pool.workers[i]->next_identity = std::uint64_t{i} << kHomeShift | first;
  }
}

// As the options say, for a worker that has nothing to do: a new one, or one of an earlier start,
// whose blocks, stacks and counts go on.
void set_out(worker* w) {
  const std::uint64_t seed = worker_pool.wanted.shuffle_seed;
  w->parts->shuffle = seed == 0 ? 0 : seed * 0x9e3779b97f4a7c15 + w->index + 1;
  w->attention.store(seed == 0 ? 0 : worker::kNever,  // shuffled, each step is a slow one
                     std::memory_order_relaxed);
  w->idleness.store(kHasWork, std::memory_order_relaxed);
  w->asleep.store(0, std::memory_order_relaxed);
}

// Twice the usual stack, of which only what is used takes memory: one half can be lent.
std::size_t with_room_to_lend(std::size_t stack_bytes) {
  constexpr std::size_t kLargestDoubled = std::size_t{1} << 26;
  return stack_bytes <= kLargestDoubled ? 2 * stack_bytes : stack_bytes;
}

// What workers keep of the usual stacks are stacks of a class like any other from now on.
void set_default_stacks(std::uint32_t stack_class) {
  if (stack_class == default_stack_class) return;
  for (worker* w : worker_pool.workers) {
    if (w == nullptr) continue;
    w->parts->stacks[default_stack_class] = std::exchange(w->stacks, {});
    w->stacks = std::exchange(w->parts->stacks[stack_class], {});
  }
  default_stack_class = stack_class;
}

// Threads that have not ended, thread 1 among them. While there is one worker.
std::uint64_t threads_alive() {
  std::uint64_t alive = 0;
  for (const worker* w : worker_pool.workers)
    if (w != nullptr) alive += w->started - w->finished;
  return alive;
}

void stay_on(const int* first, const int* end) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (; first != end; ++first)
    if (*first < CPU_SETSIZE) CPU_SET(std::size_t(*first), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}
void stay_on_processor(unsigned index) {
  const int* const own = &processors()[index % processors().size()];
  stay_on(own, own + 1);
  if (index == 0) worker_pool.first_is_bound = true;
}
// Where worker 0 stays on the first of the processors, because an earlier start has bound it, the
// other workers share the rest. A mask of the program's own choice is theirs too.
void leave_first_processor() {
  const std::vector<int>& cpus = processors();
  if (worker_pool.first_is_bound && cpus.size() > 1 && base::allowed_cpus() == std::vector{cpus[0]})
    stay_on(cpus.data() + 1, cpus.data() + cpus.size());
}

// The calling system thread becomes the worker.
void settle_in(worker* w) {
  if (worker_pool.wanted.bind)
    stay_on_processor(w->index);
  else if (w->index != 0)
    leave_first_processor();
  w->parts->raised = reinterpret_cast<exceptions*>(abi::__cxa_get_globals());
  note_switches(w, false);
  install_signal_stack();
  w->open = w->handler_free = true;
  current_worker = w;
  join_network();
}

void* work_as(void* given) {
  auto* w = static_cast<worker*>(given);
  w->watcher = settle_system_thread(w, new control);
  w->self = w->watcher;
  settle_in(w);
  watch(w);
  current_worker = &closed;
  return nullptr;
}

// Thread 1: the program of the system thread that came first.
void open_first(worker* w) {
  closed.self = &nobody;
  w->self = settle_system_thread(w, &outside);
  w->watcher = make_watcher(w);
  begin_descriptor(w, &thread_1);
  thread_1.started = thread_1.bound = true;  // it returns from main on its own system thread
  thread_1.stack = w->self;
  w->self->id = thread_1.id;
  w->self->more.name = ::strdup("main");
  settle_in(w);
}

void open_all(const options& wanted) {
  worker_pool.wanted = wanted;
  base::find_tools();
  static_cast<void>(processors());  // before the first worker is bound
  set_default_stacks(stack_class_of(with_room_to_lend(wanted.stack_bytes)));
  worker* first = worker_pool.workers[0];
  const bool again = first != nullptr;
  if (!again) check_pages();
  for (unsigned i = 0; i < wanted.workers; ++i)
    if (worker_pool.workers[i] == nullptr) worker_pool.workers[i] = make_worker(i);
  share_ids(wanted.workers);
  if (!again) {
    first = worker_pool.workers[0];
    worker_pool.first = pthread_self();
    install_signal_handlers();
    open_first(first);
  } else if (wanted.bind) {
    stay_on_processor(0);
  }
  set_out(first);
  set_mode(wanted.workers);
  worker_pool.stopping.store(false, std::memory_order_relaxed);
  for (unsigned i = 1; i < wanted.workers; ++i) set_out(worker_pool.workers[i]);
  worker_pool.count.store(wanted.workers, std::memory_order_relaxed);
  for (unsigned i = 1; i < wanted.workers; ++i) {
    pthread_t& system = worker_pool.workers[i]->parts->system;
    if (const int error = pthread_create(&system, nullptr, work_as, worker_pool.workers[i])) {
      std::fprintf(stderr, "ramjet: no system thread for worker %u: %s\n", i, std::strerror(error));
      std::exit(EXIT_FAILURE);
    }
  }
}

}  // namespace

constinit thread_local worker* current_worker = &closed;

bool is_thread_1(const control* c) noexcept { return c == &outside && c->lenders == nullptr; }

worker* find_worker() noexcept { return current_worker; }

worker* open_worker(const char* call) {
  if (current_worker->open) return current_worker;
  if (runs_coprocessor || workers() != 0) refuse(call);
  open_all(complete({}));
  return current_worker;
}

void expect_coprocessor() noexcept {
  coprocessor_runs = true;
  if (workers() <= 1) set_mode(1);
}

void begin_coprocessor() noexcept { runs_coprocessor = true; }

}  // namespace detail

void start(const options& wanted) {
  using namespace detail;
  const worker* w = current_worker;
  RAMJET_CHECK(!in_handler_or_test(), "a handler or a condition's test may not start workers");
  RAMJET_CHECK(workers() <= 1, "ult::start: workers run already; ult::stop comes first");
  RAMJET_CHECK(workers() == 0 || w->open, "ult::start belongs to the system thread of worker 0");
  RAMJET_CHECK(workers() == 0 || threads_alive() == 1,
               "ult::start: threads are alive; start before the first one, or join them");
  open_all(complete(wanted));
}

void stop() {
  using namespace detail;
  RAMJET_CHECK(!in_handler_or_test(), "a handler or a condition's test may not stop workers");
  const unsigned count = workers();
  if (count == 0) return;
  RAMJET_CHECK(
      pthread_equal(pthread_self(), worker_pool.first) && is_thread_1(current_worker->self),
      "ult::stop belongs to thread 1");
  worker_pool.stopping.store(true, std::memory_order_relaxed);
  for (unsigned i = 1; i < count; ++i) call(worker_pool.workers[i]);
  for (unsigned i = 1; i < count; ++i) {
    pthread_join(worker_pool.workers[i]->parts->system, nullptr);
    delete std::exchange(worker_pool.workers[i]->watcher, nullptr);
  }
  worker_pool.stopping.store(false, std::memory_order_relaxed);
  worker_pool.count.store(1, std::memory_order_relaxed);
  worker_pool.idle_workers.store(0, std::memory_order_relaxed);
  set_mode(1);
}

unsigned workers(unsigned count) {
  options wanted = detail::worker_pool.wanted;
  wanted.workers = count;
  if (workers() > 1) stop();
  start(wanted);
  return workers();
}

unsigned workers() noexcept { return detail::worker_pool.count.load(std::memory_order_relaxed); }

}  // namespace ramjet::ult
