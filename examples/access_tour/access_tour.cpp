// SPDX-License-Identifier: Apache-2.0
// Each way to reach another rank's memory, once: split-phase, one way, by rectangles, by lists of
// indices, atomic, with futures, with signals. Every rank works on its right neighbour's part of
// the arrays.
//
//   ramjet run -n 4 access_tour
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr int kSide = 8;  // of each rank's square of numbers
using square = double[kSide * kSide];

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "access_tour: rank %d: %s went wrong\n", ramjet::rank(), what);
  std::exit(1);
}

int right() { return (ramjet::rank() + 1) % ramjet::size(); }

// Split-phase: begun by one call, complete at sync; work goes on in between.
void get_and_put(ramjet::spread_ptr<square> squares) {
  const auto there = squares[right()];  // of an array: the pointer to its first element
  double first = 0;
  ramjet::put(there, 1.5);
  ramjet::put(there + 1, 2.5);
  ramjet::sync_all();
  ramjet::get(&first, there);
  while (!ramjet::is_sync()) {  // work goes here
  }
  expect(first == 1.5 && ramjet::read(there + 1) == 2.5, "get and put");
}

// One way: the target counts the bytes that arrive, and waits for their number.
void stores(ramjet::spread_ptr<square> squares) {
  const double word = ramjet::rank();
  ramjet::store(squares[right()] + 2, word);
  ramjet::bulk_store(squares[right()] + 3, &word, sizeof word);
  expect(ramjet::store_sync(2 * sizeof word) == ramjet::status::ok, "store_sync");
  const double* mine = *squares.local();
  expect(mine[2] == mine[3] && int(mine[2] + 1) % ramjet::size() == ramjet::rank(), "a store");
  ramjet::barrier();
  ramjet::store(squares[right()] + 2, 0.0);
  ramjet::barrier();
  ramjet::reset_store_sync();  // nobody waits for that one
}

// A rectangle: the neighbour's third column becomes a row here, and goes back as another column.
void columns(ramjet::spread_ptr<square> squares) {
  const auto there = squares[right()];
  constexpr std::size_t kWord = sizeof(double);
  constexpr ramjet::rectangle kColumn{kSide, kWord, kWord, kSide * kWord};
  std::array<double, kSide> row;
  row.fill(7);
  ramjet::bulk_write(there + 5, row.data(), kColumn);
  row.fill(0);
  ramjet::bulk_read(row.data(), there + 5, kColumn);
  expect(row[0] == 7 && row[kSide - 1] == 7, "a column");
}

// Elements of an array that goes round the ranks, by their indices, one call for all.
void by_indices() {
  const std::size_t count = 10 * std::size_t(ramjet::size());
  const auto counters = ramjet::all_spread_malloc<std::uint64_t>(count);
  expect(counters != nullptr, "all_spread_malloc");
  std::vector<std::uint32_t> odd;
  for (std::uint32_t i = 1; i < count; i += 2) odd.push_back(i);
  const std::span<const std::uint32_t> indices(odd);
  std::vector<std::uint64_t> values(odd.size(), 100);
  if (ramjet::rank() == 0) ramjet::write_each(counters, indices, values.data());
  ramjet::barrier();
  ramjet::add_each(counters, indices, 1);  // atomic: all ranks at once
  ramjet::barrier();
  ramjet::read_each(counters, indices, values.data());
  for (const std::uint64_t v : values) expect(v == 100 + unsigned(ramjet::size()), "add_each");
  ramjet::barrier();
  ramjet::all_spread_free(counters);
}

