// SPDX-License-Identifier: Apache-2.0
// Split-phase accesses and bulk transfers, straight and by rectangles.
#include <cstring>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::global_ptr;
using ramjet::spread_ptr;

constexpr std::size_t kWindow = 1 << 20;

// A window of kWindow bytes on every rank.
class windows {
 public:
  windows() : all_(ramjet::all_spread_malloc(std::size_t(spmd::size()), kWindow)) {
    EXPECT(all_ != nullptr);
  }
  ~windows() { ramjet::all_spread_free(all_); }
  windows(const windows&) = delete;
  windows& operator=(const windows&) = delete;
  global_ptr<std::byte> at(int rank) const { return {rank, static_cast<std::byte*>(all_.local())}; }
  std::byte* mine() const { return static_cast<std::byte*>(all_.local()); }

 private:
  spread_ptr<void> all_;
};

int left() { return (spmd::rank() + spmd::size() - 1) % spmd::size(); }

}  // namespace

SPMD_CASE(split_phase, gets_and_puts_are_there_after_sync) {
  const auto ranks = std::size_t(spmd::size());
  const auto a = ramjet::all_spread_malloc<long>(100 * ranks);
  for (std::size_t i = 0; i < 100 * ranks; ++i)
    if (i / 100 == std::size_t(spmd::rank())) ramjet::put(a + std::ptrdiff_t(i), long(i) * 3);
  ramjet::sync_all();
  EXPECT(ramjet::is_sync());
  EXPECT_OK(ramjet::barrier());
  std::vector<long> all(100 * ranks, -1);
  for (std::size_t i = 0; i < all.size(); ++i) ramjet::get(&all[i], a + std::ptrdiff_t(i));
  ramjet::sync_all();
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQUAL(all[i], long(i) * 3);
  const global_ptr<const long> constant = a;
  long first = -1;
  ramjet::get(&first, constant);
  ramjet::sync_all();
  EXPECT_EQUAL(first, 0);
  EXPECT_OK(ramjet::barrier());
  ramjet::all_spread_free(a);
}

