// SPDX-License-Identifier: Apache-2.0
// What the program is given of the segment, and gives back.
#include <algorithm>

#include "languages/splitc/check/checker.hpp"
#include "languages/splitc/check/report.hpp"
#include "ramjet/ramjet.hpp"

namespace ramjet::splitc::check {

namespace {

constexpr std::uint64_t kMargin = 16;  // before and behind a block, at least
constexpr std::uint64_t kSpreadMargin = 64;  // behind a spread array
// Up to this much freed memory is kept from reuse, while the segment has room.
constexpr std::uint64_t kQuarantineBytes = std::uint64_t{16} << 20;

void* memory_at(std::uint64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}
std::uint64_t address_of(const void* memory) {
  return std::uint64_t(reinterpret_cast<std::uintptr_t>(memory));
}

}  // namespace

// --- Blocks of malloc ----------------------------------------------------------------------------

void* checker::take(std::size_t bytes, std::size_t alignment, site at) {
  if (!checks::is_checked_thread) return heap_.take(bytes, alignment);
  free_returned();
  const std::size_t front = std::max<std::size_t>(alignment, kMargin);
  const std::size_t all = front + bytes + kMargin;
  if (all < bytes) return nullptr;
  void* memory = heap_.take(all, alignment);
  if (memory == nullptr) {
    trim_quarantine(0);
    memory = heap_.take(all, alignment);
  }
  if (memory == nullptr) return nullptr;
  object o;
  o.from = address_of(memory);
  o.begin = o.from + front;
  o.end = o.from + all;
  o.bytes = bytes;
  o.taken = at;
  objects_.add(o);
  return memory_at(o.begin);
}

bool checker::give_back(void* block, site at) {
  if (!checks::is_checked_thread) {
    // The table is the main thread's.
    if (address_of(block) - detail::space.window_base >= detail::space.segment_bytes)
      return heap_.give_back(block);
    const std::lock_guard lock(returned_mutex_);
    returned_.push_back(block);
    return true;
  }
  object* const o = objects_.find_begin(address_of(block));
  const object* const around = o != nullptr ? o : objects_.find(address_of(block));
  if (around == nullptr || around->is_spread()) return heap_.give_back(block);
  const std::string who = "processor " + std::to_string(me_) + " frees ";
  if (!around->is_live && is_open_)
    report_and_end({{at, who + around->described() + " that was freed"},
                    {around->given_back, "it was freed here"},
                    {around->taken, "it was allocated here"}});
  if (o == nullptr)
    report_and_end({{at, who + "an address inside of " + around->described()},
                    {around->taken, "it was allocated here"}});
  free_block(*o, at);
  return true;
}

void checker::free_block(object& o, site at) {
  if (is_open_ && o.bytes != 0)
    remember(me_, {o.begin, at, std::uint32_t(o.bytes), now_[kMain], kMain, 1}, known_.data());
  o.is_live = false;
  o.given_back = at;
  tick(kMain);  // what has been written in it is not current any more
  quarantine_.push_back(o.from);
  quarantine_bytes_ += o.end - o.from;
  trim_quarantine(kQuarantineBytes);
}

void checker::trim_quarantine(std::uint64_t bytes_max) {
  while (quarantine_bytes_ > bytes_max && !quarantine_.empty()) {
    const std::uint64_t from = quarantine_.front();
    quarantine_.pop_front();
    const object* const o = objects_.find(from);
    if (o == nullptr || o->from != from) continue;
    quarantine_bytes_ -= o->end - from;
    objects_.forget(from);
    heap_.give_back(memory_at(from));
  }
}

void checker::free_returned() {
  std::vector<void*> blocks;
  {
    const std::lock_guard lock(returned_mutex_);
    blocks.swap(returned_);
  }
  for (void* block : blocks) {
    object* const o = objects_.find_begin(address_of(block));
    if (o == nullptr) {
      heap_.give_back(block);
    } else if (o->is_live) {
      free_block(*o, nullptr);
    }
  }
}

std::size_t checker::usable_bytes(const void* block) {
  const object* const o = objects_.find_begin(address_of(block));
  if (o == nullptr || o->is_spread()) return heap_.usable_bytes(block);
  return std::max<std::uint64_t>(o->bytes, 1);
}

// --- Spread arrays -------------------------------------------------------------------------------

std::size_t checker::padded(std::size_t blocks, std::size_t block_bytes) {
  if (block_bytes == 0) return blocks;
  const std::uint64_t rows = (kSpreadMargin + block_bytes - 1) / block_bytes;
  return blocks + rows * processors_;
}

object checker::spread_object(object_kind kind, std::uint64_t bits, std::size_t blocks,
                              std::size_t block_bytes, site at) {
  object o;
  o.kind = kind;
  o.from = o.begin = bits;
  o.blocks = blocks;
  o.block_bytes = block_bytes;
  o.taken = at;
  o.end = o.begin + (padded(blocks, block_bytes) + processors_ - 1) / processors_ * block_bytes;
  return o;
}

void checker::spread_taken(std::uint64_t bits, std::size_t blocks, std::size_t block_bytes,
                           bool is_variable, site at) {
  if (bits == 0) return;
  const object_kind kind = is_variable ? object_kind::variable : object_kind::spread;
  const object o = spread_object(kind, bits, blocks, block_bytes, at);
  if (o.end != o.from) objects_.add(o);
}

void checker::spread_given_back(std::uint64_t bits, site at) {
  object* const o = objects_.find_begin(bits);
  if (o == nullptr || !o->is_spread()) return;
  if (!o->is_live)
    report_and_end(
        {{at, "processor " + std::to_string(me_) + " frees " + o->described() + " that was freed"},
         {o->given_back, "it was freed here"},
         {o->taken, "it was allocated here"}});
  o->is_live = false;
  o->given_back = at;
  tick(kMain);
}

void checker::automatic_taken(std::uint64_t bits, std::size_t blocks, std::size_t block_bytes,
                              site at) {
  const object o = spread_object(object_kind::automatic, bits, blocks, block_bytes, at);
  if (o.end != o.from) objects_.add_automatic(o, spread_stack_bytes());
}

void checker::automatic_ended(site at) {
  objects_.end_automatic(spread_stack_bytes(), at);
  tick(kMain);
}

// --- The end -------------------------------------------------------------------------------------

void checker::end() {
  struct sum {
    site at = nullptr;
    std::uint64_t blocks = 0, bytes = 0;
  };
  std::map<std::string, sum> never_freed;  // by line
  free_returned();
  for (const auto& [from, o] : objects_.all()) {
    const std::string line = o.is_live ? line_of(o.taken) : std::string();
    if (line.empty()) continue;  // of a unit that is not checked, or of a library
    if (o.kind == object_kind::block) {
      sum& s = never_freed[line];
      s.at = o.taken;
      ++s.blocks;
      s.bytes += o.bytes;
    } else if (o.kind == object_kind::spread && me_ == 0) {
      report({{o.taken, o.described() + " that was allocated here was never freed"}});
    }
  }
  for (const auto& [line, s] : never_freed)
    report({{s.at, "processor " + std::to_string(me_) + " never freed " + counted(s.bytes, "byte") +
                       " in " + counted(s.blocks, "block") + " that were allocated here"}});
  is_open_ = false;
}

}  // namespace ramjet::splitc::check
