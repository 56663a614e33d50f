// SPDX-License-Identifier: Apache-2.0
// Co-processors: in each rank a thread of the library that polls an endpoint of its own, which
// programs do not see. Messages of handlers that are safe there come to it, so the lanes keep one
// writer and one reader, and nothing takes a lock. (Schauser et al. 1996, Exploiting the
// Capabilities of Communications Co-processors, section 3.)
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "ramjet/detail/am/engine.hpp"
#include "ramjet/job.hpp"

namespace ramjet::detail {

// Messages of one or several ports, since the start.
struct traffic {
  std::uint64_t sent = 0, handled = 0;
  friend bool operator==(const traffic&, const traffic&) = default;
  friend traffic operator+(traffic a, traffic b) {
    return {a.sent + b.sent, a.handled + b.handled};
  }
};

// What a port has sent to another one, chained messages among it, and has handled from it.
std::uint64_t sent_to(const pair_counters& c) noexcept;
std::uint64_t handled_from(const pair_counters& c) noexcept;
// What this engine has sent to, and handled from, endpoint `index` of all ranks. Its own thread.
traffic count_traffic(engine& e, unsigned index);

// Whether the ranks of this job have co-processors, and whether one of them serves the accesses to
// all memory of its node. Set before the job is joined.
enum class coprocessors : std::uint8_t { none, each_rank, one_serves_node };
void set_coprocessors(coprocessors which) noexcept;
coprocessors which_coprocessors() noexcept;
bool coprocessors_run() noexcept;
bool one_serves_node() noexcept;
// Whether they and the main programs together outnumber the processors.
bool coprocessors_are_crowded() noexcept;

class coprocessor {
 public:
  // Null and a message if the system gives no thread. The job is joined; main thread, whose engine
  // is open.
  static std::unique_ptr<coprocessor> start(engine& main, std::string& message);
  // Sends what is chained, closes the endpoint, and ends the thread.
  ~coprocessor();
  coprocessor(const coprocessor&) = delete;
  coprocessor& operator=(const coprocessor&) = delete;

  // What it has exchanged with all endpoints 0 and co-processors. The main engine polls meanwhile.
  traffic count();

 private:
  explicit coprocessor(engine& main) : main_(main), main_port_(main.port()) {}
  void serve();
  void answer();

  engine& main_;
  port_line& main_port_;  // where the main program sleeps
  engine engine_;  // the thread's own
  port_line* port_ = nullptr;  // where the thread sleeps; set before open_
  traffic counted_;  // written by the thread before count_taken_
  std::atomic<bool> open_ = false;  // thread: it serves; publishes port_
  std::atomic<bool> stop_ = false;  // main: nothing more comes
  std::atomic<std::uint32_t> count_wanted_ = 0;  // main: counts taken, with this one
  std::atomic<std::uint32_t> count_taken_ = 0;  // thread: counts taken; publishes counted_
  std::thread thread_;
};

// This process's, nullptr if it has none. Main thread.
coprocessor* own_coprocessor() noexcept;

}  // namespace ramjet::detail
