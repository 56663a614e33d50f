// SPDX-License-Identifier: Apache-2.0
#include "am/coproc_flush.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "am/engine_cold.hpp"
#include "am/runtime.hpp"
#include "base/clock.hpp"
#include "node/wake.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet {

namespace detail {

namespace {

// The least age of what is flushed. A program that goes on to send or to poll does it earlier, and
// without the co-processor, which is not woken again meanwhile.
constexpr std::uint64_t kAgeNs = 500'000;

// Where the co-processor sleeps, or null. Written by its thread; read by the endpoints'. The line
// is in the node's memory and outlives all of them; publishes nothing.
constinit std::atomic<port_line*> sleeper{nullptr};

// Either the co-processor is still awake and sees `wanted`, or it is woken.
void wake_flusher() noexcept {
  if (port_line* const port = sleeper.load(std::memory_order_relaxed)) node::wake(*port);
}

struct flushed_channels {
  std::mutex mutex;
  std::vector<channel::channel*> all;
};
flushed_channels& flushed() {
  static auto* const channels = new flushed_channels;  // never destroyed: a thread may use it late
  return *channels;
}

constinit channel::coproc_flush_request request{{false}, wake_flusher};
std::uint64_t noticed_ns = 0;  // the co-processor's: when it saw `wanted` first; 0: it is not

}  // namespace

void start_coproc_flush(channel::channel& c) {
  c.allow_coproc_flush(request);
  const std::lock_guard lock(flushed().mutex);
  flushed().all.push_back(&c);
}

void end_coproc_flush(channel::channel& c) {
  const std::lock_guard lock(flushed().mutex);
  std::erase(flushed().all, &c);
}

void start_coproc_flushing(port_line& at) { sleeper.store(&at, std::memory_order_relaxed); }
void stop_coproc_flushing() { sleeper.store(nullptr, std::memory_order_relaxed); }

bool flush_if_due() {
  if (!request.wanted.load(std::memory_order_relaxed)) [[likely]] {
    noticed_ns = 0;
    return false;
  }
  const std::uint64_t now = base::now_ns();
  if (noticed_ns == 0) noticed_ns = now;
  if (now - noticed_ns < kAgeNs) return true;
  noticed_ns = 0;
  request.wanted.store(false,
                       std::memory_order_relaxed);  // before the turns (channel/coproc_flush.hpp)
  bool left = false;
  const std::lock_guard lock(flushed().mutex);
  for (channel::channel* c : flushed().all) left = c->flush_from_coprocessor() || left;
  if (left) request.wanted.store(true, std::memory_order_relaxed);
  return left;
}

}  // namespace detail

void flush() {
  detail::engine& e = *detail::current_engine;
  if (!e.is_open()) [[unlikely]]
    detail::no_endpoint("flush");
  e.send_gathered();
  e.parts().network->flush();
}

}  // namespace ramjet
