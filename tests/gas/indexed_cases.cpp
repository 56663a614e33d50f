// SPDX-License-Identifier: Apache-2.0
// Many elements by their indices.
#include <cstdint>
#include <span>
#include <vector>

#include "spmd.hpp"

namespace {

struct wide {  // more than a word
  std::uint64_t a;
  std::uint32_t b[5];
  bool operator==(const wide&) const = default;
};

struct page {  // too long for a list of elements
  std::uint64_t words[40];
  bool operator==(const page&) const = default;
};

template <class T>
T value_of(std::uint64_t i) {
  if constexpr (std::is_same_v<T, wide>)
    return {i, {std::uint32_t(i), 1, 2, 3, std::uint32_t(~i)}};
  else if constexpr (std::is_same_v<T, page>)
    return {{i, 1, ~i}};
  else
    return T(i * 7 + 3);
}

// A table over all ranks, from an element that is not on rank 0.
template <class T>
struct spread_table {
  static constexpr std::size_t kElements = 1001;
  spread_table() : all(ramjet::all_spread_malloc<T>(kElements + 5)), table(all + 5) {
    EXPECT(all != nullptr);
    for (std::size_t i = 0; i < kElements; ++i)
      if ((table + std::ptrdiff_t(i)).rank() == spmd::rank())
        ramjet::write(table + std::ptrdiff_t(i), value_of<T>(i));
    EXPECT_OK(ramjet::barrier());
  }
  ~spread_table() { ramjet::all_spread_free(all); }
  ramjet::spread_ptr<T> all, table;
};

template <class T, class Index>
void read_spread() {
  const spread_table<T> t;
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  std::vector<Index> indices(500);
  for (Index& i : indices) i = Index(random.below(std::min<std::size_t>(t.kElements, Index(~0u))));
  indices[7] = indices[8];
  std::vector<T> into(indices.size() + 1, value_of<T>(9999));
  ramjet::read_each(t.table, std::span<const Index>(indices), into.data());
  for (std::size_t k = 0; k < indices.size(); ++k) EXPECT(into[k] == value_of<T>(indices[k]));
  EXPECT(into.back() == value_of<T>(9999));
  const ramjet::spread_ptr<const T> constant = t.table;
  ramjet::read_each(constant, std::span<const Index>(indices).first(1), into.data());
  ramjet::read_each(t.table, std::span<const Index>{}, static_cast<T*>(nullptr));
  EXPECT_OK(ramjet::barrier());
}

}  // namespace

SPMD_CASE(indexed, reads_of_a_spread_array) {
  read_spread<std::uint64_t, std::uint32_t>();
  read_spread<std::uint64_t, std::uint64_t>();
  read_spread<std::uint8_t, std::uint16_t>();
  read_spread<std::uint16_t, std::uint8_t>();
  read_spread<float, std::uint32_t>();
  read_spread<wide, std::uint32_t>();
  read_spread<page, std::uint32_t>();
}

namespace {

// Each rank writes its own share of all elements, in an order of its own.
template <class T>
void write_spread() {
  const spread_table<T> t;
  std::vector<std::uint32_t> indices;
  std::vector<T> values;
  for (std::uint32_t i = 0; i < t.kElements; ++i) {
    const std::uint32_t at = (i * 389) % std::uint32_t(t.kElements);  // 389 and 1001 are coprime
    if (int(at / 3 % unsigned(spmd::size())) != spmd::rank()) continue;
    indices.push_back(at);
    values.push_back(value_of<T>(at + 1000));
  }
  ramjet::write_each(t.table, std::span<const std::uint32_t>(indices), values.data());
  EXPECT_OK(ramjet::barrier());
  for (std::size_t i = 0; i < t.kElements; ++i)
    EXPECT(ramjet::read(t.table + std::ptrdiff_t(i)) == value_of<T>(i + 1000));
  EXPECT_OK(ramjet::barrier());
}

// All ranks add to all elements at once, some several times.
template <class T>
void add_spread() {
  const spread_table<T> t;
  std::vector<std::uint64_t> indices;
  std::vector<T> values;
  for (std::uint64_t i = 0; i < 2 * t.kElements; ++i) {
    indices.push_back((i * 389) % t.kElements);
    values.push_back(T(i % 5 + unsigned(spmd::rank())));
  }
  ramjet::add_each(t.table, std::span<const std::uint64_t>(indices), values.data());
  ramjet::add_each(t.table, std::span<const std::uint64_t>(indices).first(t.kElements), T(-1));
  EXPECT_OK(ramjet::barrier());
  const auto ranks = std::uint64_t(spmd::size());
  std::vector<T> due(t.kElements);
  for (std::uint64_t i = 0; i < indices.size(); ++i)
    due[indices[i]] += T(ranks * (i % 5) + ranks * (ranks - 1) / 2);
  for (std::size_t i = 0; i < t.kElements; ++i)
    EXPECT_EQUAL(ramjet::read(t.table + std::ptrdiff_t(i)), T(value_of<T>(i) + due[i] - T(ranks)));
  EXPECT_OK(ramjet::barrier());
}

}  // namespace

