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

namespace kmer {

// The bins of a run: bin b is the b / ranks-th one of rank b % ranks.
struct bin_plan {
  std::uint32_t bins = 1;
  std::uint64_t memory_bytes = 0;  // that this rank's store may take
  std::uint64_t table_bytes = 0;   // that the table of a bin may take
};
// For a text of about `text_bytes`, where each rank may take `memory_bytes`.
bin_plan plan_bins(std::uint64_t text_bytes, std::uint64_t memory_bytes, int ranks);

// Where the handlers put what arrives. To be called before any rank sends; `bar` is kRoot's.
void receive_into(bin_store& store, progress_bar* bar);

// Sends the k-mers of these pieces to the owners of their bins, and helps those ranks that read one
// of the job's `streams` streams. Throws input_error, job_error, output_error where this rank
// cannot keep what it got.
void send_kmers(const std::vector<piece>& pieces, unsigned k, std::uint32_t bins, unsigned streams);

// Counts of one bin, or of a part of it: canonical k-mers, in no order.
template <class Key>
struct counted {
  Key kmer;
  std::uint64_t count;
};
// Takes the counts of a bin, given by its number among this rank's.
template <class Key>
using taker = std::function<void(std::size_t bin, std::vector<counted<Key>>& counts)>;

// Counts the bins of this rank into the spectrum; each goes to `take`, too, if there is one.
template <class Key>
void count_bins(bin_store& store, unsigned k, std::uint64_t table_bytes, spectrum& s,
                const taker<Key>& take);

}  // namespace kmer
