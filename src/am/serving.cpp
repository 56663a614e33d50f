// SPDX-License-Identifier: Apache-2.0
#include "am/serving.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "am/coproc.hpp"
#include "job/join.hpp"
#include "mesh/mesh.hpp"
#include "node/wake.hpp"

namespace ramjet::detail {

namespace {

// An endpoint that has not pumped for this long computes, or waits elsewhere. While it pumps, the
// looks at it become rarer: they cost its processor some microseconds each.
constexpr std::uint64_t kLookNs = 1'000'000, kLookNsMax = 8'000'000;

struct serving_state {
  std::mutex mutex;  // held while the mesh's thread uses the endpoint
  served_endpoint endpoint;  // network is null: there is none
  std::uint32_t pumps_seen = 0;
  std::uint64_t pumped_ns = 0;  // when the count was last seen to change
  std::uint64_t pause_ns = kLookNs;  // before the next look
};
serving_state& serving() {
  static auto* const state = new serving_state;  // never destroyed: the mesh's thread may be in it
  return *state;
}

// Whether the owner has pumped lately.
bool pumps(serving_state& s, std::uint64_t now_ns) noexcept {
  const std::uint32_t pumps = s.endpoint.pumps->load(std::memory_order_relaxed);
  if (std::exchange(s.pumps_seen, pumps) != pumps) s.pumped_ns = now_ns;
  return now_ns - s.pumped_ns < kLookNs;
}

std::uint64_t next_look(serving_state& s, std::uint64_t now_ns) noexcept {
  return now_ns + std::exchange(s.pause_ns, std::min(2 * s.pause_ns, kLookNsMax));
}

// When to come again; 0: once something has come.
std::uint64_t serve(serving_state& s, std::uint64_t now_ns) {
  const channel::service done = s.endpoint.network->serve();
  if (done.for_owner) node::wake(*s.endpoint.port);
  if (done.more) return now_ns;
  if (done.busy || done.again) return next_look(s, now_ns);
  s.pause_ns = kLookNs;
  return 0;
}

// The mesh's thread: something has come for the endpoint, or a look is due.
std::uint64_t attend(mesh::port_news what, std::uint64_t now_ns) {
  serving_state& s = serving();
  const std::lock_guard lock(s.mutex);
  if (s.endpoint.network == nullptr) return 0;
  // An owner that was woken pumps as soon as it has a processor.
  const bool woken = what == mesh::port_news::woke_owner;
  if (what != mesh::port_news::none) s.pause_ns = woken ? kLookNsMax : kLookNs;
  return pumps(s, now_ns) || woken ? next_look(s, now_ns) : serve(s, now_ns);
}

}  // namespace

void start_serving(const served_endpoint& e, unsigned port) {
  const job::membership& m = job::self();
  if (m.nodes == 1 || coprocessors_run() || m.settings.by_handlers) return;
  e.network->allow_serving();
  {
    const std::lock_guard lock(serving().mutex);
    serving().endpoint = e;
  }
  mesh::attend_port(port, attend);
}

void end_serving() noexcept {
  const std::lock_guard lock(serving().mutex);
  serving().endpoint = {};
}

}  // namespace ramjet::detail
