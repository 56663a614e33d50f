// SPDX-License-Identifier: Apache-2.0
#include "channel/routes/routes.hpp"

#include <algorithm>
#include <utility>

#include "channel/faulty/faulty_channel.hpp"
#include "channel/net/net_channel.hpp"
#include "channel/net/networks.hpp"
#include "channel/net/unopened_ports.hpp"
#include "channel/self/self_channel.hpp"
#include "channel/shm/shm_channel.hpp"
#include "job/join.hpp"

namespace ramjet::channel {

routes::routes(std::vector<std::unique_ptr<channel>> channels, std::vector<std::uint8_t> way)
    : channels_(std::move(channels)), way_(std::move(way)) {
  for (const std::unique_ptr<channel>& c : channels_)
    if (c->pumps()) pumped_.push_back(c.get());
}

unsigned routes::pump() {
  unsigned moved = 0;
  for (channel* c : pumped_) moved += c->pump();
  return moved;
}

int routes::take_lost() {
  for (channel* c : pumped_)
    if (const int lost = c->take_lost(); lost >= 0) return lost;
  return -1;
}

bool routes::drained() {
  return std::all_of(pumped_.begin(), pumped_.end(), [](channel* c) { return c->drained(); });
}

std::uint64_t routes::pause_ns() {
  std::uint64_t least = ~std::uint64_t{0};
  for (channel* c : pumped_) least = std::min(least, c->pause_ns());
  return least;
}

std::size_t routes::waiting_bytes() {
  std::size_t bytes = 0;
  for (channel* c : pumped_) bytes += c->waiting_bytes();
  return bytes;
}

// Each prepares its wake-up, whatever the others say.
bool routes::prepare_sleep() {
  bool may = true;
  for (channel* c : pumped_) may = c->prepare_sleep() && may;
  return may;
}

void routes::flush() {
  for (channel* c : pumped_) c->flush();
}

void routes::allow_coproc_flush(coproc_flush_request& request) {
  for (channel* c : pumped_) c->allow_coproc_flush(request);
}

void routes::allow_serving() {
  for (channel* c : pumped_) c->allow_serving();
}

service routes::serve() {
  service all;
  for (channel* c : pumped_) {
    const service one = c->serve();
    all.busy |= one.busy;
    all.more |= one.more;
    all.again |= one.again;
    all.for_owner |= one.for_owner;
  }
  return all;
}

bool routes::flush_from_coprocessor() {
  bool left = false;
  for (channel* c : pumped_) left = c->flush_from_coprocessor() || left;
  return left;
}

namespace {

enum way : std::uint8_t { kOwn = 0, kNode = 1, kFirstNetwork = 2 };

}  // namespace

status open_channel(const std::string& name, unsigned port, std::unique_ptr<channel>& into,
                    std::string& message) {
  const job::membership& m = job::self();
  fault_plan plan;
  const bool faulty = name != "shm";
  if (faulty && !parse_fault_plan(name, plan)) {
    message = "RAMJET_CHANNEL is \"" + name + "\"; it can be shm, faulty:SEED or faulty:SEED:drop";
    return status::environment;
  }
  std::vector<std::unique_ptr<channel>> channels;
  const auto add = [&](std::unique_ptr<channel> c) {
    if (faulty) c = std::make_unique<faulty_channel>(port, std::move(c), plan);
    channels.push_back(std::move(c));
  };
  add(std::make_unique<self_channel>(port));
  add(std::make_unique<shm_channel>(port));
  if (m.nodes > 1) {
    for (unsigned i = 0; i < networks_in_use(); ++i) {
      std::unique_ptr<net_channel> c = take_unopened(i, port);
      if (c == nullptr) c = std::make_unique<net_channel>(port, make_network(i, port));
      add(std::move(c));
    }
  }
  std::vector<std::uint8_t> ways(m.layout.ports);
  for (unsigned p = 0; p < m.layout.ports; ++p) {
    const unsigned rank = p / m.layout.endpoints;
    ways[p] = std::uint8_t(p == port      ? unsigned(kOwn)
                           : m.near(rank) ? unsigned(kNode)
                                          : kFirstNetwork + network_to(rank));
  }
  into = std::make_unique<routes>(std::move(channels), std::move(ways));
  return status::ok;
}

}  // namespace ramjet::channel
