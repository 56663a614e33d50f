// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/memory/hierarchy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "tools/characterize/drift.hpp"
#include "tools/characterize/memory/chain.hpp"
#include "tools/characterize/stopwatch.hpp"

namespace characterize {
namespace {

constexpr std::size_t kLine = 64;  // distance of reads where lines are not the question
constexpr std::size_t kFirstBytes = 4096;
constexpr std::size_t kSmallPage = 4096;
// Pairs of reads for the line lie this far apart, so that few sets of the first cache hold them
// all.
constexpr std::size_t kPairBlock = 1024;
constexpr unsigned kPairRounds = 9;
constexpr unsigned kWaysMost = 40;
constexpr unsigned kPagesMost = 4096;
constexpr double kMissFactor = 1.15;     // pairs that take this much longer miss twice
constexpr double kConflictFactor = 1.5;
constexpr double kFlat = 0.15;

class prober {
 public:
  prober(const memory_plan& plan, memory_results& out) : plan_(plan), out_(out) {}

  void take_by_size();
  void take_gathers();
  void take_line();
  void take_ways();
  void take_first_touches();
  void take_pages();
  void take_page_size();
  void take_strides();

 private:
  double read_ns(const area& in, const offsets& order);
  double pages_ns(const area& in, unsigned count, std::size_t apart);
  // How fast the core itself is now: reads that always hit.
  void look_for_drift();

