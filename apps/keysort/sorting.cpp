// SPDX-License-Identifier: Apache-2.0
#include "sorting.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "../measured/measuring.hpp"

namespace keysort {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 8192;

sorter* here = nullptr;  // this rank's, for its handlers

std::vector<std::uint64_t> counts_of(std::span<const key> keys, const bucketing& b) {
  std::vector<std::uint64_t> counts(bucketing::kBuckets);
  for (const key k : keys) ++counts[b.bucket_of(k)];
  return counts;
}

void sort_buckets(std::span<key> keys, std::span<const std::uint64_t> ends, const bucketing& b) {
  bucket_sorter one(b);
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    one.sort(keys.subspan(begin, end - begin));
    begin = end;
  }
}

// Of all keys there are. Collective.
bucketing bucketing_of_all(std::span<const key> keys) {
  key least = UINT64_MAX, most = 0;
  for (const key k : keys) {
    least = std::min(least, k);
    most = std::max(most, k);
  }
  require(ramjet::all_reduce(least, [](key a, key b) { return std::min(a, b); }));
  require(ramjet::all_reduce(most, [](key a, key b) { return std::max(a, b); }));
  return {least, most};
}

}  // namespace

struct handlers {
  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_key(std::span<const key> keys) { here->put(keys); }
  static void on_batch(ramjet::payload keys) { here->put(keys.as<const key>()); }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::batched:
      return "batched";
    case way::exchanged:
      break;
  }
  return "exchanged";
}

// What is given, what it becomes with a twentieth more, and for an exchange both once more.
std::uint64_t memory_bytes(std::uint64_t keys, int ranks, bool serial_here) {
  const std::uint64_t share = keys / static_cast<std::uint64_t>(ranks) + 1,
                      words = 4 * share + share / 10 + (serial_here ? 2 * keys : 0);
  return words * sizeof(key);
}

void sort_serially(std::span<const key> keys, std::span<key> sorted) {
  if (keys.empty()) return;
  const auto [least, most] = std::minmax_element(keys.begin(), keys.end());
  const bucketing b(*least, *most);
  std::vector<std::uint64_t> ends = counts_of(keys, b), next(ends.size());
  std::exclusive_scan(ends.begin(), ends.end(), next.begin(), std::uint64_t{0});
  for (const key k : keys) sorted[next[b.bucket_of(k)]++] = k;
  sort_buckets(sorted, next, b);
}

sorter::sorter(std::span<const key> keys)
    : keys_(keys), owners_(bucketing::kBuckets), next_(bucketing::kBuckets), batches_(kBatchBytes) {
  here = this;
  require(ramjet::barrier());
}

sorter::~sorter() { here = nullptr; }

void sorter::put(std::span<const key> keys) {
  const bucketing b = buckets_;
  key* const sorted = sorted_.data();
  std::uint64_t* const next = next_.data();
  for (const key k : keys) sorted[next[b.bucket_of(k)]++] = k;
}

bucketing sorter::prepare() {
  buckets_ = bucketing_of_all(keys_);
  std::vector<std::uint64_t> counts = counts_of(keys_, buckets_);
  require(ramjet::all_reduce(std::span<std::uint64_t>(counts), std::plus<>()));
  const auto ranks = static_cast<std::uint64_t>(ramjet::size());
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  std::uint64_t before = 0, mine = 0;
  ends_.clear();
  for (std::size_t b = 0; b < counts.size(); ++b) {
    // The rank that the middle of the bucket falls into.
    const std::uint64_t middle = before + counts[b] / 2;
    owners_[b] =
        static_cast<int>(std::min(middle * ranks / std::max<std::uint64_t>(all, 1), ranks - 1));
    before += counts[b];
    if (owners_[b] != ramjet::rank()) continue;
    next_[b] = mine;
    ends_.push_back(mine += counts[b]);
  }
  sorted_.resize(mine);
  require(ramjet::barrier());  // a key finds its place
  return buckets_;
}

void sorter::sort(way w) {
  const bucketing b = prepare();
  const int* const owners = owners_.data();
  switch (w) {
    case way::natural:
      for (const key k : keys_)
        require(ramjet::request<&handlers::on_key>(owners[b.bucket_of(k)], k));
      require(ramjet::quiesce());
      break;
    case way::batched:
      for (const key k : keys_) batches_.add<&handlers::on_batch>(owners[b.bucket_of(k)], k);
      batches_.flush<&handlers::on_batch>();
      require(ramjet::quiesce());
      break;
    case way::exchanged:
      exchange(b);
      break;
  }
  sort_buckets(sorted_, ends_, b);
}

void sorter::exchange(const bucketing& b) {
  const auto owner_of = [&](key k) { return static_cast<std::size_t>(owners_[b.bucket_of(k)]); };
  std::vector<std::size_t> counts(static_cast<std::size_t>(ramjet::size())), next(counts.size()),
      due(counts.size());
  for (const key k : keys_) ++counts[owner_of(k)];
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::size_t{0});
  outgoing_.resize(keys_.size());
  for (const key k : keys_) outgoing_[next[owner_of(k)]++] = k;
  require(ramjet::all_to_all(std::span<const std::size_t>(counts), std::span<std::size_t>(due)));
  incoming_.resize(sorted_.size());
  require(ramjet::all_to_all(std::span<const key>(outgoing_), std::span<const std::size_t>(counts),
                             std::span<key>(incoming_), std::span<const std::size_t>(due)));
  put(incoming_);
}

}  // namespace keysort
