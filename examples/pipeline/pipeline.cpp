// SPDX-License-Identifier: Apache-2.0
// A pipeline of all ranks: blocks of numbers go from rank to rank, each adds to them, and the last
// one has the sums. A block is put with a signal, so its receiver knows that it is there; a counter
// the other way says how many blocks have been taken, so nobody overruns a slower neighbour.
//
//   ramjet run -n 4 pipeline
#include <array>
#include <cstdio>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kBlocks = 200, kSlots = 4, kNumbers = 512;

using block = std::array<double, kNumbers>;
struct stage {
  std::uint64_t arrived;  // bytes that the stage before has put here
  std::uint64_t taken;  // blocks that the stage after has taken from us
  block slots[kSlots];
};

ramjet::global_ptr<stage> stages;
ramjet::global_ptr<stage> stage_of(int rank) { return {rank, stages.local()}; }

ramjet::global_ptr<void> slot_of(int rank, int number) {
  const auto slots = stage_of(rank).member(&stage::slots);  // a pointer to an array
  return *slots + number % kSlots;
}

// Puts the block at the next stage once there is a free slot.
void pass_on(const block& b, int number) {
  const int me = ramjet::rank(), next = me + 1;
  if (number >= kSlots)
    ramjet::wait_signal(stage_of(me).member(&stage::taken), std::uint64_t(number) - kSlots + 1);
  ramjet::bulk_put_signal(slot_of(next, number), &b, sizeof b,
                          stage_of(next).member(&stage::arrived), sizeof b);
}

// Waits for the block from the stage before, copies it, and gives its slot back.
block take(int number) {
  const int me = ramjet::rank();
  ramjet::wait_signal(stage_of(me).member(&stage::arrived),
                      std::uint64_t(number + 1) * sizeof(block));
  block b;
  ramjet::bulk_read(&b, slot_of(me, number), sizeof b);
  ramjet::signal(stage_of(me - 1).member(&stage::taken), 1);
  return b;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  stages = ramjet::global_ptr<stage>(ramjet::all_spread_malloc<stage>(std::size_t(ramjet::size())));
  *stages.local() = {};
  ramjet::barrier();

  const int me = ramjet::rank(), last = ramjet::size() - 1;
  bool well = true;
  for (int n = 0; n < kBlocks; ++n) {
    block b{};
    if (me > 0) b = take(n);
    for (double& x : b) x += n;
    if (me < last) pass_on(b, n);
    if (me == last)
      for (const double x : b) well &= x == double(n) * ramjet::size();
  }
  ramjet::barrier();
  if (me == last)
    std::printf("%d blocks through %d ranks: %s\n", kBlocks, ramjet::size(),
                well ? "as they should be" : "WRONG");
  ramjet::all_spread_free(ramjet::spread_ptr<void>(stages));
  ramjet::finalize();
  return well ? 0 : 1;
}
