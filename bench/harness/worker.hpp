// SPDX-License-Identifier: Apache-2.0
// One rank of a benchmark's job: meets the others, alternates blocks of ours with blocks of the raw
// limit, and hands the record to the command. The command starts its own executable as ranks.
//
// Threads: the rank's one.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "harness/area.hpp"
#include "harness/benchmark.hpp"
#include "harness/raw.hpp"
#include "harness/raw_tcp.hpp"
#include "harness/samples.hpp"

namespace bench {

// Runs one block; every participant calls it. What rank 0's call returns is the sample.
using block = std::function<double()>;

class worker {
 public:
  // Collective over all ranks of the job.
  worker(const benchmark& b, const effort& how_much);

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  int participants() const { return participants_; }
  bool takes_part() const { return rank_ < participants_; }
  unsigned count(unsigned full) const { return how_much_.count(full); }
  raw_rank& raw() { return raw_; }
  // A plain connection between ranks 0 and 1, made at the first call: of both.
  raw_tcp& tcp();
  shared_area& area() { return *area_; }

  // A barrier of the participants, in which messages are served.
  void meet();
  // From the first participant's begin to the last one's end of a block, in ns, at rank 0. Meets.
  double elapsed_ns(double begin_ns, double end_ns);
  // What rank `from` gives here, at rank 0. Meets.
  double value_of(int from, double mine);

  // Memory in rank 1's segment of which all know the address. Collective over participants.
  std::byte* memory_at_rank_1(std::size_t bytes);

  // Takes a further quantity in turn with ours and the limit, for the params. Before measure.
  void beside(const char* key, block b) { beside_.push_back({key, std::move(b), {}}); }
  // Repeats ours, limit (may be empty) and a raw round trip in turn, and reports the record.
  void measure(const block& ours, const block& limit);
  // Adds to the record's params. Before measure, at rank 0.
  template <class T>
  void note(const char* key, const T& value) {
    params_[key] = value;
  }

  // The raw round trip of ranks 0 and 1 right now, in ns.
  double raw_round_trip_ns();
  // It is this benchmark's limit, and need not be taken twice.
  block raw_round_trip_as_limit();

 private:
  struct companion {
    const char* key;
    block take;
    samples taken;
  };

  bool go_on(unsigned done, double start_ns);
  void report();

  effort how_much_;
  int rank_;
  int ranks_;
  int participants_;
  bool share_cores_;  // more participants than cores
  shared_area* area_ = nullptr;
  raw_rank raw_;
  std::uint64_t meetings_ = 0;
  samples ours_, limit_, raw_trip_;
  std::vector<companion> beside_;
  bool limit_is_raw_trip_ = false;
  json params_ = json::object();
  std::unique_ptr<raw_tcp> tcp_;
};

// The environment variable that names the file of the shared area, where machines are played.
inline constexpr const char* kAreaVariable = "RAMJET_BENCH_AREA";

// The hidden side of `ramjet bench`: the words are those of worker_arguments, argv[0] names the
// benchmark; without any it does nothing. Returns the exit status.
int run_worker(int argc, char** argv);

// The arguments that make run_worker do it.
std::vector<std::string> worker_arguments(std::string_view name, const effort& how_much);

}  // namespace bench
