// SPDX-License-Identifier: Apache-2.0
#include "channel/net/unopened_ports.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/signals.hpp"
#include "channel/net/networks.hpp"
#include "job/join.hpp"

namespace ramjet::channel {

namespace {

// Between two pumps that move nothing. The first message to a port waits for this once or twice,
// while the provider makes a connection.
constexpr std::chrono::milliseconds kPauseMin{1}, kPauseMax{8};

class unopened_ports {
 public:
  void add(unsigned index, unsigned port) {
    const job::membership& m = job::self();
    auto channel = std::make_unique<net_channel>(port, make_network(index, port));
    for (unsigned peer = 0; peer < m.layout.ports; ++peer) {
      const unsigned rank = peer / m.layout.endpoints;
      if (!m.near(rank) && network_to(rank) == index) channel->connect(peer);
    }
    const std::lock_guard lock(mutex_);
    ports_.push_back({index, port, std::move(channel)});
  }

  bool start(std::string& message) {
    if (ports_.empty()) return true;
    const base::signals_blocked quiet;
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error& e) {
      message = std::string(
                    "cannot start the thread that receives for endpoints that are not "
                    "open yet: ") +
                e.what() + "; raise the limit of processes (ulimit -u)";
      return false;
    }
    process_ = ::getpid();
    return true;
  }

  std::unique_ptr<net_channel> take(unsigned index, unsigned port) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        ports_, [&](const unopened& p) { return p.index == index && p.port == port; });
    if (found == ports_.end()) return nullptr;
    std::unique_ptr<net_channel> channel = std::move(found->channel);
    ports_.erase(found);
    return channel;
  }

  std::vector<std::uint32_t> senders_to(unsigned port) {
    constexpr unsigned kPumps = 2;  // every other one receives
    std::vector<std::uint32_t> senders;
    const std::lock_guard lock(mutex_);
    for (const unopened& p : ports_) {
      if (p.port != port) continue;
      for (unsigned i = 0; i < kPumps; ++i) p.channel->pump();
      p.channel->add_senders(senders);
    }
    return senders;
  }

  // Not in a child that a rank forked: the thread is the parent's.
  void end_thread() {
    if (!thread_.joinable() || process_ != ::getpid()) return;
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void close() {
    end_thread();
    ports_.clear();
    ends_ = false;
  }

 private:
  struct unopened {
    unsigned index;  // of the network
    unsigned port;
    std::unique_ptr<net_channel> channel;
  };

  void run() {
    std::unique_lock lock(mutex_);
    std::chrono::milliseconds pause = kPauseMin;
    while (!ends_ && !ports_.empty()) {
      unsigned moved = 0;
      for (const unopened& p : ports_) moved += p.channel->pump();
      pause =
          moved != 0 ? std::chrono::milliseconds{0} : std::clamp(2 * pause, kPauseMin, kPauseMax);
      changed_.wait_for(lock, pause);
    }
  }

  std::mutex mutex_;  // guards the channels, and what is below
  std::condition_variable changed_;
  std::vector<unopened> ports_;
  bool ends_ = false;
  std::thread thread_;  // of the threads that open and close the job, as is process_
  pid_t process_ = 0;  // whose thread it is
};

// Never destroyed: a process may exit while its threads open endpoints.
unopened_ports& the_ports() {
  static auto* const ports = new unopened_ports;
  return *ports;
}

// Where the process just exits: the thread uses libfabric, whose own end comes after this.
struct exit_guard {
  ~exit_guard() { the_ports().end_thread(); }
} guard;

}  // namespace

status attend_unopened_ports(unsigned begin, unsigned end, std::string& message) {
  for (unsigned index = 0; index < networks_in_use(); ++index) {
    if (!network_needs_polls(index)) continue;
    for (unsigned port = begin; port < end; ++port) the_ports().add(index, port);
  }
  return the_ports().start(message) ? status::ok : status::environment;
}

std::unique_ptr<net_channel> take_unopened(unsigned index, unsigned port) {
  return the_ports().take(index, port);
}

std::vector<std::uint32_t> senders_to_unopened(unsigned port) {
  return the_ports().senders_to(port);
}

void close_unopened_ports() { the_ports().close(); }

}  // namespace ramjet::channel
