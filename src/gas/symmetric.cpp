// SPDX-License-Identifier: Apache-2.0
// The symmetric part of the segment, by window addresses. The heap grows downwards from the
// segment's end, the stack upwards from the floor (division.hpp):
//
//   floor_ = stack_ top_               lowest block          end_
//   +---------------+------------------+---------------------+
//   | frames        | free             | blocks  gaps        |
//   +---------------+------------------+---------------------+
//
// While the stack is empty it begins at the floor. A heap that finds no room lowers the floor, in
// all ranks together, towards what segment_allocate has given out in any of them; blocks may then
// lie below frames.
//
// Every rank runs the same allocator on the same calls, so it has the same state at the same place
// of the program; the collective calls compare. What is known about blocks is kept outside of the
// segment, where no stray write of another rank can reach it.
// Owned by the main thread.
#include <map>
#include <utility>

#include "am/runtime.hpp"
#include "gas/division.hpp"
#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/segment.hpp"
#include "ramjet/spread.hpp"

namespace ramjet {

namespace {

constexpr std::uint64_t kHeapAlignment = 64, kStackAlignment = 16;

constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) & -to; }

class symmetric_part {
 public:
  // The highest gap that is large enough; 0 if there is none, or this rank's own part is in it.
  std::uint64_t take(std::uint64_t bytes) {
    open();
    bytes = round_up(bytes == 0 ? 1 : bytes, kHeapAlignment);
    if (!gas::own_part_keeps_to(floor_ - detail::space.window_base)) return 0;
    const std::uint64_t at = find_gap(bytes);
    if (at != 0) blocks_.emplace(at, bytes);
    divide();
    return at;
  }
  bool give_back(std::uint64_t address) {
    if (blocks_.erase(address) != 1) return false;
    divide();
    return true;
  }
  // In all ranks at one place of the program: once nothing is symmetric the floor is as at first.
  void reset_floor() noexcept {
    if (end_ == 0 || !blocks_.empty() || depth() != 0) return;
    floor_ = first_floor();
    divide();
  }
  // The same where the floor may be lowered to `lowest`, an offset that is the same in all ranks.
  // What stays free is halved between both parts.
  std::uint64_t take_from(std::uint64_t lowest, std::uint64_t bytes) {
    const std::uint64_t before = floor_;
    floor_ = detail::space.window_base + round_up(lowest, kHeapAlignment);
    const std::uint64_t at = take(bytes);
    if (at == 0)
      floor_ = before;
    else
      floor_ += align_down((lowest_taken() - floor_) / 2);
    divide();
    return at;
  }

  std::uint64_t push(std::uint64_t bytes) noexcept {
    open();
    uses_frames_ = true;
    if (depth() == 0) {
      RAMJET_CHECK(gas::own_part_keeps_to(floor_ - detail::space.window_base),
                   "a spread_frame needs memory that segment_allocate has given out: ask for a "
                   "larger segment (RAMJET_SEGMENT_BYTES)");
      stack_ = top_ = floor_;
      divide();
    }
    const auto above = blocks_.lower_bound(top_);
    const std::uint64_t room = (above == blocks_.end() ? end_ : above->first) - top_;
    RAMJET_CHECK(bytes <= room,  // a multiple of kStackAlignment
                 "spread_frame: the symmetric part of the segment is used up: ask for a larger "
                 "segment (RAMJET_SEGMENT_BYTES)");
    return std::exchange(top_, top_ + round_up(bytes, kStackAlignment));
  }
  std::uint64_t depth() const noexcept { return top_ - stack_; }
  void pop_to(std::uint64_t depth) noexcept { top_ = stack_ + depth; }

 private:
  static std::uint64_t first_floor() noexcept {
    return detail::space.window_base + gas::first_floor();
  }
  void open() noexcept {
    if (end_ != 0) return;
    floor_ = stack_ = top_ = first_floor();
    end_ = detail::space.window_base + detail::space.segment_bytes;
  }

