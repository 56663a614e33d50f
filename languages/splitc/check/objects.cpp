// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/check/objects.hpp"

#include "languages/splitc/check/report.hpp"
#include "ramjet/detail/gas/address_space.hpp"

namespace ramjet::splitc::check {

std::uint64_t object::bytes_on(std::uint64_t processor) const noexcept {
  if (!is_spread()) return bytes;
  const std::uint64_t ranks = detail::space.ranks;
  return processor < blocks ? ((blocks - processor - 1) / ranks + 1) * block_bytes : 0;
}

std::string object::described() const {
  if (!is_spread()) return "a block of " + counted(bytes, "byte");
  return "a spread array of " + counted(blocks, "block") + " of " + counted(block_bytes, "byte");
}

object& object_table::add(const object& o) {
  auto next = all_.lower_bound(o.from);
  if (next != all_.begin() && std::prev(next)->second.end > o.from) --next;
  while (next != all_.end() && next->first < o.end) next = all_.erase(next);
  latest_ = nullptr;
  return all_[o.from] = o;
}

const object* object_table::find(std::uint64_t address) const noexcept {
  if (latest_ != nullptr && address - latest_->from < latest_->end - latest_->from) return latest_;
  const auto next = all_.upper_bound(address);
  if (next == all_.begin()) return nullptr;
  const object& o = std::prev(next)->second;
  if (address >= o.end) return nullptr;
  return latest_ = &o;
}

object* object_table::find_begin(std::uint64_t begin) noexcept {
  const auto next = all_.upper_bound(begin);
  if (next == all_.begin()) return nullptr;
  object& o = std::prev(next)->second;
  return o.begin == begin ? &o : nullptr;
}

void object_table::forget(std::uint64_t from) {
  all_.erase(from);
  latest_ = nullptr;
}

void object_table::add_automatic(const object& o, std::uint64_t stack_bytes) {
  add(o);
  automatic_.push_back({o.from, stack_bytes});
}

void object_table::end_automatic(std::uint64_t stack_bytes, site at) {
  while (!automatic_.empty() && automatic_.back().stack_bytes > stack_bytes) {
    object& o = all_.at(automatic_.back().from);
    o.is_live = false;
    o.given_back = at;
    automatic_.pop_back();
  }
}

const object* object_table::last_automatic() const noexcept {
  return automatic_.empty() ? nullptr : &all_.at(automatic_.back().from);
}

}  // namespace ramjet::splitc::check
