// SPDX-License-Identifier: Apache-2.0
#include "spectrum.hpp"

#include <functional>

#include <ramjet/ramjet.hpp>

#include "failure.hpp"
#include "root.hpp"

namespace kmer {
namespace {

constexpr std::size_t kPartsPerMessage = 256;

// Where on_parts() puts what arrives: set at the root while spectra are combined.
std::function<void(std::span<const spectrum::part>)> take_parts;

void on_parts(ramjet::payload p) { take_parts(p.as<const spectrum::part>()); }

spectrum::sums add_up(const spectrum::sums& a, const spectrum::sums& b) {
  return {a.distinct + b.distinct, a.total + b.total, std::max(a.greatest, b.greatest)};
}

}  // namespace

std::uint64_t spectrum::number(std::uint64_t count) const {
  if (count < small_.size()) return small_[count];
  const auto found = great_.find(count);
  return found != great_.end() ? found->second : 0;
}

std::vector<spectrum::part> spectrum::parts() const {
  std::vector<part> all;
  for (std::uint64_t count = 1; count < small_.size(); ++count) {
    if (small_[count] != 0) all.push_back({count, small_[count]});
  }
  for (const auto& [count, number] : great_) {
    if (number != 0) all.push_back({count, number});
  }
  return all;
}

void spectrum::merge(std::span<const part> parts) {
  for (const part& p : parts) number_of(p.count) += p.number;
}

void spectrum::combine_at_root() {
  take_parts = [this](std::span<const part> parts) { merge(parts); };
  require(ramjet::all_reduce(sums_, add_up));  // and nobody's parts arrive before take_parts is set
  if (ramjet::rank() != kRoot) {
    const std::vector<part> mine = parts();
    for (std::span<const part> rest(mine); !rest.empty();) {
      const auto batch = rest.first(std::min(rest.size(), kPartsPerMessage));
      require(ramjet::request_medium<on_parts>(kRoot, batch.data(), batch.size_bytes()));
      rest = rest.subspan(batch.size());
    }
  }
  require(ramjet::quiesce());
}

}  // namespace kmer