  const memory_plan& plan_;
  memory_results& out_;
  random_bits random_{plan_.seed};
  drift_watch drift_;
};

double prober::read_ns(const area& in, const offsets& order) {
  chain c(in, order);
  return measure([&] { return c.read_ns(plan_.reads); }, plan_.each).median;
}

void prober::look_for_drift() {
  const area small(kFirstBytes, pages::small);
  drift_.note(read_ns(small, shuffled(kFirstBytes, kLine, random_)));
  out_.drift = drift_.ratio();
}

void prober::take_by_size() {
  const area whole(plan_.bytes_most, pages::huge);
  out_.huge_pages = whole.has_huge_pages();
  const double step = std::exp2(1.0 / plan_.points_per_octave);
  for (double size = kFirstBytes; size < double(plan_.bytes_most) * 1.01; size *= step) {
    const std::size_t bytes = std::min(std::size_t(size) / kLine * kLine, plan_.bytes_most);
    out_.by_size.push_back({double(bytes), read_ns(whole, shuffled(bytes, kLine, random_))});
  }
  out_.levels = find_levels(out_.by_size);
  look_for_drift();
}

// A list names two places for each line of the array, so that nearly all of it is read; it shares
// the caches, so it is no longer than that.
void prober::take_gathers() {
  constexpr std::size_t kPlacesMin = 1 << 16, kPlacesMost = 1 << 22;
  const area whole(plan_.bytes_most, pages::huge);
  for (std::size_t bytes = kFirstBytes; bytes <= plan_.bytes_most; bytes *= 2) {
    std::uniform_int_distribution<std::uint32_t> word(0, std::uint32_t(bytes / 8 - 1));
    offsets places(std::clamp(bytes / kLine * 2, kPlacesMin, kPlacesMost));
    for (std::uint32_t& place : places) place = 8 * word(random_);
    const auto sample = [&] { return gather_ns(whole, places, plan_.reads); };
    sample();
    out_.gathers.push_back({double(bytes), measure(sample, plan_.each).median});
  }
  look_for_drift();
}

// Pairs at random places in the second level: the second read of a pair is a hit in the first if
// the one before has brought its line. The distances take turns, and the fastest round of each
// counts.
void prober::take_line() {
  if (out_.levels.size() < 2 || !out_.levels[1].capacity) return;
  const auto bytes = std::size_t(*out_.levels[1].capacity) / 2;
  const area whole(bytes, pages::huge);
  const offsets blocks = shuffled(bytes, kPairBlock, random_);
  for (unsigned round = 0; round < kPairRounds; ++round) {
    std::size_t i = 0;
    for (std::size_t apart = 8; apart < kPairBlock; apart *= 2, ++i) {
      offsets order;
      for (const std::uint32_t block : blocks) {
        order.push_back(block);
        order.push_back(block + std::uint32_t(apart));
      }
      const double ns = chain(whole, order).read_ns(plan_.reads);
      if (round == 0) out_.second_reads.push_back({double(apart), ns});
      out_.second_reads[i].ns = std::min(out_.second_reads[i].ns, ns);
    }
  }
  if (const auto line = first_slower(out_.second_reads, kMissFactor))
    out_.line_bytes = std::size_t(*line);
  look_for_drift();
}

// Addresses that lie a multiple of a way apart share a set, which holds as many lines as it has
// ways.
void prober::take_ways() {
  if (out_.levels.empty() || !out_.levels.front().capacity) return;
  const auto apart = std::bit_ceil(std::size_t(*out_.levels.front().capacity * 0.75));
  const area whole(apart * (kWaysMost + 1), pages::huge);
  for (unsigned count = 1; count <= kWaysMost; ++count) {
    offsets order;
    for (unsigned i = 0; i < count; ++i) order.push_back(std::uint32_t(i * apart));
    std::shuffle(order.begin(), order.end(), random_);
    out_.one_set.push_back({double(count), read_ns(whole, order)});
  }
  if (const auto first = first_slower(out_.one_set, kConflictFactor))
    out_.ways = unsigned(*first) - 1;
}

// One line on each of `count` places, so that the lines fall into different sets.
double prober::pages_ns(const area& in, unsigned count, std::size_t apart) {
  offsets order;
  for (unsigned i = 0; i < count; ++i)
    order.push_back(std::uint32_t(i * apart + i % (apart / kLine) * kLine));
  std::shuffle(order.begin(), order.end(), random_);
  return read_ns(in, order);
}

void prober::take_pages() {
  const area whole(std::size_t{kPagesMost} * kSmallPage, pages::small);
  double hit_ns = 0;
  for (double size = 8; size <= kPagesMost; size *= std::exp2(1.0 / plan_.points_per_octave)) {
    const auto count = unsigned(size);
    const double side_by_side_ns = pages_ns(whole, count, kLine);
    if (hit_ns == 0) hit_ns = side_by_side_ns;
    const double more_ns = std::max(pages_ns(whole, count, kSmallPage) - side_by_side_ns, 0.0);
    out_.by_pages.push_back({double(count), hit_ns + more_ns});
  }
  const std::vector<level> levels = find_levels(out_.by_pages);
  if (levels.size() > 1) {
    out_.tlb_pages = unsigned(std::lround(*levels.front().capacity));
    out_.tlb_miss_ns = levels[1].ns - levels[0].ns;
  }
  look_for_drift();
}

void prober::take_first_touches() {
  constexpr std::size_t kPages = 1024;
  const auto touch = [] {
    const stopwatch time;
    const area fresh(kPages * kSmallPage, pages::small);
    return time.ns() / kPages;
  };
  out_.first_touch_ns = measure(touch, plan_.each).median;
}

// The number of reads stays, the number of pages grows with the distance until each has its own.
void prober::take_page_size() {
  if (!out_.tlb_pages) return;
  const unsigned count = *out_.tlb_pages * 3 / 2;
  constexpr std::size_t kApartMost = 4 * kSmallPage;
  const area whole(count * kApartMost, pages::small);
  for (std::size_t apart = 512; apart <= kApartMost; apart *= 2)
    out_.by_page_stride.push_back({double(apart), pages_ns(whole, count, apart)});
  out_.page_bytes = std::size_t(flat_from(out_.by_page_stride, kFlat));
}

void prober::take_strides() {
  const area whole(plan_.bytes_most, pages::small);
  for (std::size_t bytes = 16 * 1024; bytes <= plan_.bytes_most; bytes *= 4) {
    stride_row row{bytes, {}, {}};
    for (std::size_t stride = 8; stride <= bytes / 2; stride *= 2) {
      offsets order;
      for (std::size_t at = 0; at < bytes; at += stride) order.push_back(std::uint32_t(at));
      row.reads.push_back({double(stride), read_ns(whole, order)});
      row.writes.push_back(
          {double(stride),
           measure([&] { return write_ns(whole, bytes, stride, plan_.reads); }, plan_.each)
               .median});
    }
    out_.strides.push_back(row);
  }
  look_for_drift();
}

}  // namespace

memory_results probe_memory(const memory_plan& plan,
                            const std::function<void(const std::string& part, double done)>& part) {
  memory_results out;
  prober p(plan, out);
  part("reads by size of the array", 0);
  p.take_by_size();
  part("reads that overlap", 0.4);
  p.take_gathers();
  part("the cache line", 0.5);
  p.take_line();
  part("the ways of the first cache", 0.55);
  p.take_ways();
  part("pages", 0.6);
  p.take_first_touches();
  p.take_pages();
  p.take_page_size();
  part("reads and writes by stride", 0.7);
  p.take_strides();
  return out;
}

}  // namespace characterize
