// SPDX-License-Identifier: Apache-2.0
// How ranks do for their machine what a launcher of ours would, where none watches: each watches
// the processes of all others there (pidfd), and reports what hangs when it is asked, or when
// nothing moves. A death that one sees it writes on the board; that several write the same does no
// harm.
//
// Threads: a process_watch belongs to the thread that drives it. A node_watch has a thread of its
// own; it is started and stopped by the one that joins and leaves.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/event_loop.hpp"
#include "job/join.hpp"
#include "report/node_report.hpp"

namespace ramjet::report {

using namespace ramjet::job;

struct seen_death {
  int rank = -1;  // -1: the rank had left in order
  bool first = false;  // of all that watch, this process wrote it on the board
};

// Descriptors for somebody's event loop.
class process_watch {
 public:
  explicit process_watch(const membership& job) : job_(job) {}
  process_watch(const process_watch&) = delete;
  process_watch& operator=(const process_watch&) = delete;
  ~process_watch();

  // Opens one descriptor for each other rank of this machine; all have joined, so their processes
  // stand on the board. One that has ended meanwhile is a death like any other.
  bool begin(std::string& message);

  // Readable once the process has ended. Those that on_ready has seen are closed and left out.
  std::span<const int> descriptors() const noexcept { return descriptors_; }

  // The process behind the descriptor has ended: writes the rank's death on the board, unless it
  // had left.
  seen_death on_ready(int descriptor);

  // Deaths that begin() met with, in the order of ranks; the caller handles them like on_ready's.
  std::vector<seen_death> take_early_deaths() { return std::move(early_); }

 private:
  seen_death note_death(unsigned rank);

  const membership& job_;
  std::vector<int> descriptors_;
  std::vector<unsigned> ranks_;  // of descriptors_, by index
  std::vector<seen_death> early_;
};

// The same with a thread that waits for it, and for what the report has to do.
class node_watch {
 public:
  // Something else that is done periodically: given the time, it returns the next one,
  // CLOCK_MONOTONIC; 0: never again.
  using duty = std::function<std::uint64_t(std::uint64_t now_ns)>;

  // `object`: the memory object of the machine's ranks; it becomes this one's.
  node_watch(const membership& job, int object, duty other = {})
      : watch_(job), report_(job, object), other_(std::move(other)) {}
  node_watch(const node_watch&) = delete;
  node_watch& operator=(const node_watch&) = delete;
  // Ends the thread. Not from within on_death.
  ~node_watch();

  // `on_death` runs on the thread, after the death stands on the board.
  bool start(std::function<void(const seen_death&)> on_death, std::string& message);

 private:
  enum class source : std::uint32_t { stop, process, report };  // process: by its descriptor

  void run();

  base::event_loop<source> loop_;
  process_watch watch_;
  node_report report_;
  std::function<void(const seen_death&)> on_death_;
  duty other_;
  int stop_ = -1;  // eventfd; readable: the thread is to end
  std::thread thread_;
};

}  // namespace ramjet::report
