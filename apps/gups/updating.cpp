// SPDX-License-Identifier: Apache-2.0
#include "updating.hpp"

#include <algorithm>
#include <numeric>

#include "../measured/measuring.hpp"

namespace gups {
namespace {

using measured::require;

constexpr std::size_t kBatchBytes = 4096;  // 512 updates: the rules allow 1024 in a rank's hands

updater* here = nullptr;  // this rank's, for its handlers

}  // namespace

struct handlers {
  // Its messages are aggregated by the library, as it takes them by blocks.
  static void on_update(std::span<const word> values) { here->apply(values); }
  static void on_batch(ramjet::payload values) { here->apply(values.as<const word>()); }
};

const char* name_of(way w) {
  switch (w) {
    case way::natural:
      return "natural";
    case way::batched:
      return "batched";
    case way::atomic:
      break;
  }
  return "atomic";
}

stream_part part_of(std::uint64_t updates, int rank, int ranks) {
  const auto begin = [&](int r) {
    return updates / static_cast<std::uint64_t>(ranks) * static_cast<std::uint64_t>(r) +
           std::min(updates % static_cast<std::uint64_t>(ranks), static_cast<std::uint64_t>(r));
  };
  return {begin(rank) + 1, begin(rank + 1) - begin(rank)};
}

void fill(std::span<word> table, std::uint64_t first) {
  std::iota(table.begin(), table.end(), first);
}

void update_serially(std::span<word> table) {
  const std::uint64_t mask = table.size() - 1;
  word a = 1;
  for (std::uint64_t k = 0; k < kUpdatesPerWord * table.size(); ++k) {
    a = after(a);
    table[a & mask] ^= a;
  }
}

updater::updater(std::uint64_t scale, bool atomics)
    : mask_((std::uint64_t{1} << scale) - 1),
      owners_(mask_ + 1, ramjet::size()),
      first_(owners_.begin_of(ramjet::rank())),
      table_(owners_.begin_of(ramjet::rank() + 1) - first_),
      batches_(kBatchBytes) {
  if (atomics) {
    std::uint64_t most = table_.size();
    require(ramjet::all_reduce(most, [](auto a, auto b) { return std::max(a, b); }));
    spread_ = ramjet::all_spread_malloc<word>(most * static_cast<std::uint64_t>(ramjet::size()));
    if (!spread_)
      throw measured::failure(
          "no room for the table in the ranks' segments: lower --scale, or make "
          "RAMJET_SEGMENT_BYTES greater");
  }
  here = this;
  require(ramjet::barrier());
}

updater::~updater() { here = nullptr; }

void updater::fill(way w) {
  gups::fill({w == way::atomic ? spread_.local() : table_.data(), table_.size()}, first_);
}

void updater::update(way w) {
  const measured::ownership owners = owners_;
  const std::uint64_t mask = mask_;
  switch (w) {
    case way::natural:
      return each([=](word a) {
        require(ramjet::request<&handlers::on_update>(owners.owner_of(a & mask), a));
      });
    case way::batched:
      each([this, owners, mask](word a) {
        batches_.add<&handlers::on_batch>(owners.owner_of(a & mask), a);
      });
      batches_.flush<&handlers::on_batch>();
      return require(ramjet::quiesce());
    case way::atomic:
      return by_atomics();
  }
}

void updater::apply(std::span<const word> values) {
  constexpr std::size_t kAhead = 16;
  word* const table = table_.data() - first_;
  const std::size_t last = values.size() - 1;
  for (std::size_t k = 0; k < values.size(); ++k) {
    __builtin_prefetch(&table[values[std::min(k + kAhead, last)] & mask_], 1);
    table[values[k] & mask_] ^= values[k];
  }
}

template <class Send>
void updater::each(Send&& send) const {
  const stream_part part = part_of(kUpdatesPerWord * (mask_ + 1), ramjet::rank(), ramjet::size());
  word a = word_at(part.first - 1);
  for (std::uint64_t k = 0; k < part.count; ++k) {
    a = after(a);
    send(a);
  }
  require(ramjet::quiesce());
}

void updater::by_atomics() {
  const auto ranks = static_cast<std::uint64_t>(ramjet::size());
  std::vector<std::uint64_t> begins;
  for (int rank = 0; rank < ramjet::size(); ++rank) begins.push_back(owners_.begin_of(rank));
  each([&](word a) {
    const std::uint64_t i = a & mask_;
    const auto owner = static_cast<std::size_t>(owners_.owner_of(i));
    ramjet::fetch_xor(spread_ + static_cast<std::int64_t>((i - begins[owner]) * ranks + owner), a);
  });
}

}  // namespace gups
