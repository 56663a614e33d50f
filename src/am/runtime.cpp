// SPDX-License-Identifier: Apache-2.0
// init, finalize, endpoints, and the ends a process can come to.
#include "am/runtime.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "am/coproc.hpp"
#include "am/start.hpp"
#include "am/trace_gather.hpp"
#include "base/clock.hpp"
#include "base/exit_status.hpp"
#include "base/out_of_memory.hpp"
#include "base/process_label.hpp"
#include "base/standard_output.hpp"
#include "channel/net/networks.hpp"
#include "channel/net/unopened_ports.hpp"
#include "job/forks.hpp"
#include "job/join.hpp"
#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/job.hpp"
#include "ramjet/version.hpp"
#include "trace/recorder.hpp"
#include "ult/network.hpp"

namespace ramjet {

namespace {

std::unique_ptr<detail::engine> main_engine;
// A process that just exits leaves the engine as it is: no handler may run among what is destroyed.
detail::engine* left_behind = nullptr;
struct exit_guard {
  ~exit_guard() { left_behind = main_engine.release(); }
} guard;
std::unique_ptr<detail::coprocessor> main_coprocessor;  // goes first where the process just exits
std::atomic<int> last_lost{-1};

enum class stage { before_init, in_job, finalized, forked };
// Written by the main thread, or the only one of a forked child; read by all. Publishes nothing.
std::atomic<stage> now{stage::before_init};

bool is_in_job() noexcept { return now.load(std::memory_order_relaxed) == stage::in_job; }

// In a child of fork, before fork returns there. The memory of the job is shared with the parent,
// whose rank the child is not: every call has to end the child, and nothing may end the parent's
// threads, which the child does not have. What they own is left as it is.
void leave_job_in_child() {
  job::after_fork_in_child();
  if (!is_in_job()) return;
  now.store(stage::forked, std::memory_order_relaxed);
  left_behind = main_engine.release();
  [[maybe_unused]] const detail::coprocessor* not_here = main_coprocessor.release();
  detail::current_engine = &detail::no_engine;
  detail::leave_in_child();
}

void check_in_job(const char* call) noexcept {
  if (!is_in_job()) [[unlikely]]
    detail::no_endpoint(call);
}

// Processes of different versions, board layouts or message limits have different values.
std::uint64_t build_hash() {
  std::uint64_t h = RAMJET_VERSION_MAJOR * 1000 + RAMJET_VERSION_MINOR;
  for (std::uint64_t part :
       {std::uint64_t(sizeof(node::board)), std::uint64_t(node::kBoardVersion),
        std::uint64_t(sizeof(node::geometry)), std::uint64_t(detail::kMediumBytesMax),
        std::uint64_t(detail::kArgumentBytesMax), std::uint64_t(detail::kPortsMax)})
    h = h * 0x100000001b3 + part;
  return h;
}

// Whether ranks are to have co-processors: by the environment, else as the program wants it.
status choose_progress(const options& wanted, std::string& message) {
  const base::settings* const settings = base::process_settings(message);
  if (settings == nullptr) return status::environment;
  const base::settings& given = *settings;
  const bool coproc =
      given.progress.empty() ? wanted.progress == progress_mode::coproc : given.progress != "main";
  if (coproc && wanted.endpoints >= node::kEndpointsMax) {
    message = "options::endpoints is " + std::to_string(wanted.endpoints) +
              "; with a co-processor it can be 1 to " + std::to_string(node::kEndpointsMax - 1);
    return status::environment;
  }
  detail::set_coprocessors(given.progress == "node" ? detail::coprocessors::one_serves_node
                           : coproc                 ? detail::coprocessors::each_rank
                                                    : detail::coprocessors::none);
  return status::ok;
}

}  // namespace

status try_init(const options& wanted, std::string& message) {
  switch (now.load(std::memory_order_relaxed)) {
    case stage::before_init:
      base::report_uncaught_bad_alloc();
      break;
    case stage::in_job:
      message = "init was called twice";
      return status::environment;
    case stage::finalized:
      message = "init after finalize: a process joins a job once";
      return status::environment;
    case stage::forked:
      message = "init in a child that a rank forked: only a program of its own can join a job";
      return status::environment;
  }
  if (status s = choose_progress(wanted, message); s != status::ok) return s;
  const bool coproc = detail::coprocessors_run();
  // Ranks with different modes do not fit together: the mode is part of what is compared.
  const std::uint64_t handlers =
      detail::number_handlers() + std::uint64_t(detail::which_coprocessors());
  const unsigned endpoints = wanted.endpoints + (coproc && wanted.endpoints != 0 ? 1 : 0);
  if (status s = detail::start(
          {endpoints, wanted.segment_bytes, handlers, build_hash(), detail::stack_bytes_in_segment},
          message);
      s != status::ok)
    return s;
  now.store(stage::in_job, std::memory_order_relaxed);
  static const int registered =
      ::pthread_atfork(job::before_fork, job::after_fork_in_parent, leave_job_in_child);
  static_cast<void>(registered);
  main_engine = std::make_unique<detail::engine>();
  main_engine->open(0);
  detail::current_engine = main_engine.get();
  detail::lend_to_threads();
  if (coproc) {
    main_coprocessor = detail::coprocessor::start(*main_engine, message);
    if (main_coprocessor == nullptr) return status::environment;
  }
  const node::geometry& g = job::self().layout;
  const unsigned first = unsigned(job::self().rank) * g.endpoints;
  if (job::self().nodes > 1)
    if (const status s = channel::attend_unopened_ports(
            first + 1, first + g.endpoints - (coproc ? 1 : 0), message);
        s != status::ok)
      return s;
  detail::trace_gathering::compare_clocks(*main_engine);
  return status::ok;
}

void init(int& argc, char**& argv, const options& wanted) {
  static_cast<void>(argc);
  static_cast<void>(argv);
  std::string message;
  const status s = try_init(wanted, message);
  if (s == status::peer_failed && job::self().launched)
    base::end_process(base::kExitJobLost);  // the message is out already
  if (s != status::ok) detail::die(message.c_str());
}

void finalize() {
  RAMJET_CHECK(now.load(std::memory_order_relaxed) != stage::before_init, "finalize without init");
  RAMJET_CHECK(now.load(std::memory_order_relaxed) != stage::finalized,
               "finalize was called twice");
  check_in_job("finalize");
  RAMJET_CHECK(!main_engine->in_handler(), "finalize inside a handler");
  RAMJET_CHECK(detail::current_engine == main_engine.get(),
               "finalize is for the thread that called init");
  const status together = detail::leave_together();
  detail::trace_gathering::gather(*main_engine, together == status::ok);
  main_engine->check_all_were_opened();
  main_engine->check_others_are_closed();
  detail::leave_threads(*main_engine);
  main_engine.reset();
  detail::current_engine = &detail::no_engine;
  main_coprocessor.reset();
  channel::close_networks();
  detail::stop();
  now.store(stage::finalized, std::memory_order_relaxed);
}

void end_job(int exit_status) noexcept {
  std::fflush(nullptr);
  if (!initialized()) std::_Exit(exit_status & 0xff);
  detail::trace_gathering::finish_part();
  job::end_job(exit_status);
}

bool initialized() noexcept { return is_in_job(); }
int rank() noexcept {
  check_in_job("rank()");
  return job::self().rank;
}
int size() noexcept {
  check_in_job("size()");
  return int(job::self().ranks);
}
int nodes() noexcept {
  check_in_job("nodes()");
  return int(job::self().nodes);
}
int node_of(int rank) noexcept {
  check_in_job("node_of()");
  const job::membership& m = job::self();
  if (rank < 0 || unsigned(rank) >= m.ranks) return -1;
  return m.nodes == 1 ? 0 : m.node_of[unsigned(rank)];
}

lost_rank last_failure() noexcept {
  const int r = last_lost.load(std::memory_order_relaxed);
  if (r < 0 || !initialized()) return {};
  const node::rank_line& line = job::self().line(unsigned(r));
  return {r, line.signal.load(std::memory_order_relaxed),
          line.exit_status.load(std::memory_order_relaxed)};
}

bool alive(int rank) noexcept {
  const job::membership& m = job::self();
  if (rank < 0 || unsigned(rank) >= m.ranks || m.shared == nullptr) return false;
  const auto state = node::rank_state(m.line(unsigned(rank)).state.load(std::memory_order_relaxed));
  return state != node::rank_state::failed;
}

failure::failure(status s, const lost_rank& who)
    : std::runtime_error(who.rank < 0 ? std::string(to_string(s))
                                      : "rank " + std::to_string(who.rank) + " died"),
      code_(s),
      who_(who) {}

// --- Endpoints ----------------------------------------------------------------------------------

endpoint::endpoint(unsigned index) : previous_(detail::current_engine) {
  const job::membership& m = job::self();
  check_in_job("endpoint");
  RAMJET_CHECK(!detail::current_engine->in_handler(), "a handler may not open an endpoint");
  const unsigned endpoints = m.layout.endpoints - (detail::coprocessors_run() ? 1 : 0);
  RAMJET_CHECK(index > 0 && index < endpoints,
               "endpoints go from 1 to options::endpoints - 1; ask for more in ramjet::init");
  engine_ = detail::owned<detail::engine>(new detail::engine);
  engine_->open(index);
  detail::current_engine = engine_.get();
  detail::lend_to_threads();
}

endpoint::~endpoint() {
  if (now.load(std::memory_order_relaxed) == stage::forked) return;  // it is the parent's
  RAMJET_CHECK(detail::current_engine == engine_.get(),
               "an endpoint is closed in the thread that opened it, before those opened earlier");
  RAMJET_CHECK(!engine_->in_handler(), "a handler may not close its endpoint");
  detail::leave_threads(*engine_);
  engine_ = {};  // answers that come while it closes are for this thread's current engine
  detail::current_engine = previous_;
  detail::lend_to_threads();
}

unsigned endpoint::index() const noexcept { return engine_->endpoint(); }

namespace detail {

constinit std::uint64_t stack_bytes_in_segment = 0;

coprocessor* own_coprocessor() noexcept { return main_coprocessor.get(); }

void die(const char* message) noexcept {
  std::fprintf(stderr, "%s: %s\n", base::process_label(), message);
  std::fflush(stderr);
  base::end_process(base::kExitJobLost);
}

void die_of_misuse(const char* message) noexcept {
  std::fprintf(stderr, "%s: %s\n", base::process_label(), message);
  std::fflush(stderr);
  std::abort();
}

void die_of_exception(const char* what) noexcept {
  if (base::handles_bad_alloc()) {
    base::report_out_of_memory(base::process_label());
    std::abort();
  }
  const std::type_info* const type = abi::__cxa_current_exception_type();
  char* const readable =
      type != nullptr ? abi::__cxa_demangle(type->name(), nullptr, nullptr, nullptr) : nullptr;
  std::string text = std::string(what) + " threw " +
                     (readable != nullptr ? readable
                      : type != nullptr   ? type->name()
                                          : "something");
  try {
    throw;
  } catch (const std::exception& e) {
    text += std::string(" (") + e.what() + ")";
  } catch (...) {  // its type says all there is
  }
  die_of_misuse((text + "; it may not throw").c_str());
}

void no_endpoint(const char* call) noexcept {
  const char* why = " by a thread without an endpoint: make a ramjet::endpoint in it first";
  if (now.load(std::memory_order_relaxed) == stage::before_init)
    why = " outside a job: call ramjet::init first";
  else if (now.load(std::memory_order_relaxed) == stage::finalized)
    why = " after finalize: this process has left its job";
  else if (now.load(std::memory_order_relaxed) == stage::forked)
    why = " in a child that a rank forked: it is not a rank of the job; it can exec, or end";
  else if (is_worker())
    why =
        " at a worker without an endpoint: bind the user-level thread to the worker of the thread "
        "that called ramjet::init (ult::attributes::worker), or make a ramjet::endpoint here";
  die_of_misuse((std::string(call) + why).c_str());
}

void await_the_end() noexcept {
  const bool is_far = job::self().nodes > 1;  // then the launcher may not know of it
  const std::uint64_t timeout_ns = is_far ? 1'000'000'000 : 5'000'000'000;
  const std::uint64_t start = base::now_ns();
  while (base::now_ns() - start < timeout_ns) usleep(1000);
  trace_gathering::finish_part();
  if (!is_far) die("a rank died and the launcher did not end this one");
  char text[80];
  std::snprintf(text, sizeof text, "rank %d is lost; this ends the job",
                job::self().shared->first_failed.load(std::memory_order_relaxed));
  die(text);
}

void remember_failure(unsigned rank) noexcept {
  last_lost.store(int(rank), std::memory_order_relaxed);
}

void throw_failure(status s) { throw failure(s, last_failure()); }

std::uint64_t deadline_in(std::uint64_t milliseconds) noexcept {
  const std::uint64_t now = base::now_ns();
  constexpr std::uint64_t kNever = ~std::uint64_t{0};
  return milliseconds > (kNever - now) / 1'000'000 ? kNever : now + milliseconds * 1'000'000;
}

}  // namespace detail
}  // namespace ramjet
