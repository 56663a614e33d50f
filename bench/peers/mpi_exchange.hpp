// SPDX-License-Identifier: Apache-2.0
// exchange_keys by MPI: random 64-bit keys to the ranks that own them, as a sort does it. One pass
// counts, one puts the keys into a bucket for each rank, MPI_Alltoallv exchanges the buckets; the
// clock runs over all of it. They are as many keys as the application exchange sends.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "measure.hpp"

namespace peers {

class mpi_exchange {
 public:
  mpi_exchange(int rank, int ranks, int keys)
      : ranks_(ranks), rank_(rank), keys_(static_cast<size_t>(keys)), buckets_(keys_.size()) {
    std::mt19937_64 random(static_cast<uint64_t>(rank) + 1);
    for (uint64_t& key : keys_) key = random();
  }

  // Millions of keys a second by each rank.
  double rate() {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start_ns = now_ns();
    exchange();
    MPI_Barrier(MPI_COMM_WORLD);
    const double ns = now_ns() - start_ns;
    check();
    return static_cast<double>(keys_.size()) / ns * 1e3;
  }

 private:
  size_t owner_of(uint64_t key) const {
    return static_cast<size_t>((key >> 32) * static_cast<uint64_t>(ranks_) >> 32);
  }

  static std::vector<int> begins_of(const std::vector<int>& counts) {
    std::vector<int> begins(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    return begins;
  }

  void exchange() {
    std::vector<int> counts(static_cast<size_t>(ranks_)), due(counts.size());
    for (const uint64_t key : keys_) ++counts[owner_of(key)];
    const std::vector<int> begins = begins_of(counts);
    std::vector<int> next = begins;
    for (const uint64_t key : keys_) {
      buckets_[static_cast<size_t>(next[owner_of(key)]++)] = key;
    }
    MPI_Alltoall(counts.data(), 1, MPI_INT, due.data(), 1, MPI_INT, MPI_COMM_WORLD);
    const std::vector<int> due_begins = begins_of(due);
    received_.resize(static_cast<size_t>(std::accumulate(due.begin(), due.end(), 0)));
    MPI_Alltoallv(buckets_.data(), counts.data(), begins.data(), MPI_UINT64_T, received_.data(),
                  due.data(), due_begins.data(), MPI_UINT64_T, MPI_COMM_WORLD);
  }

  // Every rank has its own keys, and all of them together are those that were sent.
  void check() const {
    uint64_t sent[2] = {keys_.size(), std::accumulate(keys_.begin(), keys_.end(), uint64_t{0})};
    uint64_t found[2] = {received_.size(), 0};
    for (const uint64_t key : received_) {
      PEERS_CHECK(owner_of(key) == static_cast<size_t>(rank_));
      found[1] += key;
    }
    MPI_Allreduce(MPI_IN_PLACE, sent, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    PEERS_CHECK(sent[0] == found[0] && sent[1] == found[1]);
  }

  int ranks_, rank_;
  std::vector<uint64_t> keys_, buckets_, received_;
};

// The row, without a limit: there is none by hand but what this is.
inline record exchange_record(const plan& run, int rank, int ranks) {
  constexpr int kKeys = 2'000'000, kRepeatsMax = 15;
  mpi_exchange keys(rank, ranks, run.count(kKeys));
  keys.rate();
  std::vector<double> rates;
  for (int i = 0; i < std::min(run.repeats, kRepeatsMax); ++i) rates.push_back(keys.rate());
  return {
      .name = "exchange_keys", .unit = "M/s", .measured = {.value = median(rates)}, .ranks = ranks};
}

}  // namespace peers
