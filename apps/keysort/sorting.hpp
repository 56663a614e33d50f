// SPDX-License-Identifier: Apache-2.0
// A sort over all ranks. All ranks count their keys by bucket; buckets are given to the ranks in
// their order, so that each has nearly as many keys, and a bucket that has too many is divided;
// each key goes to its owner, which puts it where its bucket is; then each rank sorts its buckets.
// Ways for keys to go:
//
//   natural    a message for each, whose handler puts it there; gathered by the library
//   batched    the same messages by hand
//   exchanged  put into an array for each rank, and one exchange; then into buckets there
//   stored     each rank works out where its keys stand, and stores them there
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../measured/batches.hpp"
#include "local.hpp"

namespace keysort {

enum class way { natural, batched, exchanged, stored };
inline constexpr std::array kWays{way::natural, way::batched, way::exchanged, way::stored};
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
  // Fills borders_. Collective.
  void divide(std::span<const std::uint64_t> counts);
  // Makes sorted_ as long as borders_ say. Collective.
  void make_room();

  __extension__ using wide = unsigned __int128;  // a place in the range of keys, or its end
  // Keys from least() + begin on that differ in the lowest `shift` bits only.
  struct part {
    wide begin;
    std::uint64_t before, count;  // keys before it, and in it
    int shift;
  };
  std::vector<std::uint64_t> counts_within(const part& p, int shift) const;
  // The part that the key at this place in the order of all is in, of those that follow each other
  // from the beginning of `whole`, with its shift.
  static part part_at(std::uint64_t due, const part& whole, std::span<const std::uint64_t> counts);

  int owner_of(const bucketing& b, key k) const {
    const int owner = owners_[b.bucket_of(k)];
    return owner != kDivided ? owner : owner_in_divided(k);
  }
  int owner_in_divided(key k) const;
  void exchange(const bucketing& b);
  void store(const bucketing& b);
  // By bucket: where its owner's sorted_ begin here; nullptr on another node, or if it is divided.
  std::vector<key*> near_buckets() const;

  static constexpr int kDivided = -1;
  // Where a rank's keys begin: at least() + begin; `before` of all keys are before that.
  struct border {
    wide begin;
    std::uint64_t before;
  };

  std::span<const key> keys_;
  std::vector<border> borders_;  // by rank, and the end of all
  std::vector<int> owners_;  // by bucket; or kDivided
  std::vector<std::uint64_t> counts_;  // by bucket: this rank's keys_
  // By bucket that is not divided: its place in its owner's sorted_.
  std::vector<std::uint64_t> begins_;
  std::vector<std::uint64_t> ends_;  // by bucket of this rank: where it ends in sorted_
  bucketing buckets_{{}};
  // Room for room_keys_ keys in each rank's segment, in which its sorted_ stand.
  ramjet::spread_ptr<void> room_;
  std::uint64_t room_keys_ = 0;
  key* sorted_here_ = nullptr;  // as pointers of the symmetric heap have it
  std::vector<key*> near_;  // by rank: where its sorted_ begin, nullptr on another node
  std::span<key> sorted_;
  bucket_lines lines_;  // of keys that came as messages, on their way into sorted_
  measured::batches<key> batches_;
  std::vector<key> outgoing_, incoming_;  // of exchanged
};

}  // namespace keysort
