// SPDX-License-Identifier: Apache-2.0
// A sort over all ranks. All ranks count their keys by bucket; buckets are given to the ranks in
// their order, so that each has nearly as many keys; each key goes to the owner of its bucket,
// which puts it where its bucket is; then each rank sorts its buckets. Ways for keys to go:
//
//   natural    a message for each, whose handler puts it there; gathered by the library
//   batched    the same messages by hand
//   exchanged  put into an array for each rank, and one exchange; then into buckets there
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../measured/batches.hpp"
#include "local.hpp"

namespace keysort {

enum class way { natural, batched, exchanged };
inline constexpr std::array kWays{way::natural, way::batched, way::exchanged};
const char* name_of(way w);

// What a sort of this rank's share of the keys takes in its memory, in bytes, if keys are evenly
// spread; with room for the serial program at one rank.
std::uint64_t memory_bytes(std::uint64_t keys, int ranks, bool serial_here);

// The same by one rank, into `sorted`, which is as long: the limit.
void sort_serially(std::span<const key> keys, std::span<key> sorted);

// One a rank: its handlers find it.
class sorter {
 public:
  // Of this rank's keys, which are to outlive it. Collective.
  explicit sorter(std::span<const key> keys);
  ~sorter();
  sorter(const sorter&) = delete;
  sorter& operator=(const sorter&) = delete;

  // Collective.
  void sort(way w);
  // This rank's keys then: no lower rank has a greater one.
  std::span<const key> sorted() const { return sorted_; }

 private:
  // The handlers' way in.
  friend struct handlers;

  void put(std::span<const key> keys);
  // Counts, gives buckets to ranks, and makes room. Collective.
  bucketing prepare();
  void exchange(const bucketing& b);

  std::span<const key> keys_;
  std::vector<int> owners_;  // by bucket
  std::vector<std::uint64_t> next_;  // by bucket: where its next key goes in sorted_
  std::vector<std::uint64_t> ends_;  // by bucket of this rank: where it ends there
  bucketing buckets_{0, 0};
  std::vector<key> sorted_;
  measured::batches<key> batches_;
  std::vector<key> outgoing_, incoming_;  // of exchanged
};

}  // namespace keysort
