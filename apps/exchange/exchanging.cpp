// SPDX-License-Identifier: Apache-2.0
#include "exchanging.hpp"

#include <numeric>
#include <utility>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"
#include "../measured/random_words.hpp"

namespace exchange {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 8192;

exchanger* here = nullptr;  // this rank's, for its handlers

std::size_t rank_index(int rank) { return static_cast<std::size_t>(rank); }

// What all ranks will send this one. Collective.
digest due_from_all(std::span<const key> keys) {
  const std::vector<digest> mine = digests_of(keys, ramjet::size());
  std::vector<digest> parts(mine.size());
  require(ramjet::all_to_all(std::span<const digest>(mine), std::span<digest>(parts)));
  digest due;
  for (const digest& d : parts) {
    due.count += d.count;
    due.sum += d.sum;
    due.scrambled_sum += d.scrambled_sum;
  }
  return due;
}

}  // namespace

struct handlers {
  static void on_key(key k) { here->received_.push_back(k); }
  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_keys(std::span<const key> keys) { here->append(keys); }
  static void on_batch(ramjet::payload keys) { here->append(keys.as<const key>()); }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::aggregated:
      return "aggregated";
    case way::batched:
      return "batched";
    case way::bucketed:
      break;
  }
  return "bucketed";
}

void digest::add(key k) {
  ++count;
  sum += k;
  scrambled_sum += measured::scrambled(k);
}

std::vector<digest> digests_of(std::span<const key> keys, int ranks) {
  const ownership owners(ranks);
  std::vector<digest> digests(rank_index(ranks));
  for (const key k : keys) digests[rank_index(owners.owner_of(k))].add(k);
  return digests;
}

exchanger::exchanger(std::vector<key> keys)
    : keys_(std::move(keys)),
      owners_(ramjet::size()),
      due_(due_from_all(keys_)),
      batches_(kBatchBytes),
      buckets_(keys_.size()) {
  // A rank is sent nearly as much as it sends.
  received_.reserve(keys_.size() + keys_.size() / 16);
  here = this;
  require(ramjet::barrier());
}

exchanger::~exchanger() { here = nullptr; }

void exchanger::exchange(way w) {
  received_.clear();
  require(ramjet::barrier());  // a key finds this rank ready
  switch (w) {
    case way::natural:
      return natural();
    case way::aggregated:
      return aggregated();
    case way::batched:
      return batched();
    case way::bucketed:
      return bucketed();
  }
}

void exchanger::natural() {
  for (const key k : keys_) require(ramjet::request<&handlers::on_key>(owners_.owner_of(k), k));
  require(ramjet::quiesce());
}

void exchanger::aggregated() {
  for (const key k : keys_) require(ramjet::request<&handlers::on_keys>(owners_.owner_of(k), k));
  require(ramjet::quiesce());
}

void exchanger::batched() {
  for (const key k : keys_) batches_.add<&handlers::on_batch>(owners_.owner_of(k), k);
  batches_.flush<&handlers::on_batch>();
  require(ramjet::quiesce());
}

// The pass of a radix sort over the bits that name the owner, then one exchange of all buckets.
void exchanger::bucketed() {
  std::vector<std::size_t> counts(rank_index(ramjet::size())), next(counts.size());
  for (const key k : keys_) ++counts[rank_index(owners_.owner_of(k))];
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::size_t{0});
  for (const key k : keys_) buckets_[next[rank_index(owners_.owner_of(k))]++] = k;
  std::vector<std::size_t> due(counts.size());
  require(ramjet::all_to_all(std::span<const std::size_t>(counts), std::span<std::size_t>(due)));
  received_.resize(std::accumulate(due.begin(), due.end(), std::size_t{0}));
  require(ramjet::all_to_all(std::span<const key>(buckets_), std::span<const std::size_t>(counts),
                             std::span<key>(received_), std::span<const std::size_t>(due)));
}

bool exchanger::is_wrong() const {
  digest found;
  bool strange = false;
  for (const key k : received_) {
    found.add(k);
    strange = strange || owners_.owner_of(k) != ramjet::rank();
  }
  return measured::sum_over_ranks(strange || !(found == due_)) > 0;
}

}  // namespace exchange
