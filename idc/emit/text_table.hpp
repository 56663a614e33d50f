// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_EMIT_TEXT_TABLE_HPP
#define IDC_EMIT_TEXT_TABLE_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "tl0/program/program.hpp"

namespace idc::emit {

// Numbers by texts, with open addressing; the texts that they stand for are kept elsewhere.
class text_table {
 public:
  // kNone: it is not there. text_of: of a number that was added.
  template <class F>
  tl0::index find(std::string_view text, const F& text_of) const {
    const std::uint32_t hash = hash_of(text);
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      const entry& e = entries_[at];
      if (e.number == tl0::kNone || (e.hash == hash && text_of(e.number) == text))
        return e.number;
    }
  }
  void add(std::string_view text, tl0::index number) {
    if (2 * ++count_ > entries_.size()) grow();
    place({hash_of(text), number});
  }

 private:
  struct entry {
    std::uint32_t hash = 0;
    tl0::index number = tl0::kNone;
  };
  static std::uint32_t hash_of(std::string_view text) {
    // The length, the first and the last eight bytes tell most names apart.
    std::uint64_t first = 0, last = 0;
    const std::size_t bytes = std::min<std::size_t>(text.size(), 8);
    std::memcpy(&first, text.data(), bytes);
    std::memcpy(&last, text.data() + text.size() - bytes, bytes);
    std::uint64_t all = (first ^ text.size()) * 0x9e3779b97f4a7c15U;
    all = (all ^ all >> 32 ^ last) * 0xbf58476d1ce4e5b9U;
    return static_cast<std::uint32_t>(all >> 32);
  }
  std::size_t mask() const { return entries_.size() - 1; }
  void place(entry e) {
    std::size_t at = e.hash & mask();
    while (entries_[at].number != tl0::kNone) at = (at + 1) & mask();
    entries_[at] = e;
  }
  void grow() {
    const std::vector<entry> was = std::exchange(entries_, std::vector<entry>(2 * entries_.size()));
    for (const entry& e : was)
      if (e.number != tl0::kNone) place(e);
  }

  std::vector<entry> entries_ = std::vector<entry>(1024);  // a power of two, half of it free
  std::size_t count_ = 0;
};

}  // namespace idc::emit

#endif
