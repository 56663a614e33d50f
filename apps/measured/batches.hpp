// SPDX-License-Identifier: Apache-2.0
// Collecting by hand: items to one rank leave as one medium message when there are enough of them.
// What aggregated handlers make superfluous, and what they are measured against.
#pragma once

#include <cstddef>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "program.hpp"

namespace measured {

template <class Item>
class batches {
 public:
  // Of `bytes` bytes each.
  explicit batches(std::size_t bytes)
      : most_(bytes / sizeof(Item)), by_rank_(static_cast<std::size_t>(ramjet::size())) {
    for (std::vector<Item>& batch : by_rank_) batch.reserve(most_);
  }

  // `handler` takes a ramjet::payload of items.
  template <auto handler>
  void add(int rank, const Item& item) {
    std::vector<Item>& batch = by_rank_[static_cast<std::size_t>(rank)];
    batch.push_back(item);
    if (batch.size() == most_) send<handler>(rank, batch);
  }
  // Sends what is left.
  template <auto handler>
  void flush() {
    for (int rank = 0; rank < ramjet::size(); ++rank) {
      std::vector<Item>& batch = by_rank_[static_cast<std::size_t>(rank)];
      if (!batch.empty()) send<handler>(rank, batch);
    }
  }

 private:
  template <auto handler>
  static void send(int rank, std::vector<Item>& batch) {
    require(ramjet::request_medium<handler>(rank, batch.data(), batch.size() * sizeof(Item)));
    batch.clear();
  }

  std::size_t most_;
  std::vector<std::vector<Item>> by_rank_;
};

}  // namespace measured
