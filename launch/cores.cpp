// SPDX-License-Identifier: Apache-2.0
#include "launch/cores.hpp"

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
#include <utility>

#include "base/cpus.hpp"

namespace ramjet::launcher {

using namespace std::chrono_literals;

namespace {

// Names the physical core: the list of its hyperthreads.
std::string core_of(int cpu, const std::string& sys_cpu) {
  std::ifstream file(sys_cpu + "/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
  std::string siblings;
  return std::getline(file, siblings) ? siblings : std::to_string(cpu);
}

}  // namespace

std::vector<int> spread_over_cores(const std::vector<int>& cpus, std::size_t count,
                                   const std::string& sys_cpu) {
  // Layer k holds the (k+1)-th hyperthreads of the physical cores, as far as they are allowed.
  std::vector<std::vector<int>> layers(1);
  std::vector<std::string> seen;  // thread sibling lists, one entry per CPU met
  for (int cpu : cpus) {
    if (layers[0].size() == count) break;
    const std::string siblings = core_of(cpu, sys_cpu);
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

std::vector<int> order_by_core(const std::vector<int>& cpus, const std::string& sys_cpu) {
  std::vector<std::pair<std::string, std::vector<int>>> cores;
  for (const int cpu : cpus) {
    const std::string core = core_of(cpu, sys_cpu);
    auto known = std::find_if(cores.begin(), cores.end(),
                              [&core](const auto& each) { return each.first == core; });
    if (known == cores.end()) known = cores.insert(known, {core, {}});
    known->second.push_back(cpu);
  }
  std::vector<int> order;
  for (const auto& [core, threads] : cores)
    order.insert(order.end(), threads.begin(), threads.end());
  return order;
}

core_sets share_out(const std::vector<int>& cpus, unsigned ranks, std::size_t each,
                    const std::string& sys_cpu) {
  const std::vector<int> order =
      each == 1 ? spread_over_cores(cpus, ranks, sys_cpu) : order_by_core(cpus, sys_cpu);
  core_sets parts;
  for (auto first = order.begin(); parts.size() < ranks; first += std::ptrdiff_t(each))
    parts.emplace_back(first, first + std::ptrdiff_t(each));
  return parts;
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

namespace {

bool claim_first_of_each(const core_sets& plan, core_claims& claims) {
  const bool all = std::all_of(plan.begin(), plan.end(), [&claims](const std::vector<int>& part) {
    return claims.claim(part[0]);
  });
  if (!all) claims.release_all();
  return all;
}

core_sets share_free_cores(unsigned ranks, core_claims& claims) {
  // A quota below the mask means that others run on these cores too: the kernel places us better.
  const double quota = base::cpu_quota();
  const bool limited = quota > 0 && quota < double(base::allowed_cpus().size());
  const std::vector<int> free = unclaimed_cores();
  if (ranks == 1 || limited || free.size() < ranks) return {};
  core_sets plan = share_out(free, ranks, free.size() / ranks);
  return claim_first_of_each(plan, claims) ? plan : core_sets{};
}

core_sets one_core_each(unsigned ranks, core_claims& claims) {
  const std::vector<int> free = unclaimed_cores();
  if (free.size() >= ranks) {
    core_sets plan = share_out(free, ranks, 1);
    if (claim_first_of_each(plan, claims)) return plan;
  }
  const std::vector<int> cpus = base::allowed_cpus();
  const std::vector<int> order = spread_over_cores(cpus, cpus.size());
  core_sets plan;
  for (unsigned rank = 0; rank < ranks; ++rank) plan.push_back({order[rank % order.size()]});
  return plan;
}

}  // namespace

problem plan_cores(const core_wish& wish, unsigned ranks, core_claims& claims, core_sets& plan) {
  plan.clear();
  if (wish.cores_per_rank == 0) {
    if (wish.bind == binding::automatic) plan = share_free_cores(ranks, claims);
    if (wish.bind == binding::core) plan = one_core_each(ranks, claims);
    return {};
  }
  const std::size_t needed = std::size_t{ranks} * wish.cores_per_rank;
  std::vector<int> cpus = unclaimed_cores();
  if (cpus.size() < needed) cpus = base::allowed_cpus();
  if (cpus.size() < needed)
    return {kUsageStatus,
            text("%u ranks with %u cores each need %zu cores, and this process may use %zu; start "
                 "fewer ranks, or let them share cores (--bind none)",
                 ranks, wish.cores_per_rank, needed, cpus.size())};
  plan = share_out(cpus, ranks, wish.cores_per_rank);
  claim_first_of_each(plan, claims);
  return {};
}

std::vector<int> unclaimed_cores() {
  std::vector<int> cpus = base::allowed_cpus();
  std::erase_if(cpus, core_claims::is_claimed);
  return cpus;
}

}  // namespace ramjet::launcher
