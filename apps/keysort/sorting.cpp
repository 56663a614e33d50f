// SPDX-License-Identifier: Apache-2.0
#include "sorting.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "../measured/measuring.hpp"
#include "../measured/near.hpp"

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
  key_range r = range_of(keys);
  require(ramjet::all_reduce(r.least, [](key a, key b) { return std::min(a, b); }));
  require(ramjet::all_reduce(r.most, [](key a, key b) { return std::max(a, b); }));
  return bucketing(r);
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
      return "exchanged";
    case way::stored:
      break;
  }
  return "stored";
}

// What is given, what it becomes with a twentieth more, and for an exchange both once more.
std::uint64_t memory_bytes(std::uint64_t keys, int ranks, bool serial_here) {
  const std::uint64_t share = keys / static_cast<std::uint64_t>(ranks) + 1,
                      words = 4 * share + share / 10 + (serial_here ? 2 * keys : 0);
  return words * sizeof(key);
}

void sort_serially(std::span<const key> keys, std::span<key> sorted) {
  if (keys.empty()) return;
  const bucketing b(range_of(keys));
  std::vector<std::uint64_t> ends = counts_of(keys, b), begins(ends.size());
  std::exclusive_scan(ends.begin(), ends.end(), begins.begin(), std::uint64_t{0});
  std::inclusive_scan(ends.begin(), ends.end(), ends.begin());
  bucket_lines lines(bucketing::kBuckets);
  const auto write = [to = sorted.data()](std::size_t, std::uint64_t place,
                                          std::span<const key> line) {
    write_keys(to + place, line);
  };
  lines.start(begins, sorted.data());
  for (const key k : keys) lines.add(b.bucket_of(k), k, write);
  lines.finish(write);
  sort_buckets(sorted, ends, b);
}

sorter::sorter(std::span<const key> keys)
    : keys_(keys),
      owners_(bucketing::kBuckets),
      begins_(bucketing::kBuckets),
      near_(static_cast<std::size_t>(ramjet::size())),
      lines_(bucketing::kBuckets),
      batches_(kBatchBytes) {
  here = this;
  require(ramjet::barrier());
}

sorter::~sorter() { here = nullptr; }

namespace {

auto writing_to(std::span<key> sorted) {
  return [to = sorted.data()](std::size_t, std::uint64_t place, std::span<const key> line) {
    write_keys(to + place, line);
  };
}

}  // namespace

void sorter::put(std::span<const key> keys) {
  const bucketing b = buckets_;
  for (const key k : keys) lines_.add(b.bucket_of(k), k, writing_to(sorted_));
}

bucketing sorter::prepare() {
  buckets_ = bucketing_of_all(keys_);
  counts_ = counts_of(keys_, buckets_);
  std::vector<std::uint64_t> counts = counts_;
  require(ramjet::all_reduce(std::span<std::uint64_t>(counts), std::plus<>()));
  divide(counts);
  make_room();
  const auto me = static_cast<std::size_t>(ramjet::rank());
  const std::uint64_t first = borders_[me].before, end = borders_[me + 1].before;
  ends_.clear();
  std::vector<std::uint64_t> mine(counts.size());
  std::uint64_t before = 0;
  int owner = 0;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    while (borders_[static_cast<std::size_t>(owner) + 1].before <= before &&
           owner + 1 < ramjet::size())
      ++owner;
    const std::uint64_t after = before + counts[b];
    owners_[b] = after <= borders_[static_cast<std::size_t>(owner) + 1].before ? owner : kDivided;
    begins_[b] = before - borders_[static_cast<std::size_t>(owner)].before;
    const std::uint64_t mine_begin = std::max(before, first), mine_end = std::min(after, end);
    if (mine_begin < mine_end) {
      mine[b] = mine_begin - first;
      ends_.push_back(mine_end - first);
    }
    before = after;
  }
  lines_.start(mine, sorted_.data());
  require(ramjet::barrier());  // a key finds its place
  return buckets_;
}

// For the rank that has most.
void sorter::make_room() {
  std::uint64_t most = 1;
  for (std::size_t rank = 0; rank + 1 < borders_.size(); ++rank)
    most = std::max(most, borders_[rank + 1].before - borders_[rank].before);
  if (most > room_keys_) {
    ramjet::all_spread_free(room_);
    room_ = ramjet::all_spread_malloc(near_.size(), most * sizeof(key));
    if (!room_)
      throw measured::failure(
          "no room for the keys in the ranks' segments: ask for fewer by --keys, or make "
          "RAMJET_SEGMENT_BYTES greater");
    room_keys_ = most;
    sorted_here_ = static_cast<key*>(room_.local());
    for (int rank = 0; rank < ramjet::size(); ++rank)
      near_[static_cast<std::size_t>(rank)] = measured::near_address(rank, sorted_here_);
  }
  const auto me = static_cast<std::size_t>(ramjet::rank());
  sorted_ = {near_[me], borders_[me + 1].before - borders_[me].before};
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
    case way::stored:
      store(b);
      break;
  }
  lines_.finish(writing_to(sorted_));
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

std::vector<key*> sorter::near_buckets() const {
  std::vector<key*> found;
  found.reserve(owners_.size());
  for (const int owner : owners_)
    found.push_back(owner == kDivided ? nullptr : near_[static_cast<std::size_t>(owner)]);
  return found;
}

// A rank's keys stand in each bucket after those of lower ranks, so each key's place is known to
// who has it. In a divided bucket it is not, and these keys go as messages.
void sorter::store(const bucketing& b) {
  std::vector<std::uint64_t> places = counts_;
  require(ramjet::exclusive_scan(std::span<std::uint64_t>(places), std::uint64_t{0},
                                 std::plus<>()));
  for (std::size_t k = 0; k < places.size(); ++k) places[k] += begins_[k];
  const std::vector<key*> to = near_buckets();
  const auto write = [this, near = to.data()](std::size_t bucket, std::uint64_t place,
                                              std::span<const key> line) {
    if (near[bucket] != nullptr) return write_keys(near[bucket] + place, line);
    const int owner = owners_[bucket];
    if (owner == kDivided)
      for (const key k : line) require(ramjet::request<&handlers::on_key>(owner_in_divided(k), k));
    else
      ramjet::bulk_store(ramjet::global_ptr<key>(owner, sorted_here_) + place, line.data(),
                         line.size_bytes());
  };
  bucket_lines lines(places.size());
  lines.start(places, nullptr);
  for (const key k : keys_) lines.add(b.bucket_of(k), k, write);
  lines.finish(write);
  require(ramjet::quiesce());
  require(ramjet::all_store_sync());
}

}  // namespace keysort
