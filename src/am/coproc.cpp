// SPDX-License-Identifier: Apache-2.0
#include "am/coproc.hpp"

#include <signal.h>

#include <system_error>

#include "am/coproc_flush.hpp"
#include "am/runtime.hpp"
#include "base/signals.hpp"
#include "job/join.hpp"
#include "node/wake.hpp"
#include "ult/network.hpp"

namespace ramjet::detail {

namespace {

coprocessors all = coprocessors::none;

}  // namespace

void set_coprocessors(coprocessors which) noexcept { all = which; }
coprocessors which_coprocessors() noexcept { return all; }
bool coprocessors_run() noexcept { return all != coprocessors::none; }
bool one_serves_node() noexcept { return all == coprocessors::one_serves_node; }

bool coprocessors_are_crowded() noexcept {
  const job::membership& m = job::self();
  const unsigned threads = one_serves_node() ? m.ranks + m.nodes : 2 * m.ranks;
  return coprocessors_run() && threads > m.shared->processors;
}

std::uint64_t sent_to(const pair_counters& c) noexcept {
  return c.requests_sent.load(std::memory_order_relaxed) +
         c.replies_sent.load(std::memory_order_relaxed) + c.chained.load(std::memory_order_relaxed);
}

std::uint64_t handled_from(const pair_counters& c) noexcept {
  return c.requests_handled.load(std::memory_order_relaxed) +
         c.replies_handled.load(std::memory_order_relaxed);
}

traffic count_traffic(engine& e, unsigned index) {
  traffic t;
  for (unsigned r = 0; r < unsigned(e.ranks()); ++r) {
    const pair_counters& c = *e.port_of(r, index).count;
    t = t + traffic{sent_to(c), handled_from(c)};
  }
  return t;
}

std::unique_ptr<coprocessor> coprocessor::start(engine& main, std::string& message) {
  ult::detail::expect_coprocessor();
  std::unique_ptr<coprocessor> c(new coprocessor(main));
  try {
    const base::signals_blocked during_start;
    c->thread_ = std::thread([&self = *c] { self.serve(); });
  } catch (const std::system_error& e) {
    message = std::string("cannot start a co-processor's thread: ") + e.what();
    return nullptr;
  }
  c->open_.wait(false, std::memory_order_acquire);  // pairs: am.coproc_open
  return c;
}

coprocessor::~coprocessor() {
  if (!thread_.joinable()) return;
  if (thread_.get_id() == std::this_thread::get_id()) {  // a handler of its own ends the process
    thread_.detach();
    return;
  }
  stop_.store(true, std::memory_order_relaxed);
  node::wake(*port_);
  thread_.join();
}

void coprocessor::serve() {
  ult::detail::begin_coprocessor();
  current_engine = &engine_;
  engine_.open(job::self().layout.endpoints - 1);
  port_ = &engine_.port();
  start_coproc_flushing(*port_);  // before any channel can ask for it
  open_.store(true, std::memory_order_release);  // pairs: am.coproc_open
  open_.notify_one();
  waiting w{.name = "co-processor", .any_death = false, .messages_only = true};
  static_cast<void>(engine_.wait(w, [this, &w] {
    answer();
    if (flush_if_due()) w.turns.sleeps = 0;  // a sleep of a millisecond at most
    return stop_.load(std::memory_order_relaxed);
  }));
  stop_coproc_flushing();
  engine_.close();
  current_engine = &no_engine;
}

// Counted by the thread itself: between two handlers its counters are of one moment.
void coprocessor::answer() {
  const std::uint32_t wanted =
      count_wanted_.load(std::memory_order_acquire);  // pairs: am.coproc_asked
  if (wanted == count_taken_.load(std::memory_order_relaxed)) [[likely]]
    return;
  counted_ = count_traffic(engine_, 0) + count_traffic(engine_, engine_.endpoint());
  count_taken_.store(wanted, std::memory_order_release);  // pairs: am.coproc_answered
  node::wake(main_port_);
}

traffic coprocessor::count() {
  const std::uint32_t wanted = count_wanted_.load(std::memory_order_relaxed) + 1;
  count_wanted_.store(wanted, std::memory_order_release);  // pairs: am.coproc_asked
  node::wake(*port_);
  waiting w{.name = "co-processor's count", .any_death = false};
  static_cast<void>(main_.wait(w, [this, wanted] {
    return count_taken_.load(std::memory_order_acquire) == wanted;  // pairs: am.coproc_answered
  }));
  return counted_;
}

}  // namespace ramjet::detail
