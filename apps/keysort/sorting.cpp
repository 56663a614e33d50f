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
  divide(counts);
  const auto me = static_cast<std::size_t>(ramjet::rank());
  const std::uint64_t first = borders_[me].before, end = borders_[me + 1].before;
  ends_.clear();
  std::uint64_t before = 0;
  int owner = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    while (borders_[static_cast<std::size_t>(owner) + 1].before <= before &&
           owner + 1 < ramjet::size())
      ++owner;
    const std::uint64_t after = before + counts[b];
    owners_[b] = after <= borders_[static_cast<std::size_t>(owner) + 1].before ? owner : kDivided;
    const std::uint64_t mine_begin = std::max(before, first), mine_end = std::min(after, end);
    if (mine_begin < mine_end) {
      next_[b] = mine_begin - first;
      ends_.push_back(mine_end - first);
    }
    before = after;
  }
  sorted_.resize(end - first);
  require(ramjet::barrier());  // a key finds its place
  return buckets_;
}

// A border between two ranks is that of a bucket, but where the bucket holds too many keys for that
// it is sought among its keys, by twelve more bits at a time. Equal keys are not divided.
void sorter::divide(std::span<const std::uint64_t> counts) {
  const auto ranks = static_cast<std::uint64_t>(ramjet::size());
  const std::uint64_t all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}),
                      few = std::max<std::uint64_t>(all / ranks / 20, 16);
  borders_.assign(1, {0, 0});
  for (std::uint64_t rank = 1; rank < ranks; ++rank) {
    const std::uint64_t due = all / ranks * rank + all % ranks * rank / ranks;
    part p = part_at(due, {0, 0, all, buckets_.low_bits()}, counts);
    while (p.count > few && p.shift > 0) {
      const int shift = std::max(p.shift - bucketing::kBits, 0);
      p = part_at(due, {p.begin, p.before, p.count, shift}, counts_within(p, shift));
    }
    const bool whole = due - p.before > p.count / 2;  // goes to the rank before the border
    borders_.push_back(whole ? border{p.begin + (wide{1} << p.shift), p.before + p.count}
                             : border{p.begin, p.before});
  }
  borders_.push_back({wide{1} << 64, all});
}

// How many keys of all ranks are in each of the parts of p that differ in the bits from `shift` on.
// Collective.
std::vector<std::uint64_t> sorter::counts_within(const part& p, int shift) const {
  std::vector<std::uint64_t> counts(std::size_t{1} << (p.shift - shift));
  for (const key k : keys_) {
    const wide at = k - buckets_.least();
    if (at >= p.begin && (at - p.begin) >> p.shift == 0)
      ++counts[static_cast<std::size_t>((at - p.begin) >> shift)];
  }
  require(ramjet::all_reduce(std::span<std::uint64_t>(counts), std::plus<>()));
  return counts;
}

sorter::part sorter::part_at(std::uint64_t due, const part& whole,
                             std::span<const std::uint64_t> counts) {
  part p = whole;
  for (const std::uint64_t count : counts) {
    p.count = count;
    if (due < p.before + count) break;
    p.before += count;
    p.begin += wide{1} << p.shift;
    p.count = 0;
  }
  return p;
}

int sorter::owner_in_divided(key k) const {
  const auto after = std::upper_bound(borders_.begin(), borders_.end() - 1, k - buckets_.least(),
                                      [](wide at, const border& b) { return at < b.begin; });
  return static_cast<int>(after - borders_.begin()) - 1;
}

void sorter::sort(way w) {
  const bucketing b = prepare();
  switch (w) {
    case way::natural:
      for (const key k : keys_) require(ramjet::request<&handlers::on_key>(owner_of(b, k), k));
      require(ramjet::quiesce());
      break;
    case way::batched:
      for (const key k : keys_) batches_.add<&handlers::on_batch>(owner_of(b, k), k);
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
  const auto to = [&](key k) { return static_cast<std::size_t>(owner_of(b, k)); };
  std::vector<std::size_t> counts(static_cast<std::size_t>(ramjet::size())), next(counts.size()),
      due(counts.size());
  for (const key k : keys_) ++counts[to(k)];
  std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::size_t{0});
  outgoing_.resize(keys_.size());
  for (const key k : keys_) outgoing_[next[to(k)]++] = k;
  require(ramjet::all_to_all(std::span<const std::size_t>(counts), std::span<std::size_t>(due)));
  incoming_.resize(sorted_.size());
  require(ramjet::all_to_all(std::span<const key>(outgoing_), std::span<const std::size_t>(counts),
                             std::span<key>(incoming_), std::span<const std::size_t>(due)));
  put(incoming_);
}

}  // namespace keysort
