// SPDX-License-Identifier: Apache-2.0
// What a rank does to its own memory at addresses that nobody can foresee: gathered as messages to
// others are, so that a loop over what is gathered can fetch memory before it is needed.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace measured {

template <class Item, std::size_t kMost = 256>
class gathered {
 public:
  // do_all takes a std::span<const Item>.
  template <class DoAll>
  void add(const Item& item, DoAll&& do_all) {
    items_[count_++] = item;
    if (count_ == kMost) flush(do_all);
  }
  // Does what is left.
  template <class DoAll>
  void flush(DoAll&& do_all) {
    if (count_ != 0) do_all(std::span<const Item>(items_.data(), count_));
    count_ = 0;
  }

 private:
  std::array<Item, kMost> items_;
  std::size_t count_ = 0;
};

}  // namespace measured
