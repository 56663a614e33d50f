// SPDX-License-Identifier: Apache-2.0
// Keys go to their owners, in four ways. What a rank was sent is checked without its order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "../measured/batches.hpp"

namespace exchange {

using key = std::uint64_t;

enum class way { natural, aggregated, batched, bucketed };
inline constexpr std::array kWays{way::natural, way::aggregated, way::batched, way::bucketed};
const char* name_of(way w);

// The rank that the highest bits of a key name.
class ownership {
 public:
  explicit ownership(int ranks) : ranks_(static_cast<std::uint64_t>(ranks)) {}
  int owner_of(key k) const { return static_cast<int>((k >> 32) * ranks_ >> 32); }

 private:
  std::uint64_t ranks_;
};

// Any keys in any order come to this, and no others are likely to.
struct digest {
  std::uint64_t count = 0, sum = 0, scrambled_sum = 0;

  void add(key k);
  friend bool operator==(const digest&, const digest&) = default;
};

// Of keys by their owners.
std::vector<digest> digests_of(std::span<const key> keys, int ranks);

// One a rank: its handlers find it.
class exchanger {
 public:
  // Of the keys that this rank sends. Collective.
  explicit exchanger(std::vector<key> keys);
  ~exchanger();
  exchanger(const exchanger&) = delete;
  exchanger& operator=(const exchanger&) = delete;

  // Returns when all ranks have what is theirs. Collective.
  void exchange(way w);
  // What this rank has been sent by exchange().
  std::span<const key> received() const { return received_; }

  // Whether a rank has other keys than it was sent, in all of them. Collective.
  bool is_wrong() const;

 private:
  friend struct handlers;

  void append(std::span<const key> keys) {
    received_.insert(received_.end(), keys.begin(), keys.end());
  }

  void natural();
  void aggregated();
  void batched();
  void bucketed();

  std::vector<key> keys_;
  ownership owners_;
  digest due_;
  std::vector<key> received_;
  measured::batches<key> batches_;
  std::vector<key> buckets_;
};

}  // namespace exchange