SPMD_CASE(bulk, lengths_and_places) {
  const windows w;
  std::vector<std::byte> out(100'001), in(out.size());
  std::uint64_t key = 0;
  for (std::size_t bytes : {0u, 1u, 2u, 7u, 8u, 63u, 64u, 65u, 4095u, 4097u, 100'001u})
    for (std::size_t offset : {0u, 1u, 3u, 8u, 63u, 4093u}) {
      const global_ptr<std::byte> there = w.at(spmd::right()) + std::ptrdiff_t(offset);
      const global_ptr<std::byte> here = w.at(spmd::rank()) + std::ptrdiff_t(offset);
      key += 2;
      spmd::fill(out.data(), bytes, key + unsigned(spmd::rank()) * 1000);
      ramjet::bulk_write(there, out.data(), bytes);
      ramjet::bulk_read(in.data(), there, bytes);
      EXPECT_EQUAL(spmd::first_wrong(in.data(), bytes, key + unsigned(spmd::rank()) * 1000), bytes);
      EXPECT_OK(ramjet::barrier());
      EXPECT_EQUAL(spmd::first_wrong(w.mine() + offset, bytes, key + unsigned(left()) * 1000),
                   bytes);
      EXPECT_OK(ramjet::barrier());
      spmd::fill(out.data(), bytes, ++key + unsigned(spmd::rank()) * 1000);
      ramjet::bulk_put(there, out.data(), bytes);
      ramjet::sync_all();
      EXPECT_OK(ramjet::barrier());
      ramjet::bulk_get(in.data(), here, bytes);
      ramjet::sync_all();
      EXPECT_EQUAL(spmd::first_wrong(in.data(), bytes, key + unsigned(left()) * 1000), bytes);
      EXPECT_OK(ramjet::barrier());
    }
  // The whole window, and its very end.
  ramjet::bulk_read(in.data(), w.at(spmd::right()) + std::ptrdiff_t(kWindow - 10), 10);
}

// Within one rank, by whatever names: as memmove.
SPMD_CASE(bulk, overlaps_are_moved) {
  const windows w;
  const std::byte* window = global_ptr<std::byte>(ramjet::segment_begin(0)).local();
  std::byte* other_name = ramjet::segment_begin(spmd::rank()) + (w.mine() - window);
  for (const std::ptrdiff_t shift : {1, 5, 64, 1000}) {
    for (std::byte* local : {w.mine(), other_name}) {
      spmd::fill(w.mine(), 20'000, 1);
      ramjet::bulk_write(w.at(spmd::rank()) + shift, local, 10'000);
      EXPECT_EQUAL(spmd::first_wrong(w.mine() + shift, 10'000, 1), 10'000u);
      spmd::fill(w.mine() + shift, 10'000, 2);
      ramjet::bulk_read(local, w.at(spmd::rank()) + shift, 10'000);
      EXPECT_EQUAL(spmd::first_wrong(w.mine(), 10'000, 2), 10'000u);
    }
  }
}

// A rectangle of a matrix, into a matrix of another width, against all of the matrix: in one piece,
// and in the first rounds, which have every way to write with both to read, by its elements, too:
// by every seventh, another seventh in each round, as a far one takes a round trip.
SPMD_CASE(bulk, rectangles) {
  const windows w;
  constexpr std::size_t kWidth = 97, kHeight = 50, kLocalWidth = 31;
  spmd::random random(spmd::given.seed + 5);
  const auto element = [&](std::size_t row, std::size_t column) {
    return w.at(spmd::right()) + std::ptrdiff_t(row * kWidth + column);
  };
  for (unsigned round = 0; round < 40; ++round) {
    const std::size_t rows = random.below(kHeight), columns = random.below(kLocalWidth);
    const std::size_t top = random.below(kHeight - rows),
                      left_edge = random.below(kWidth - columns);
    const ramjet::rectangle shape{rows, columns, kLocalWidth, kWidth};
    std::vector<std::byte> from(kLocalWidth * kHeight), to(from.size(), std::byte{0xee});
    spmd::fill(from.data(), from.size(), round);
    std::vector<std::byte> zero(kWidth * kHeight);
    ramjet::bulk_write(element(0, 0), zero.data(), zero.size());
    if (round % 3 == 0) {
      ramjet::bulk_write(element(top, left_edge), from.data(), shape);
    } else if (round % 3 == 1) {
      ramjet::bulk_put(element(top, left_edge), from.data(), shape);
      ramjet::sync_all();
    } else {
      ramjet::bulk_store(element(top, left_edge), from.data(), shape);
    }
    std::vector<std::byte> whole(kWidth * kHeight);
    ramjet::bulk_read(whole.data(), element(0, 0), whole.size());
    for (std::size_t r = 0; r < kHeight; ++r)
      for (std::size_t c = 0; c < kWidth; ++c) {
        const bool inside = r >= top && r < top + rows && c >= left_edge && c < left_edge + columns;
        const std::byte expected =
            inside ? from[(r - top) * kLocalWidth + c - left_edge] : std::byte{0};
        EXPECT(whole[r * kWidth + c] == expected);
        if (round < 6 && (r * kWidth + c) % 7 == round)
          EXPECT(ramjet::read(element(r, c)) == expected);
      }
    if (round % 2 == 0) {
      ramjet::bulk_read(to.data(), element(top, left_edge), shape);
    } else {
      ramjet::bulk_get(to.data(), element(top, left_edge), shape);
      ramjet::sync_all();
    }
    for (std::size_t r = 0; r < kHeight; ++r)
      for (std::size_t c = 0; c < kLocalWidth; ++c) {
        const std::size_t i = r * kLocalWidth + c;
        EXPECT(to[i] == (r < rows && c < columns ? from[i] : std::byte{0xee}));
      }
  }
  EXPECT_OK(ramjet::all_store_sync());
}