  // From above; the frames count as a block.
  std::uint64_t find_gap(std::uint64_t bytes) const noexcept {
    std::uint64_t end = end_;
    bool above_frames = depth() != 0;
    const auto fits_above = [&](std::uint64_t start, std::uint64_t taken) {
      if (end - (start + taken) >= bytes) return true;
      end = start;
      return false;
    };
    for (auto b = blocks_.rbegin(); b != blocks_.rend(); ++b) {
      if (above_frames && b->first < stack_) {
        above_frames = false;
        if (fits_above(stack_, depth())) return align_down(end - bytes);
      }
      if (fits_above(b->first, b->second)) return align_down(end - bytes);
    }
    if (above_frames && fits_above(stack_, depth())) return align_down(end - bytes);
    return end >= floor_ && end - floor_ >= bytes ? align_down(end - bytes) : 0;
  }
  // An end that is not a multiple of this is that of frames, below which the floor is one.
  static std::uint64_t align_down(std::uint64_t at) noexcept { return at & -kHeapAlignment; }

  std::uint64_t lowest_taken() const noexcept {
    const std::uint64_t block = blocks_.empty() ? end_ : blocks_.begin()->first;
    return depth() != 0 && stack_ < block ? stack_ : block;
  }
  // A program that uses frames may do so again without a word.
  void divide() noexcept {
    const std::uint64_t limit = uses_frames_ ? floor_ : lowest_taken();
    gas::divide_segment(floor_ - detail::space.window_base,
                        (limit < floor_ ? floor_ : limit) - detail::space.window_base);
  }

  std::uint64_t floor_ = 0, end_ = 0;  // 0: nothing was symmetric yet
  std::uint64_t stack_ = 0, top_ = 0;
  bool uses_frames_ = false;
  std::map<std::uint64_t, std::uint64_t> blocks_;  // start, bytes; disjoint, without the frames
};

symmetric_part part;

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
  std::uint64_t address;  // 0: no room
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

spread_ptr<void> at_rank_0(std::uint64_t address) {
  return spread_ptr<void>(detail::from_bits{detail::make_bits(0, address)});
}

// There is no room above the floor: lowers it as far as all ranks' own parts allow.
spread_ptr<void> take_below_floor(std::uint64_t bytes) {
  std::uint64_t lowest = gas::hold_own_part();
  const status s =
      all_reduce(lowest, [](std::uint64_t a, std::uint64_t b) { return a < b ? b : a; });
  const std::uint64_t at = s == status::ok ? part.take_from(lowest, bytes) : 0;
  gas::release_own_part();
  return at != 0 ? at_rank_0(at) : nullptr;
}

}  // namespace

spread_ptr<void> all_spread_malloc(std::size_t blocks, std::size_t block_bytes) {
  check_main("all_spread_malloc");
  const std::uint64_t bytes = bytes_per_rank(blocks, block_bytes);
  const std::uint64_t mine = bytes <= segment_bytes() ? part.take(bytes) : 0;
  proposal p{blocks, block_bytes, mine, part.depth()};
  const status s = all_reduce(p, agreed);
  if (s == status::ok) {
    RAMJET_CHECK(p.same_call, "all_spread_malloc: the ranks ask for different sizes");
    RAMJET_CHECK(p.same_stack && p.same_address,
                 "all_spread_malloc: the ranks' symmetric stacks or heaps disagree: they do not "
                 "make the same calls");
  }
  if (s == status::ok && p.address != 0) return at_rank_0(mine);
  part.give_back(mine);
  return s == status::ok && bytes <= segment_bytes() ? take_below_floor(bytes) : nullptr;
}

void all_spread_free(spread_ptr<void> blocks) {
  check_main("all_spread_free");
  proposal p{blocks.bits(), 0, blocks.bits(), part.depth()};
  if (all_reduce(p, agreed) != status::ok) return;
  RAMJET_CHECK(p.same_call, "all_spread_free: the ranks give back different blocks");
  RAMJET_CHECK(p.same_stack,
               "all_spread_free: the ranks' symmetric stacks disagree: they do not "
               "make the same calls");
  RAMJET_CHECK(blocks == nullptr || part.give_back(blocks.bits()),
               "all_spread_free: not what all_spread_malloc returned, or given back before");
  part.reset_floor();
}

spread_frame::spread_frame() : mark_(part.depth()) { check_main("a spread_frame"); }

spread_frame::~spread_frame() {
  RAMJET_CHECK(mark_ <= part.depth(),
               "spread_frame: frames end in the order opposite to their start");
  part.pop_to(mark_);
}

spread_ptr<void> spread_frame::allocate(std::size_t blocks, std::size_t block_bytes) {
  const std::uint64_t at = part.push(bytes_per_rank(blocks, block_bytes));
  return at_rank_0(at);
}

std::size_t spread_stack_bytes() noexcept { return part.depth(); }

}  // namespace ramjet
