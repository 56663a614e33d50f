// SPDX-License-Identifier: Apache-2.0
// The parallel part. First every rank reads its pieces of the input, cuts them into super-k-mers,
// and sends these, gathered by bin, to the bins' owners. Then each owner counts its bins, one by
// one, in a table that stays in the caches.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bin_store.hpp"
#include "key.hpp"
#include "progress_bar.hpp"
#include "share.hpp"
#include "spectrum.hpp"
#include "word_memory.hpp"

namespace kmer {

inline constexpr std::size_t kGatheredBytes = 1024;  // of each bin, by each rank, until it sends

// The bins of a run: bin b is the b / ranks-th one of rank b % ranks, and each rank has as many.
struct bin_plan {
  std::uint32_t bins = 1;
  std::uint64_t bytes_of_rank = 0;  // that its bins will get, about: one for each k-mer
  std::uint64_t memory_bytes = 0;  // that this rank's store may take
  std::uint64_t table_bytes = 0;   // that the table of a bin may take
};
// For a text of about `text_bytes`, where each rank may take `memory_bytes`.
bin_plan plan_bins(std::uint64_t text_bytes, std::uint64_t memory_bytes, int ranks);

// Where the handlers put what arrives. To be called before any rank sends; `bar` is kRoot's.
void receive_into(bin_store& store, progress_bar* bar);

// Sends the k-mers of these pieces to the owners of their bins, and helps those ranks that read one
// of the job's `streams` streams. Throws input_error, job_error, output_error where this rank
// cannot keep what it got. Gathers in `memory`, which becomes as large as that wants.
void send_kmers(const std::vector<piece>& pieces, unsigned k, std::uint32_t bins, unsigned streams,
                word_memory& memory);

// Counts of a part of a bin: canonical k-mers, in no order.
template <class Key>
struct counted {
  Key kmer;
  std::uint64_t count;
};
// What is taken of a bin, given by its number among this rank's.
struct bin_totals {
  std::size_t bin = 0;
  std::uint64_t entries = 0;   // k-mers
  std::uint64_t greatest = 0;  // count
};
// Takes counts.
template <class Key>
struct taker {
  // Called with one part of a bin after the other. Each has the k-mers of an interval of hash_of(),
  // and the intervals ascend.
  std::function<void(const bin_totals& whole, std::vector<counted<Key>>& part)> take;
  std::uint64_t count_min = 1;  // k-mers that occur less often are left out
  // Whether `whole` is to be known with the first part, for which a bin of several parts is counted
  // twice. Else it is of the parts so far.
  bool whole_first = false;
};

// Counts the bins of this rank into the spectrum, a bin that has too many k-mers for a table of
// `table_bytes` in parts. What was counted goes to `t.take`, too, if there is one. The table is in
// `memory`, and in more where that is too small.
template <class Key>
void count_bins(bin_store& store, unsigned k, std::uint64_t table_bytes, word_memory memory,
                spectrum& s, const taker<Key>& t);

}  // namespace kmer
