// SPDX-License-Identifier: Apache-2.0
// What the ranks of a job do at one moment, and what they have done since an earlier one: for
// observers of a running job (`ramjet top`) and collectors of its counters (`ramjet run
// --metrics-port`). Made of what the ranks write anyway, for hang reports and for flow control:
// looking costs the job nothing but the cache lines that are read.
//
// Threads: one. All numbers come from other processes: they are shown, and nothing is found by
// them but by way of node_memory, which checks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/snapshot.hpp"

namespace ramjet::monitor {

using report::job_snapshot;
using report::readable_job;

// What a rank does. Of a rank in no wait, and of one whose wait has only begun, the processor tells
// no more than that it runs: that it has handled messages since the sample before says that it
// polls.
enum class activity : std::uint8_t {
  unseen,  // on a machine that this one knows nothing of
  starting,  // has not joined the job
  computing,  // in no wait that is shown, and no message was handled
  polling,  // the same, but messages were handled
  handling,  // inside a handler now, and no other was handled: it takes long
  waiting,  // in a wait, awake
  asleep,  // in a wait, until something comes
  blocked,  // in no wait of ours, and asleep in the kernel
  stopped,  // by a signal or a debugger
  left,  // has finalized
  failed,  // has died, or exited without finalize
};
inline constexpr unsigned kActivities = 11;
const char* name_of(activity what);

// Messages and bytes of a rank or of a pair of ranks since the job began.
struct traffic {
  std::uint64_t sent = 0;  // requests and replies
  std::uint64_t handled = 0;
  // In records, whose memory their receiver has given back by credit, and in payload that it has
  // taken. Between nodes unknown.
  std::uint64_t bytes = 0;
};

struct rank_sample {
  activity does = activity::unseen;
  bool seen = false;
  unsigned node = 0;
  pid_t pid = 0;
  std::string call;  // the wait that has lasted longest; empty: none is shown
  int target = -1;  // whom it waits for, -1: any
  std::uint64_t waited_ns = 0;
  traffic out, in;  // sent by it; sent to it
  std::uint64_t far_sent = 0, far_handled = 0;  // of these, to and from other nodes
  std::uint64_t queued = 0;  // on their way to it, or not yet taken
  std::uint64_t in_handler = 0;  // taken, and not done with
  std::uint64_t chained = 0;  // in its own queues, for ranks that have no room
  unsigned full_lanes = 0;  // to which it waits for credit
  std::uint64_t cpu_ns = 0, resident_bytes = 0;
  unsigned threads = 0;
};

// From one rank to another, whatever their endpoints.
struct pair_sample {
  traffic moved;
  std::uint64_t queued = 0, chained = 0;
};
using pair_key = std::pair<unsigned, unsigned>;  // from, to

struct job_sample {
  std::uint64_t taken_ns = 0;
  unsigned nodes = 1;
  std::vector<rank_sample> ranks;
  std::map<pair_key, pair_sample> pairs;  // those with traffic
  job_snapshot waits;  // of all ports

  unsigned count(activity what) const;
};

// Takes samples of one job, one after the other: what a rank has done in between says what it is
// doing, and counts of bytes go on where their words in memory start again from 0. A process that
// has ended keeps the processor time that it was last seen with.
class sampler {
 public:
  job_sample take(const readable_job& job);

 private:
  struct lane_bytes {
    std::uint32_t record_words = 0;  // as last read: a position modulo 2^32
    std::uint64_t bytes = 0;
  };
  void add_lanes(const readable_job& job, job_sample& into);
  void add_bytes(const readable_job& job, job_sample& into);
  void judge(job_sample& into) const;

  void keep_processor_times(job_sample& into);

  struct processor_time {
    pid_t pid = 0;
    std::uint64_t ns = 0;
  };
  std::map<pair_key, lane_bytes> records_;  // by ports
  std::vector<processor_time> times_;  // of each rank, as last seen
  std::vector<std::uint64_t> handled_;  // of each rank, in the sample before
};

// A second's worth of what lies between two samples of a job.
struct rates {
  double sent = 0, handled = 0, bytes_out = 0, bytes_in = 0;
  double far_sent = 0, far_handled = 0;
  double cpu = 0;  // processors
};
std::vector<rates> rates_between(const job_sample& before, const job_sample& after);
struct pair_rates {
  double sent = 0, bytes = 0;
};
std::map<pair_key, pair_rates> pair_rates_between(const job_sample& before,
                                                  const job_sample& after);

// What a rank waits for, whom that one waits for, and so on: a sentence each, until one does not
// wait, waits for any, or stands in the list already.
std::vector<std::string> chain_of_waits(const job_sample& sample, unsigned rank);

}  // namespace ramjet::monitor
