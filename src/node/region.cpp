// SPDX-License-Identifier: Apache-2.0
#include "node/region.hpp"

#include <algorithm>
#include <cstring>

#include "node/geometry.hpp"
#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/node/port_line.hpp"

namespace ramjet::node {

namespace {

constinit region* first_registered = nullptr;

}  // namespace

region::region(const char* name, std::uint64_t (*bytes)(const shape&), region_hooks hooks) noexcept
    : name_(name), bytes_(bytes), hooks_(hooks), next_(first_registered) {
  first_registered = this;
}

region ports("node.ports",
             [](const shape& s) -> std::uint64_t { return s.ports() * sizeof(detail::port_line); });

// Static initialisers run in the order of the linker: sorted, the regions are alike in all ranks.
// The ports stand first, so that a launcher that wakes sleepers maps little.
std::vector<region*> registered_regions() {
  std::vector<region*> all;
  for (region* r = first_registered; r != nullptr; r = r->next_) all.push_back(r);
  std::sort(all.begin(), all.end(), [](const region* a, const region* b) {
    if ((a == &ports) != (b == &ports)) return a == &ports;
    return std::strcmp(a->name_, b->name_) < 0;
  });
  RAMJET_CHECK(all.size() <= kRegionsMax, "too many regions are registered");
  for (std::size_t i = 0; i < all.size(); ++i) {
    RAMJET_CHECK(std::strlen(all[i]->name_) < kRegionNameBytes, "a region's name is too long");
    RAMJET_CHECK(i == 0 || std::strcmp(all[i - 1]->name_, all[i]->name_) != 0,
                 "two regions have one name");
  }
  return all;
}

void bind_regions(const geometry& layout, std::byte* object) {
  const std::vector<region*> all = registered_regions();
  RAMJET_CHECK(all.size() == layout.regions, "the layout is of another program");
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->memory_ = object + layout.table[i].offset;
  for (const region* r : all)
    if (r->hooks_.bound != nullptr) r->hooks_.bound({layout.ranks, layout.endpoints});
}

void release_regions() noexcept {
  if (ports.memory_ == nullptr) return;
  for (region* r = first_registered; r != nullptr; r = r->next_)
    if (r->hooks_.released != nullptr) r->hooks_.released();
  for (region* r = first_registered; r != nullptr; r = r->next_) r->memory_ = nullptr;
}

}  // namespace ramjet::node
