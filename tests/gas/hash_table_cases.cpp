// SPDX-License-Identifier: Apache-2.0
// Hash tables over all ranks against maps that each rank keeps for itself.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "spmd.hpp"

namespace {

using ramjet::hash_table;

void add(std::uint64_t& value, std::uint64_t by) { value += by; }
void largest(std::int32_t& value, std::int32_t other) noexcept { value = std::max(value, other); }

// What one rank does in the model test: random, the same whoever asks.
struct operation {
  enum { kAdd, kAssign, kErase } what;
  std::uint64_t key, value;
};
operation next_operation(spmd::random& random, int author) {
  const auto what = random.below(10);
  const std::uint64_t key = random.below(300) << 8 | unsigned(author);  // no other rank's key
  return {what < 6   ? operation::kAdd
          : what < 8 ? operation::kAssign
                     : operation::kErase,
          key, random.below(1000)};
}
spmd::random operations_of(int author) {
  return spmd::random(spmd::given.seed * 64 + std::uint64_t(author));
}

using model = std::map<std::uint64_t, std::uint64_t>;
void replay(model& m, int author, std::size_t count) {
  spmd::random random = operations_of(author);
  for (std::size_t i = 0; i < count; ++i) {
    const operation o = next_operation(random, author);
    if (o.what == operation::kAdd) m[o.key] += o.value;
    if (o.what == operation::kAssign) m[o.key] = o.value;
    if (o.what == operation::kErase) m.erase(o.key);
  }
}

struct place {
  std::int32_t x;
  std::int16_t y, z;
  friend bool operator==(const place&, const place&) = default;
};
struct place_hash {
  std::size_t operator()(const place& p) const {
    return std::size_t(p.x) * 1'000'003 + std::size_t(p.y) * 1009 + std::size_t(p.z);
  }
};
struct bad_hash {
  std::size_t operator()(int) const { return 5; }
};

}  // namespace

