// SPDX-License-Identifier: Apache-2.0
#include "launcher/cores.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <thread>

#include "base/cpus.hpp"

namespace ramjet::launcher {

using namespace std::chrono_literals;

std::vector<int> spread_over_cores(const std::vector<int>& cpus, std::size_t count,
                                   const std::string& sys_cpu) {
  // Layer k holds the (k+1)-th hyperthreads of the physical cores, as far as they are allowed.
  std::vector<std::vector<int>> layers(1);
  std::vector<std::string> seen;  // thread sibling lists, one entry per CPU met
  for (int cpu : cpus) {
    if (layers[0].size() == count) break;
    std::ifstream file(sys_cpu + "/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
    std::string siblings;
    if (!std::getline(file, siblings)) siblings = std::to_string(cpu);
    const auto layer = std::size_t(std::count(seen.begin(), seen.end(), siblings));
    if (layers.size() <= layer) layers.resize(layer + 1);
    layers[layer].push_back(cpu);
    seen.push_back(siblings);
  }
  std::vector<int> order;
  for (const auto& layer : layers) order.insert(order.end(), layer.begin(), layer.end());
  if (order.size() > count) order.resize(count);
  return order;
}

namespace {

// The name of the socket that stands for a core. A leading NUL puts it outside the file system.
class claim_name {
 public:
  explicit claim_name(int cpu) {
    address_.sun_family = AF_UNIX;
    const int length =
        std::snprintf(address_.sun_path + 1, sizeof address_.sun_path - 1, "ramjet.core.%d", cpu);
    bytes_ = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + std::size_t(length));
  }
  const sockaddr* address() const { return reinterpret_cast<const sockaddr*>(&address_); }
  socklen_t bytes() const { return bytes_; }

 private:
  sockaddr_un address_{};
  socklen_t bytes_;
};

}  // namespace

core_claims::~core_claims() { release_all(); }

// The name lasts until the last reference to the socket goes, and whoever reads this process's
// /proc/PID/fd holds one for a moment. A socket that is connected to itself takes no connection of
// others: it says that its claim is over, whatever else holds the socket.
void core_claims::release_all() {
  for (const held& it : held_) {
    const claim_name name(it.cpu);
    ::connect(it.socket, name.address(), name.bytes());
    ::close(it.socket);
  }
  held_.clear();
}

namespace {

bool bind_to(const claim_name& name, int fd) {
  return ::bind(fd, name.address(), name.bytes()) == 0;
}

}  // namespace

bool core_claims::claim(int cpu) {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return true;  // no claims here: as if alone
  const claim_name name(cpu);
  bool bound = bind_to(name, fd);
  bool taken = !bound && errno == EADDRINUSE;
  const auto give_up = std::chrono::steady_clock::now() + 1s;
  while (taken && !is_claimed(cpu) && std::chrono::steady_clock::now() < give_up) {
    std::this_thread::sleep_for(100us);  // a claim that is over still has its name
    bound = bind_to(name, fd);
    taken = !bound && errno == EADDRINUSE;
  }
  if (bound)
    held_.push_back({cpu, fd});
  else
    ::close(fd);
  return !taken;
}

bool core_claims::is_claimed(int cpu) {
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const claim_name name(cpu);
  const bool found = ::connect(fd, name.address(), name.bytes()) == 0;
  ::close(fd);
  return found;
}

std::vector<int> plan_binding(binding wanted, unsigned ranks, core_claims& claims) {
  if (wanted == binding::none) return {};
  const std::vector<int> cpus = base::allowed_cpus();
  const double quota = base::cpu_quota();
  if (wanted == binding::automatic) {
    // A quota below the mask means that others run on these cores too: the kernel places us better.
    if (ranks > cpus.size() || (quota > 0 && quota < double(cpus.size()))) return {};
  }
  const std::vector<int> order = spread_over_cores(cpus, cpus.size());
  std::vector<int> plan;
  for (int cpu : order) {
    if (plan.size() == ranks) break;
    if (claims.claim(cpu)) plan.push_back(cpu);
  }
  if (plan.size() == ranks) return plan;
  claims.release_all();
  if (wanted == binding::automatic) return {};
  plan.clear();
  for (unsigned rank = 0; rank < ranks; ++rank) plan.push_back(order[rank % order.size()]);
  return plan;
}

std::vector<int> unclaimed_cores() {
  const std::vector<int> cpus = base::allowed_cpus();
  std::vector<int> free;
  for (int cpu : spread_over_cores(cpus, cpus.size()))
    if (!core_claims::is_claimed(cpu)) free.push_back(cpu);
  return free;
}

std::vector<int> part_of_spare(const std::vector<int>& spare, unsigned rank, unsigned ranks) {
  const std::size_t each = spare.size() / ranks;
  const auto first = spare.begin() + std::ptrdiff_t(each * rank);
  return {first, first + std::ptrdiff_t(each)};
}

}  // namespace ramjet::launcher
