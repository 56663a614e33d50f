// SPDX-License-Identifier: Apache-2.0
// Messages that are sent and not received yet: of each rank a list, in the order of sends.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/model/parameters.hpp"

namespace loggp {

// What one send has sent: messages of one size, when the first and the last of them arrive, and the
// time that receiving each takes.
struct sent {
  double first_ns = 0, last_ns = 0;
  double messages = 1;
  double receive_ns = 0;
};

class mailboxes {
 public:
  explicit mailboxes(unsigned ranks) : heads_(ranks, kNone) {}

  void add(unsigned to, unsigned from, const sent& what) {
    std::uint32_t at = free_;
    if (at == kNone) {
      if (entries_.size() == kEntriesMax)
        throw input_error("more than 67 million sends are under way, which nobody receives");
      at = std::uint32_t(entries_.size());
      entries_.push_back({});
    } else {
      free_ = entries_[at].next;
    }
    entries_[at] = {what, from, kNone};
    std::uint32_t* end = &heads_[to];
    while (*end != kNone) end = &entries_[*end].next;
    *end = at;
  }

  // The oldest one of this sender; nullptr: it has sent nothing that is not received.
  const sent* find(unsigned to, unsigned from) const {
    for (std::uint32_t at = heads_[to]; at != kNone; at = entries_[at].next)
      if (entries_[at].from == from) return &entries_[at].what;
    return nullptr;
  }

  // Removes what find has found.
  void take(unsigned to, unsigned from) {
    for (std::uint32_t* at = &heads_[to]; *at != kNone; at = &entries_[*at].next) {
      if (entries_[*at].from != from) continue;
      const std::uint32_t taken = *at;
      *at = entries_[taken].next;
      entries_[taken].next = free_;
      free_ = taken;
      return;
    }
  }

 private:
  struct entry {
    sent what;
    std::uint32_t from = 0, next = kNone;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kEntriesMax = std::size_t{1} << 26;

  std::vector<std::uint32_t> heads_;  // by receiver
  std::vector<entry> entries_;
  std::uint32_t free_ = kNone;
};

}  // namespace loggp