SPMD_CASE(indexed, writes_to_a_spread_array) {
  write_spread<std::uint64_t>();
  write_spread<std::uint16_t>();
  write_spread<wide>();
  write_spread<page>();
}

SPMD_CASE(indexed, additions_to_a_spread_array) {
  add_spread<std::uint64_t>();
  add_spread<std::uint32_t>();
  add_spread<std::int32_t>();
}

// More than one part of a call, and many lists to each rank.
SPMD_CASE(indexed, many_elements) {
  const spread_table<std::uint32_t> t;
  std::vector<std::uint16_t> indices(300'000);
  spmd::random random(spmd::given.seed + unsigned(spmd::rank()));
  for (std::uint16_t& i : indices) i = std::uint16_t(random.below(t.kElements));
  std::vector<std::uint32_t> into(indices.size());
  ramjet::read_each(t.table, std::span<const std::uint16_t>(indices), into.data());
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < indices.size(); ++k)
    wrong += into[k] != value_of<std::uint32_t>(indices[k]);
  EXPECT_EQUAL(wrong, 0u);
  EXPECT_OK(ramjet::barrier());
  ramjet::add_each(t.table, std::span<const std::uint16_t>(indices), 1);
  EXPECT_OK(ramjet::barrier());
  std::uint64_t sum = 0, due = 0;
  for (std::size_t i = 0; i < t.kElements; ++i) {
    sum += ramjet::read(t.table + std::ptrdiff_t(i));
    due += value_of<std::uint32_t>(i);
  }
  EXPECT_EQUAL(sum, due + indices.size() * unsigned(spmd::size()));
  EXPECT_OK(ramjet::barrier());
}

// All on one rank, near or far; the own one, too.
SPMD_CASE(indexed, elements_of_one_rank) {
  constexpr std::uint32_t kElements = 300;
  const auto own = ramjet::segment_allocate(kElements * sizeof(std::uint32_t));
  EXPECT(own != nullptr);
  auto* const words = static_cast<std::uint32_t*>(own);
  for (std::uint32_t i = 0; i < kElements; ++i) words[i] = i + unsigned(spmd::rank()) * 1000;
  std::vector<ramjet::global_ptr<std::uint32_t>> tables(std::size_t(spmd::size()));
  EXPECT_OK(ramjet::all_gather(ramjet::global_ptr<std::uint32_t>(words), tables.data()));
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < kElements; i += 3) indices.push_back(kElements - 1 - i);
  for (int r = 0; r < spmd::size(); ++r) {
    std::vector<std::uint32_t> into(indices.size());
    ramjet::read_each(tables[std::size_t(r)], std::span<const std::uint32_t>(indices), into.data());
    for (std::size_t k = 0; k < into.size(); ++k)
      EXPECT_EQUAL(into[k], indices[k] + unsigned(r) * 1000);
  }
  EXPECT_OK(ramjet::barrier());
  std::vector<std::uint32_t> values(indices.size(), unsigned(spmd::rank()) + 77);
  ramjet::write_each(tables[std::size_t(spmd::right())], std::span<const std::uint32_t>(indices),
                     values.data());
  EXPECT_OK(ramjet::barrier());
  const auto left = unsigned((spmd::rank() + spmd::size() - 1) % spmd::size());
  for (std::uint32_t i = 0; i < kElements; ++i)
    EXPECT_EQUAL(ramjet::read(ramjet::global_ptr<std::uint32_t>(words + i)),
                 (kElements - 1 - i) % 3 == 0 ? left + 77 : i + unsigned(spmd::rank()) * 1000);
  EXPECT_OK(ramjet::barrier());
  ramjet::segment_free(own);
}
