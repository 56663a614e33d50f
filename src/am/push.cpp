// SPDX-License-Identifier: Apache-2.0
#include "am/push.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "am/engine_parts.hpp"
#include "am/runtime.hpp"
#include "base/clock.hpp"
#include "node/wake.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/am/engine.hpp"

namespace ramjet {

namespace detail {

namespace {

// The least age of what is pushed. A program that goes on to send or to poll does it earlier, and
// without the co-processor, which is not woken again meanwhile.
constexpr std::uint64_t kAgeNs = 500'000;

// Where the co-processor sleeps, or null. Written by its thread; read by the endpoints'. The line
// is in the node's memory and outlives all of them; publishes nothing.
constinit std::atomic<port_line*> sleeper{nullptr};

// Either the co-processor is still awake and sees `wanted`, or it is woken.
void wake_pusher() noexcept {
  if (port_line* const port = sleeper.load(std::memory_order_relaxed)) node::wake(*port);
}

struct pushed_channels {
  std::mutex mutex;
  std::vector<channel::channel*> all;
};
pushed_channels& pushed() {
  static auto* const channels = new pushed_channels;  // never destroyed: a thread may use it late
  return *channels;
}

constinit channel::push_request request{{false}, wake_pusher};
std::uint64_t noticed_ns = 0;  // the co-processor's: when it saw `wanted` first; 0: it is not

}  // namespace

void push_for(channel::channel& c) {
  c.allow_push(request);
  const std::lock_guard lock(pushed().mutex);
  pushed().all.push_back(&c);
}

void end_push_for(channel::channel& c) {
  const std::lock_guard lock(pushed().mutex);
  std::erase(pushed().all, &c);
}

void start_pushing(port_line& at) { sleeper.store(&at, std::memory_order_relaxed); }
void stop_pushing() { sleeper.store(nullptr, std::memory_order_relaxed); }

bool push_if_due() {
  if (!request.wanted.load(std::memory_order_relaxed)) [[likely]] {
    noticed_ns = 0;
    return false;
  }
  const std::uint64_t now = base::now_ns();
  if (noticed_ns == 0) noticed_ns = now;
  if (now - noticed_ns < kAgeNs) return true;
  noticed_ns = 0;
  request.wanted.store(false, std::memory_order_relaxed);  // before the turns (channel/push.hpp)
  bool left = false;
  const std::lock_guard lock(pushed().mutex);
  for (channel::channel* c : pushed().all) left = c->push() || left;
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
