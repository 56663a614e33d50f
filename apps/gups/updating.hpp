// SPDX-License-Identifier: Apache-2.0
// The updates of RandomAccess: table[a mod size] ^= a for each word a of the stream, of which every
// rank has a part of one length; a block of the table to a rank. Three ways:
//
//   natural   a message for each update, which the owner of the word applies; gathered by the
//             library
//   batched   the same messages by hand
//   atomic    fetch_xor by a global pointer
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../measured/batches.hpp"
#include "../measured/ownership.hpp"
#include "stream.hpp"

namespace gups {

enum class way { natural, batched, atomic };
inline constexpr std::array kWays{way::natural, way::batched, way::atomic};
const char* name_of(way w);

// Updates of each word of a table of 2^scale words, on the average.
inline constexpr std::uint64_t kUpdatesPerWord = 4;

// A part of the stream: words first, first + 1, ... of it, from 1 on.
struct stream_part {
  std::uint64_t first, count;
};
stream_part part_of(std::uint64_t updates, int rank, int ranks);

// table[k] = k from `first` on.
void fill(std::span<word> table, std::uint64_t first);
// All updates of a whole table by one rank, without a message: the limit.
void update_serially(std::span<word> table);

// One a rank: its handlers find it.
class updater {
 public:
  // Tables of 2^scale words over all ranks, that of `atomic` in the segments until the job ends;
  // throws measured::failure if there is no room. Collective.
  updater(std::uint64_t scale, bool atomics);
  ~updater();
  updater(const updater&) = delete;
  updater& operator=(const updater&) = delete;

  // Fills a table and makes the updates. update() is what is measured. Collective.
  void fill(way w);
  void update(way w);
  // This rank's block of the table, and its first word.
  std::span<const word> table(way w) const {
    return w == way::atomic ? std::span<const word>(spread_.local(), table_.size())
                            : std::span<const word>(table_);
  }
  std::uint64_t first() const { return first_; }

 private:
  // The handlers' way in.
  friend struct handlers;

  void apply(std::span<const word> values);
  template <class Send>
  void each(Send&& send) const;
  void by_atomics();

  std::uint64_t mask_;
  measured::ownership owners_;
  std::uint64_t first_;
  std::vector<word> table_;
  ramjet::spread_ptr<word> spread_;  // row k of rank r at k * P + r
  measured::batches<word> batches_;
};

}  // namespace gups
