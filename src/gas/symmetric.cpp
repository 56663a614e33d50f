// SPDX-License-Identifier: Apache-2.0
// The symmetric part of the segment, by window addresses:
//
//   begin_          heap_end()         stack_                end_
//   +---------------+------------------+---------------------+
//   | blocks  gaps  |  free            | frames              |
//   +---------------+------------------+---------------------+
//
// Every rank runs the same allocator on the same calls, so it has the same state at the same place
// of the program; the collective calls compare. What is known about blocks is kept outside of the
// segment, where no stray write of another rank can reach it.
// Owned by the main thread.
#include <map>

#include "am/runtime.hpp"
#include "gas/upper_half.hpp"
#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/spread.hpp"

namespace ramjet {

namespace {

constexpr std::uint64_t kHeapAlignment = 64, kStackAlignment = 16;

constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) & -to; }

class symmetric_part {
 public:
  // False while segment_allocate has that half of the segment.
  bool open() noexcept {
    if (begin_ != 0) return true;
    if (!gas::keep_upper_half()) return false;
    begin_ = detail::space.window_base + gas::lower_half_bytes();
    end_ = stack_ = detail::space.window_base + detail::space.segment_bytes;
    return true;
  }

  // First fit; 0 if there is no room.
  std::uint64_t take(std::uint64_t bytes) {
    if (!open() || bytes > end_ - begin_) return 0;
    bytes = round_up(bytes == 0 ? 1 : bytes, kHeapAlignment);
    std::uint64_t at = begin_;
    for (const auto& [start, taken] : blocks_) {
      if (start - at >= bytes) break;
      at = start + taken;
    }
    if (at > stack_ || stack_ - at < bytes) return 0;
    blocks_.emplace(at, bytes);
    return at;
  }
  bool give_back(std::uint64_t address) { return blocks_.erase(address) == 1; }

  std::uint64_t push(std::uint64_t bytes) noexcept {
    RAMJET_CHECK(open(),
                 "a spread_frame needs the half of the segment that segment_allocate has "
                 "taken: ask for a larger segment (RAMJET_SEGMENT_BYTES)");
    const std::uint64_t room = stack_ - heap_end();  // a multiple of kStackAlignment
    RAMJET_CHECK(bytes <= room,
                 "spread_frame: the symmetric part of the segment is used up: ask for a larger "
                 "segment (RAMJET_SEGMENT_BYTES)");
    return stack_ -= round_up(bytes, kStackAlignment);
  }
  std::uint64_t depth() const noexcept { return end_ - stack_; }
  void pop_to(std::uint64_t depth) noexcept { stack_ = end_ - depth; }

 private:
  std::uint64_t heap_end() const noexcept {
    return blocks_.empty() ? begin_ : blocks_.rbegin()->first + blocks_.rbegin()->second;
  }

  std::uint64_t begin_ = 0, end_ = 0;
  std::uint64_t stack_ = 0;
  std::map<std::uint64_t, std::uint64_t> blocks_;  // start, bytes
};

symmetric_part own;

void check_main(const char* call) {
  const detail::engine& e = *detail::current_engine;
  if (e.ranks() == 0) detail::no_endpoint(call);
  RAMJET_CHECK(e.endpoint() == 0, "symmetric memory is taken and given by a rank's main thread");
}

// Bytes that every rank needs for `blocks` blocks; more than any segment has if they do not fit.
std::uint64_t bytes_per_rank(std::size_t blocks, std::size_t block_bytes) {
  const std::uint64_t ranks = detail::space.ranks;
  const std::uint64_t rows = blocks / ranks + (blocks % ranks != 0);
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(rows, block_bytes, &bytes) ? ~std::uint64_t{0} : bytes;
}

// What the ranks compare in a collective call.
struct proposal {
  std::uint64_t blocks, block_bytes;  // as asked for
  std::uint64_t address;              // 0: no room
  std::uint64_t stack_bytes;
  bool same_call = true, same_stack = true, same_address = true;
};

proposal agreed(proposal a, const proposal& b) {
  a.same_call &= b.same_call && a.blocks == b.blocks && a.block_bytes == b.block_bytes;
  a.same_stack &= b.same_stack && a.stack_bytes == b.stack_bytes;
  a.same_address &= b.same_address;
  if (a.address == 0 || b.address == 0) {
    a.address = 0;
  } else if (a.address != b.address) {
    a.same_address = false;
  }
  return a;
}

}  // namespace

spread_ptr<void> all_spread_malloc(std::size_t blocks, std::size_t block_bytes) {
  check_main("all_spread_malloc");
  const std::uint64_t mine = own.take(bytes_per_rank(blocks, block_bytes));
  proposal p{blocks, block_bytes, mine, own.depth()};
  const status s = all_reduce(p, agreed);
  if (s == status::ok) {
    RAMJET_CHECK(p.same_call, "all_spread_malloc: the ranks ask for different sizes");
    RAMJET_CHECK(p.same_stack && p.same_address,
                 "all_spread_malloc: the ranks' symmetric stacks or heaps disagree: they do not "
                 "make the same calls");
  }
  if (s != status::ok || p.address == 0) {
    own.give_back(mine);
    return nullptr;
  }
  return spread_ptr<void>(detail::from_bits{detail::make_bits(0, mine)});
}

void all_spread_free(spread_ptr<void> blocks) {
  check_main("all_spread_free");
  proposal p{blocks.bits(), 0, blocks.bits(), own.depth()};
  if (all_reduce(p, agreed) != status::ok) return;
  RAMJET_CHECK(p.same_call, "all_spread_free: the ranks give back different blocks");
  RAMJET_CHECK(p.same_stack,
               "all_spread_free: the ranks' symmetric stacks disagree: they do not "
               "make the same calls");
  RAMJET_CHECK(blocks == nullptr || own.give_back(blocks.bits()),
               "all_spread_free: not what all_spread_malloc returned, or given back before");
}

spread_frame::spread_frame() : mark_(own.depth()) { check_main("a spread_frame"); }

spread_frame::~spread_frame() {
  RAMJET_CHECK(mark_ <= own.depth(),
               "spread_frame: frames end in the order opposite to their start");
  own.pop_to(mark_);
}

spread_ptr<void> spread_frame::allocate(std::size_t blocks, std::size_t block_bytes) {
  const std::uint64_t at = own.push(bytes_per_rank(blocks, block_bytes));
  return spread_ptr<void>(detail::from_bits{detail::make_bits(0, at)});
}

std::size_t spread_stack_bytes() noexcept { return own.depth(); }

}  // namespace ramjet
