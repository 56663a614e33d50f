// SPDX-License-Identifier: Apache-2.0
#include "am/unsent.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/no_destroy.hpp"
#include "job/join.hpp"

namespace ramjet::detail::unsent {

namespace {

struct kept {
  std::unique_ptr<channel::channel> of;
  unsigned endpoint;
};

std::mutex mutex;  // of all below but the count
constinit base::no_destroy<std::vector<kept>> all_kept;
std::vector<kept>& all = all_kept.value;
std::optional<loss> lost;
std::atomic<unsigned> count{0};  // all.size(); written under the mutex, publishes nothing

bool is_far(unsigned port) {
  const job::membership& m = job::self();
  return !m.near(port / m.layout.endpoints);
}

// Nothing of it will leave any more.
void close(kept& k) {
  for (unsigned port = 0; port < job::self().layout.ports; ++port) {
    if (is_far(port) && !lost && !job::port_is_gone(port) && k.of->has_unsent(port))
      lost = loss{k.endpoint, port};
    k.of->disconnect(port);
  }
}

void pump_one(kept& k) {
  for (unsigned port = 0; port < job::self().layout.ports; ++port)
    if (is_far(port) && job::port_is_gone(port)) k.of->stop_sending(port);
  k.of->pump();
}

}  // namespace

void keep(std::unique_ptr<channel::channel> of, unsigned endpoint) {
  const std::lock_guard lock(mutex);
  all.push_back({std::move(of), endpoint});
  count.store(unsigned(all.size()), std::memory_order_relaxed);
}

bool is_any() noexcept { return count.load(std::memory_order_relaxed) != 0; }

void pump() {
  const std::unique_lock lock(mutex, std::try_to_lock);
  if (!lock) return;
  std::erase_if(all, [](kept& k) {
    pump_one(k);
    if (!k.of->drained()) return false;
    close(k);
    return true;
  });
  count.store(unsigned(all.size()), std::memory_order_relaxed);
}

const loss* first_loss() noexcept {
  const std::lock_guard lock(mutex);
  return lost ? &*lost : nullptr;
}

void give_up() {
  const std::lock_guard lock(mutex);
  for (kept& k : all) close(k);
  all.clear();
  count.store(0, std::memory_order_relaxed);
}

}  // namespace ramjet::detail::unsent
