// SPDX-License-Identifier: Apache-2.0
// The second half: counting the bins of this rank.
#include "counting.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <ramjet/ramjet.hpp>

#include "count_table.hpp"
#include "failure.hpp"
#include "progress.hpp"
#include "super_kmer.hpp"

namespace kmer {
namespace {

template <class Key>
class bin_counter {
 public:
  bin_counter(bin_store& store, unsigned k, std::uint64_t table_bytes, word_memory memory,
              spectrum& s)
      : store_(store),
        k_(k),
        keys_max_(keys_in(table_bytes)),
        spectrum_(s),
        table_(std::move(memory)) {}

  void count(std::size_t bin, const taker<Key>& t) {
    const std::uint64_t kmers = store_.kmers_in(bin);
    if (kmers == 0) return;
    // Were all of the bin's k-mers different, the table would hold them in this many parts.
    const std::uint64_t parts = (kmers + keys_max_ - 1) / keys_max_;
    const bool twice = t.take && t.whole_first && parts > 1;
    bin_totals totals{.bin = bin};
    for (std::uint64_t part = 0; part < parts; ++part) {
      fill(bin, part, parts, kmers);
      sum_up(t.count_min, totals);
      seen_ += kmers / parts;
      different_ += table_.distinct();
      if (t.take && !twice) hand_on(t, totals);
    }
    for (std::uint64_t part = 0; twice && part < parts; ++part) {
      fill(bin, part, parts, kmers);
      hand_on(t, totals);
    }
    store_.release(bin);
  }

 private:
  static std::uint64_t keys_in(std::uint64_t bytes) {
    std::uint64_t keys = 1024;
    while (count_table<Key>::bytes_for(2 * keys) <= bytes) keys *= 2;
    return keys;
  }

  // Bins are alike: as many of the k-mers will differ as did so far.
  std::uint64_t expected(std::uint64_t kmers) const {
    if (seen_ == 0) return kmers / 4;
    const double share = static_cast<double>(different_) / static_cast<double>(seen_);
    return static_cast<std::uint64_t>(std::min(1.0, share) * static_cast<double>(kmers));
  }

  void fill(std::size_t bin, std::uint64_t part, std::uint64_t parts, std::uint64_t kmers) {
    table_.reset(expected(kmers / parts), parts);
    bool sound = true;
    const auto add = [this](Key key) { table_.add(key); };
    const auto add_part = [this, part, parts](Key key) {
      if (count_table<Key>::part_of(key, parts) == part) table_.add(key);
    };
    const bool read = store_.for_each_chunk(bin, [&](const char* at, const char* end) {
      sound &= parts == 1 ? super_kmer::for_each_kmer<Key>(at, end, k_, add)
                          : super_kmer::for_each_kmer<Key>(at, end, k_, add_part);
    });
    if (!read) throw output_error(store_.problem());
    if (!sound) throw output_error("a super-k-mer was cut on its way");
    table_.flush();
  }

  // Small counts, of which there are most, are summed up here, in turns: two neighbours with the
  // same count need not wait for each other's sum.
  void sum_up(std::uint64_t count_min, bin_totals& totals) {
    constexpr std::uint64_t kSmall = 256;
    std::array<std::array<std::uint64_t, kSmall>, 2> small{};
    unsigned turn = 0;
    const auto add = [&](std::uint64_t count, std::uint64_t number) {
      spectrum_.add(count, number);
      if (number == 0 || count < count_min) return;
      totals.entries += number;
      totals.greatest = std::max(totals.greatest, count);
    };
    table_.for_each([&](const auto& slot) {
      if (slot.count < kSmall) [[likely]] {
        ++small[turn ^= 1][slot.count];
      } else {
        add(slot.count, 1);
      }
    });
    for (std::uint64_t count = 1; count < kSmall; ++count) {
      add(count, small[0][count] + small[1][count]);
    }
  }

  void hand_on(const taker<Key>& t, const bin_totals& totals) {
    counts_.clear();
    counts_.reserve(table_.distinct());
    table_.for_each([&](const auto& slot) {
      if (slot.count >= t.count_min) counts_.push_back({slot.key, slot.count});
    });
    t.take(totals, counts_);
  }

  bin_store& store_;
  unsigned k_;
  std::uint64_t keys_max_;
  spectrum& spectrum_;
  count_table<Key> table_;
  std::uint64_t seen_ = 0, different_ = 0;  // k-mers of the bins so far
  std::vector<counted<Key>> counts_;
};

}  // namespace

template <class Key>
void count_bins(bin_store& store, unsigned k, std::uint64_t table_bytes, word_memory memory,
                spectrum& s, const taker<Key>& t) {
  bin_counter<Key> counter(store, k, table_bytes, std::move(memory), s);
  for (std::size_t bin = 0; bin < store.bins(); ++bin) {
    const std::uint64_t bytes = store.bytes_in(bin);
    counter.count(bin, t);
    report_progress(bytes);
  }
}

template void count_bins(bin_store&, unsigned, std::uint64_t, word_memory, spectrum&,
                         const taker<narrow_key>&);
template void count_bins(bin_store&, unsigned, std::uint64_t, word_memory, spectrum&,
                         const taker<wide_key>&);

bin_plan plan_bins(std::uint64_t text_bytes, std::uint64_t memory_bytes, int ranks) {
  constexpr std::uint64_t kKmersInBin = 128 * 1024;  // 4 to 8 MiB of table if all differ
  constexpr std::uint64_t kKmersWorthABin = 2 * 1024;
  constexpr std::uint64_t kBinsMax = 4096;
  // Where ranks are many, their tables are most of the memory, and clearing them takes long. So
  // they are kept small there, by more bins than ranks of like loads would want.
  constexpr std::uint64_t kBinsOfRankMin = 16;
  const auto all = static_cast<std::uint64_t>(ranks);
  const std::uint64_t share = text_bytes / all;
  const std::uint64_t open_max = memory_bytes / 4 / bin_store::kChunkBytes;  // chunks
  const std::uint64_t gathered_max = memory_bytes / 8 / kGatheredBytes / all;  // for each rank
  const std::uint64_t wanted =
      std::clamp(share / kKmersInBin, kBinsOfRankMin, std::max(kBinsMax / all, kBinsOfRankMin));
  const std::uint64_t worth = share / kKmersWorthABin;
  const std::uint64_t of_rank =
      std::max<std::uint64_t>(1, std::min({wanted, worth, open_max, gathered_max}));
  bin_plan plan;
  plan.bins = static_cast<std::uint32_t>(all * of_rank);
  plan.bytes_of_rank = share;
  plan.memory_bytes = memory_bytes / 2;
  plan.table_bytes = memory_bytes / 4;
  return plan;
}

}  // namespace kmer