// Atomic operations on counters of rank 0, by everybody at once.
void atomics(ramjet::global_ptr<unsigned> counters) {
  const unsigned mine = 1u << ramjet::rank() % 32;
  ramjet::fetch_or(counters, mine);
  ramjet::fetch_xor(counters + 1, mine);
  ramjet::fetch_and(counters + 2, ~mine);
  // The largest of all ranks, by compare and swap.
  const auto largest = counters + 3;
  unsigned seen = ramjet::read(largest);
  const auto me = unsigned(ramjet::rank()) + 1;
  while (seen < me) {
    const unsigned before = ramjet::compare_swap(largest, seen, me);
    if (before == seen) break;
    seen = before;
  }
  const unsigned drawn = ramjet::exchange(counters + 4, me);  // who was here before me
  expect(drawn <= unsigned(ramjet::size()), "exchange");
  ramjet::barrier();
  expect(ramjet::read(largest) == unsigned(ramjet::size()), "compare_swap");
  expect((ramjet::read(counters) & mine) != 0 && (ramjet::read(counters + 2) & mine) == 0, "bits");
  ramjet::barrier();
}

int told = 0;
void on_square(ramjet::request_token, ramjet::deposit where) { told += int(where.size()); }

// Completion of single operations: futures, a counter at the target, a handler at the target.
void completions(ramjet::spread_ptr<square> squares, ramjet::spread_ptr<std::uint64_t> signals) {
  const auto there = squares[right()];
  ramjet::put_future(there, 3.25).get();
  expect(ramjet::get_future(there).get() == 3.25, "a future");
  const square numbers = {4};
  ramjet::bulk_put_future(there, numbers, sizeof numbers).get();

  const auto signal = ramjet::global_ptr<std::uint64_t>(signals + right());
  const auto mine = ramjet::global_ptr<std::uint64_t>(signals + ramjet::rank());
  ramjet::fetch_add_future(signal, 1).get();
  ramjet::put_signal(there + 9, 9.0, signal);
  ramjet::wait_signal(mine, 2);
  expect((*squares.local())[9] == 9.0, "a signal");

  ramjet::barrier();  // the left neighbour's numbers were looked at
  ramjet::bulk_put_request<&on_square>(there, numbers, sizeof numbers);
  ramjet::wait_until([] { return told == int(sizeof(square)); });
}

// Automatic spread memory, and my share of what two indices name.
void shares() {
  ramjet::spread_frame frame;
  const ramjet::spread_array<int> table(frame, {6, 5});
  ramjet::for_my_2d(6, 5, [&](std::size_t i, std::size_t j) { *table(i, j) = int(10 * i + j); });
  ramjet::barrier();
  expect(*table(5, 4) == 54 && *table(0, 3) == 3, "a spread array");
  int mine = 0;
  table.for_my_blocks([&](std::size_t, const int*) { ++mine; });
  ramjet::all_reduce(mine, [](int a, int b) { return a + b; });
  expect(mine == 30, "for_my_blocks");

  const ramjet::block_array<int> blocks(frame, 100, 8);  // elements 0 to 7 on rank 0, and so on
  blocks.for_my_elements([](std::size_t i, int& x) { x = int(i); });
  ramjet::barrier();
  expect(blocks[99] == 99 && blocks.owner_of(8) == 1 % ramjet::size(), "a block array");
  ramjet::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const auto ranks = std::size_t(ramjet::size());
  const auto squares = ramjet::all_spread_malloc<square>(ranks);
  const auto signals = ramjet::all_spread_malloc<std::uint64_t>(ranks);
  const auto counters = ramjet::all_spread_malloc<unsigned[5]>(1);
  expect(squares && signals && counters, "memory: the segments have no room");
  *(signals.local()) = 0;
  if (ramjet::rank() == 0)
    for (int i = 0; i < 5; ++i) (*counters.local())[i] = i == 2 ? ~0u : 0;
  ramjet::barrier();

  get_and_put(squares);
  ramjet::barrier();
  stores(squares);
  columns(squares);
  by_indices();
  atomics(counters[0]);
  completions(squares, signals);
  shares();

  if (ramjet::rank() == 0) std::printf("%d ranks: every access came true\n", ramjet::size());
  ramjet::all_spread_free(counters);
  ramjet::all_spread_free(signals);
  ramjet::all_spread_free(squares);
  ramjet::finalize();
  return 0;
}
