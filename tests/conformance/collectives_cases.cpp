// SPDX-License-Identifier: Apache-2.0
// Barrier, broadcast, reduction and gather, for any root and any length.
#include <cstring>
#include <memory>
#include <vector>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;
unsigned entered;
void on_entered() { ++entered; }

}  // namespace

// Everyone says that it is coming before it comes: whoever is through has heard of all, once it has
// polled what had arrived.
SPMD_CASE(collectives, nobody_leaves_a_barrier_early) {
  const auto rounds = unsigned(spmd::scaled(200, 10));
  const auto n = unsigned(spmd::size());
  std::span<word> seen = ramjet::segment_array<word>(1);
  word* all[1024] = {};
  word* mine = seen.data();
  EXPECT_OK(ramjet::gather(mine, all));
  EXPECT_OK(ramjet::broadcast(std::span<word*>(all)));
  for (unsigned round = 1; round <= rounds; ++round) {
    __atomic_store_n(mine, round, __ATOMIC_RELEASE);
    EXPECT_OK(ramjet::barrier());
    for (unsigned r = 0; r < n; ++r) {
      const word value = ramjet::read(ramjet::global_ptr<word>(all[r]));
      EXPECT(value == round || value == round + 1);
    }
  }
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(mine);
}

SPMD_CASE(collectives, handlers_run_inside_a_barrier) {
  for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_entered>(to));
  for (int i = 0; i < 10; ++i) EXPECT_OK(ramjet::barrier());
  EXPECT_OK(ramjet::wait_until([] { return entered == unsigned(spmd::size()); }));
}

SPMD_CASE(collectives, broadcast_from_every_root) {
  for (int root = 0; root < spmd::size(); ++root) {
    word value = spmd::rank() == root ? word(root) * 1000 + 7 : 0;
    EXPECT_OK(ramjet::broadcast(value, root));
    EXPECT_EQUAL(value, word(root) * 1000 + 7);
  }
}

SPMD_CASE(collectives, broadcast_of_any_length) {
  constexpr std::size_t kMost = ramjet::medium_bytes_max;
  std::vector<std::byte> data(200 * 1024 + 1);
  int root = 0;
  for (std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{4097},
                            kMost - 1, kMost, kMost + 1, 2 * kMost, data.size()}) {
    const word key = count + unsigned(root);
    std::span<std::byte> part(data.data(), count);
    if (spmd::rank() == root) {
      spmd::fill(part.data(), count, key);
    } else {
      spmd::fill(data.data(), data.size(), ~key);
    }
    EXPECT_OK(ramjet::broadcast(part, root));
    EXPECT_EQUAL(spmd::first_wrong(part.data(), count, key), count);
    if (spmd::rank() != root && count < data.size())
      EXPECT(data[count] == std::byte(spmd::byte_at(~key, count)));
    root = (root + 1) % spmd::size();
  }
}

namespace {

// Affine maps x -> a x + b modulo 2^64: composition is associative, and not commutative.
struct affine {
  word a, b;
};
affine after(affine f, affine g) { return {f.a * g.a, f.a * g.b + f.b}; }

struct large {
  affine maps[3000];  // 48 kB
};

affine map_of(int rank, unsigned i) { return {word(rank) * 2 + 3 + i, word(rank) * 5 + 1}; }

}  // namespace

SPMD_CASE(collectives, reduction_in_the_order_of_the_ranks) {
  for (unsigned i = 0; i < spmd::scaled(30, 3); ++i) {
    affine expected{1, 0};
    for (int r = 0; r < spmd::size(); ++r) expected = after(expected, map_of(r, i));
    affine mine = map_of(spmd::rank(), i);
    EXPECT_OK(ramjet::all_reduce(mine, after));
    EXPECT_EQUAL(mine.a, expected.a);
    EXPECT_EQUAL(mine.b, expected.b);
  }
}

SPMD_CASE(collectives, reduction_of_large_values_with_a_stateful_operator) {
  auto mine = std::make_unique<large>();
  for (unsigned i = 0; i < 3000; ++i) mine->maps[i] = map_of(spmd::rank(), i);
  unsigned used = 0;
  EXPECT_OK(ramjet::all_reduce(*mine, [&used](const large& x, const large& y) {
    ++used;
    large z;
    for (unsigned i = 0; i < 3000; ++i) z.maps[i] = after(x.maps[i], y.maps[i]);
    return z;
  }));
  for (unsigned i = 0; i < 3000; ++i) {
    affine expected{1, 0};
    for (int r = 0; r < spmd::size(); ++r) expected = after(expected, map_of(r, i));
    EXPECT_EQUAL(mine->maps[i].a, expected.a);
    EXPECT_EQUAL(mine->maps[i].b, expected.b);
  }
  EXPECT(used < unsigned(spmd::size()) || spmd::size() == 1);
}

// Sums of floats depend on the order: all ranks get the same bits all the same.
SPMD_CASE(collectives, reduction_gives_the_same_bits_everywhere) {
  double value = 0.1 + 1e-17 * spmd::rank() + (spmd::rank() % 3 == 0 ? 1e10 : 0);
  EXPECT_OK(ramjet::all_reduce(value, [](double a, double b) { return a + b; }));
  std::vector<double> all(std::size_t(spmd::size()));
  EXPECT_OK(ramjet::gather(value, all.data()));
  if (spmd::rank() == 0)
    for (double other : all) EXPECT(std::memcmp(&other, &value, sizeof value) == 0);
}

SPMD_CASE(collectives, gather_to_every_root) {
  struct entry {
    int rank;
    word square;
  };
  for (int root = 0; root < spmd::size(); ++root) {
    std::vector<entry> all(std::size_t(spmd::size()), entry{-1, 0});
    const entry mine{spmd::rank(), word(spmd::rank()) * word(spmd::rank())};
    EXPECT_OK(ramjet::gather(mine, spmd::rank() == root ? all.data() : nullptr, root));
    if (spmd::rank() != root) continue;
    for (int r = 0; r < spmd::size(); ++r) {
      EXPECT_EQUAL(all[std::size_t(r)].rank, r);
      EXPECT_EQUAL(all[std::size_t(r)].square, word(r) * word(r));
    }
  }
}

// No barrier in between: some ranks are a collective ahead, and pieces of two are under way.
SPMD_CASE(collectives, follow_each_other_closely) {
  const auto rounds = unsigned(spmd::scaled(150, 5));
  const int n = spmd::size();
  spmd::random random(spmd::given.seed);  // the same everywhere
  for (unsigned i = 0; i < rounds; ++i) {
    const int root = int(random.below(unsigned(n)));
    std::vector<int> all(std::size_t(n), -1);
    word value = spmd::rank() == root ? i : 0;
    switch (random.below(4)) {
      case 0:
        EXPECT_OK(ramjet::broadcast(value, root));
        EXPECT_EQUAL(value, i);
        break;
      case 1:
        EXPECT_OK(ramjet::gather(spmd::rank() + int(i), all.data(), root));
        if (spmd::rank() == root)
          for (int r = 0; r < n; ++r) EXPECT_EQUAL(all[std::size_t(r)], r + int(i));
        break;
      case 2:
        value = 1;
        EXPECT_OK(ramjet::all_reduce(value, [](word a, word b) { return a + b; }));
        EXPECT_EQUAL(value, word(n));
        break;
      default:
        EXPECT_OK(ramjet::barrier());
    }
  }
}
