// SPDX-License-Identifier: Apache-2.0
// Items that come many at a time: what each will use is fetched while those before it are at work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace measured {

inline constexpr std::size_t kItemsAhead = 16;

// Calls use(item) for each in turn; place_of(item) is the memory that it will use.
template <class Item, class Place, class Use>
void look_ahead(std::span<const Item> items, Place&& place_of, Use&& use) {
  const std::size_t early = std::min(kItemsAhead, items.size());
  for (std::size_t k = 0; k < early; ++k) __builtin_prefetch(place_of(items[k]), 1);
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (k + kItemsAhead < items.size()) __builtin_prefetch(place_of(items[k + kItemsAhead]), 1);
    use(items[k]);
  }
}

}  // namespace measured