// Random histories of all ranks at once, each rank on keys of its own, whoever owns them.
SPMD_CASE(hash_table, does_as_a_map_does) {
  const auto count = spmd::scaled(20'000, 300);
  auto table = hash_table<std::uint64_t, std::uint64_t>::all_make();
  spmd::random random = operations_of(spmd::rank());
  for (std::size_t i = 0; i < count; ++i) {
    const operation o = next_operation(random, spmd::rank());
    if (o.what == operation::kAdd) EXPECT_OK(table.update<add>(o.key, o.value));
    if (o.what == operation::kAssign) EXPECT_OK(table.assign(o.key, o.value));
    if (o.what == operation::kErase) EXPECT_OK(table.erase(o.key));
  }
  model mine;
  replay(mine, spmd::rank(), count);
  for (std::uint64_t key = unsigned(spmd::rank()); key < 300 << 8; key += 256) {
    const auto found = table.find(key).get();  // after this rank's updates of the key
    const auto expected = mine.find(key);
    EXPECT(found.has_value() == (expected != mine.end()));
    if (found) EXPECT_EQUAL(*found, expected->second);
  }
  EXPECT_OK(ramjet::quiesce());
  model all;
  for (int author = 0; author < spmd::size(); ++author) replay(all, author, count);
  std::size_t elements = 0;
  table.for_my_elements([&](const std::uint64_t& key, std::uint64_t& value) {
    EXPECT_EQUAL(table.owner_of(key), spmd::rank());
    const auto expected = all.find(key);
    EXPECT(expected != all.end());
    EXPECT_EQUAL(value, expected->second);
    ++elements;
  });
  EXPECT_EQUAL(elements, table.my_size());
  EXPECT_OK(table.all_size(elements));
  EXPECT_EQUAL(elements, all.size());
  table.all_free();
  EXPECT(!table);
}

// All ranks count the same keys: no count is lost, at any size.
SPMD_CASE(hash_table, no_update_is_lost) {
  const auto keys = std::uint64_t(spmd::scaled(30'000, 200));
  auto table = hash_table<std::uint64_t, std::uint64_t>::all_make(10);
  for (std::uint64_t i = 0; i < keys; ++i) {
    EXPECT_OK(table.update<add>(i * i, i));
    EXPECT_OK(table.update<add>(i << 40, 1u));
  }
  EXPECT_OK(ramjet::quiesce());
  std::map<std::uint64_t, std::uint64_t> expected;
  for (std::uint64_t i = 0; i < keys; ++i) {
    expected[i * i] += i * unsigned(spmd::size());
    expected[i << 40] += unsigned(spmd::size());
  }
  std::size_t mine = 0;
  for (const auto& [key, value] : expected) {
    const std::uint64_t* found = table.find_mine(key);
    EXPECT((found != nullptr) == (table.owner_of(key) == spmd::rank()));
    mine += found != nullptr;
    if (found != nullptr) EXPECT_EQUAL(*found, value);
  }
  EXPECT_EQUAL(mine, table.my_size());
  // The ranks own about as much as each other.
  const std::size_t fair = expected.size() / std::size_t(spmd::size());
  if (fair > 2000) EXPECT(mine > fair * 9 / 10 && mine < fair * 11 / 10);
  table.all_free();
}

SPMD_CASE(hash_table, keys_may_be_structures_and_collide) {
  auto places = hash_table<place, std::int32_t, place_hash>::all_make();
  auto crowd = hash_table<int, std::uint64_t, bad_hash>::all_make();
  for (int i = 0; i < 200; ++i) {
    const place p{i * 1'000'000, std::int16_t(-i), std::int16_t(i % 7)};
    EXPECT_OK(places.update<largest>(p, i * 10 + spmd::rank()));
    EXPECT_OK(crowd.update<add>(i, 3u));
  }
  for (int i = 0; i < 200; i += 2) EXPECT_OK(crowd.erase(i));
  EXPECT_OK(ramjet::quiesce());
  for (int i = 0; i < 200; ++i) {
    const place p{i * 1'000'000, std::int16_t(-i), std::int16_t(i % 7)};
    EXPECT(places.find(p).get() == i * 10 + spmd::size() - 1);
  }
  // An erase of one rank may come before an update of another.
  crowd.for_my_elements([](int key, std::uint64_t& n) {
    EXPECT(n <= 3u * unsigned(spmd::size()));
    EXPECT(key % 2 == 0 || n == 3u * unsigned(spmd::size()));
  });
  std::size_t odd = 0;
  EXPECT_OK(crowd.all_size(odd));
  EXPECT(odd >= 100);
  EXPECT_EQUAL(odd, crowd.owner_of(0) == spmd::rank() ? crowd.my_size() : odd);
  crowd.all_free();
  places.all_free();
}

// Many at once, of two types; updates to all of them are under way together.
SPMD_CASE(hash_table, tables_do_not_meet) {
  std::vector<hash_table<int, std::int32_t>> numbers;
  std::vector<hash_table<std::uint64_t, std::uint64_t>> sums;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 6; ++i) {
      numbers.push_back(hash_table<int, std::int32_t>::all_make());
      sums.push_back(hash_table<std::uint64_t, std::uint64_t>::all_make());
    }
    for (int key = 0; key < 100; ++key)
      for (std::size_t t = 0; t < numbers.size(); ++t) {
        EXPECT_OK(numbers[t].update<largest>(key, int(t) * 1000 + key));
        EXPECT_OK(sums[t].update<add>(std::uint64_t(key), t + 1));
      }
    EXPECT_OK(ramjet::quiesce());
    for (std::size_t t = 0; t < numbers.size(); ++t) {
      numbers[t].for_my_elements(
          [&](int key, std::int32_t& value) { EXPECT_EQUAL(value, int(t) * 1000 + key); });
      sums[t].for_my_elements([&](std::uint64_t, std::uint64_t& value) {
        EXPECT_EQUAL(value % (t + 1), 0u);
        EXPECT(value >= (t + 1) * unsigned(spmd::size()));
      });
    }
    numbers.front().all_free();
    sums.back().all_free();
    // The rest goes on; what is asked of it is not mixed up with what is gone.
    numbers.erase(numbers.begin());
    sums.pop_back();
    for (auto& t : numbers) t.all_free();
    for (auto& t : sums) t.all_free();
    numbers.clear();
    sums.clear();
  }
}

namespace {

hash_table<std::uint64_t, std::uint64_t> visits;
std::uint64_t parent_of(std::uint64_t n) { return n % 2 == 0 ? n / 2 : 3 * n + 1; }

// Visits the parent when it comes to a number for the first time.
void visit(std::uint64_t& times, std::uint64_t number) {
  if (++times == 1 && number != 1)
    EXPECT_OK(visits.chain_update<visit>(parent_of(number), parent_of(number)));
}

}  // namespace

// Functions that send on: all numbers on the way from 1 .. n to 1, each found once.
SPMD_CASE(hash_table, functions_chain_updates) {
  visits = hash_table<std::uint64_t, std::uint64_t>::all_make();
  EXPECT_OK(ramjet::barrier());  // the functions look at `visits` on every rank
  const auto n = std::uint64_t(spmd::scaled(2000, 60));
  for (std::uint64_t i = 1 + unsigned(spmd::rank()); i <= n; i += unsigned(spmd::size()))
    EXPECT_OK(visits.update<visit>(i, i));
  EXPECT_OK(ramjet::quiesce());
  std::set<std::uint64_t> expected;
  for (std::uint64_t i = 1; i <= n; ++i)
    for (std::uint64_t at = i; expected.insert(at).second && at != 1;) at = parent_of(at);
  std::size_t found = 0;
  EXPECT_OK(visits.all_size(found));
  EXPECT_EQUAL(found, expected.size());
  visits.for_my_elements(
      [&](std::uint64_t number, std::uint64_t&) { EXPECT(expected.contains(number)); });
  visits.all_free();
}

namespace {

struct large {
  std::uint64_t words[40];
};
void set_word(large& value, std::uint32_t index, std::uint64_t word) { value.words[index] = word; }
std::uint64_t sum_of(const large* value, std::uint32_t count) {
  std::uint64_t total = 0;
  for (std::uint32_t i = 0; value != nullptr && i < count; ++i) total += value->words[i];
  return value != nullptr ? total : ~std::uint64_t{0};
}
std::uint64_t draw(std::uint64_t* value) { return value != nullptr ? (*value)++ : 0; }

}  // namespace

SPMD_CASE(hash_table, values_are_asked_and_changed_in_place) {
  auto table = hash_table<int, large>::all_make();
  for (std::uint32_t i = 0; i < 40; ++i)
    EXPECT_OK(table.update<set_word>(spmd::rank(), i, std::uint64_t(spmd::rank()) * i));
  EXPECT_OK(ramjet::quiesce());
  for (int r = 0; r < spmd::size(); ++r) {
    const std::uint32_t count = 40;
    EXPECT_EQUAL(table.ask<sum_of>(r, count).get(), std::uint64_t(r) * 780);
  }
  EXPECT_EQUAL(table.ask<sum_of>(-1, 1u).get(), ~std::uint64_t{0});
  EXPECT_OK(table.assign(-2, large{{1, 2, 3}}));
  EXPECT_EQUAL(table.ask<sum_of>(-2, 3u).get(), 6u);
  table.all_free();
  // No number is drawn twice.
  auto counters = hash_table<int, std::uint64_t>::all_make();
  if (spmd::rank() == 0) EXPECT_OK(counters.assign(9, 0));
  EXPECT_OK(ramjet::quiesce());
  std::uint64_t total = 0;
  for (int i = 0; i < 100; ++i) total += counters.ask<draw>(9).get();
  EXPECT_OK(ramjet::all_reduce(total, [](std::uint64_t a, std::uint64_t b) { return a + b; }));
  const std::uint64_t drawn = 100 * unsigned(spmd::size());
  EXPECT_EQUAL(total, drawn * (drawn - 1) / 2);
  counters.all_free();
}
