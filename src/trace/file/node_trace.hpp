// SPDX-License-Identifier: Apache-2.0
// A machine's part of its job's trace, where no launcher of ours takes the events: the lowest rank
// there that lives does, in the thread that watches the others, and if it dies the next one goes
// on.
//
// Threads: any; it has a mutex.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "job/join.hpp"
#include "trace/file/part.hpp"

namespace ramjet::trace {

class node_trace {
 public:
  // Null: this job is not traced, or its launcher does it. `object`: the node's memory; it becomes
  // this one's. Every rank of the machine has one.
  static std::unique_ptr<node_trace> open(const job::membership& job, int object);
  ~node_trace();
  node_trace(const node_trace&) = delete;
  node_trace& operator=(const node_trace&) = delete;

  // Whether this rank is the one that writes.
  bool is_mine() const;
  // Takes what is new, if it is time. Returns when it is to be called again,
  // CLOCK_MONOTONIC; 0: never.
  std::uint64_t take(std::uint64_t now_ns);
  // A rank has died, here or on another machine, and under the usual policy its job ends: what the
  // rings hold is written, as there may be no later, and it is said that the trace stays in parts.
  void note_death(unsigned rank);
  // A moment of this machine and of rank 0's, and the job's number.
  void add_clock(const part_clock& clock, std::uint64_t job);
  // What the rings hold is written, and nothing after it: where the machine's ranks live, they note
  // nothing more that is to be told, or their job has failed. A second call does nothing.
  void finish();

  // Another rank of the machine does that.
  void leave_to_others();

  const std::string& file() const { return file_; }  // of the whole trace; absolute
  const std::string& path() const { return path_; }  // of the part
  bool is_written() const;  // the part is there, and whole
  bool is_begun() const;    // the part is there, and may be cut
  // Says on standard error where the part is, if it is written: no trace is made of it.
  void say_it_stays(const char* why) const;

 private:
  node_trace(const job::membership& job, int object, std::uint64_t ring_bytes);
  bool begin();
  ring_life life_of(const traced_ring& ring) const;
  void take_all();
  void say_if_failed();
  void say_stays(const char* why) const;

  const job::membership& job_;
  const int object_;
  const report::node_memory memory_;
  const std::string file_, path_;
  mutable std::mutex mutex_;
  part_writer part_;
  event_taker taker_;
  bool begun_ = false, finished_ = false, failure_said_ = false;
  mutable bool stays_said_ = false;
  std::uint64_t next_ns_ = 0;
};

}  // namespace ramjet::trace
