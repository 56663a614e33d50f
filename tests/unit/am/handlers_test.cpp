// SPDX-License-Identifier: Apache-2.0
// The registry: indices follow the names, whatever the order of registration, and the hash tells
// programs apart. One process can number its handlers once, so each order is tried in a process of
// its own.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "am/runtime.hpp"
#include "ramjet/detail/am/registry.hpp"

namespace {

using namespace ramjet::detail;

void run_first(engine&, peer&, word*, std::uint64_t) {}
void run_second(engine&, peer&, word*, std::uint64_t) {}

struct outcome {
  std::uint64_t hash = 0;
  std::array<std::uint16_t, 4> index{};
  unsigned requests = 0, replies = 0;
  bool runs_right = false;
  bool operator==(const outcome&) const = default;
};

struct named {
  const char* name;
  bool reply;
};

// Registers the handlers in this order, in a child, and says what came of it, in the order of
// `all`.
outcome number(const std::vector<named>& all, std::vector<unsigned> order) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    static std::array<std::uint16_t, 4> index;
    static std::array<handler_record, 4> records;
    for (unsigned i : order) {
      records[i] = {all[i].name, i % 2 ? run_second : run_first, nullptr, &index[i], all[i].reply,
                    nullptr};
      register_handler(&records[i]);
    }
    outcome o;
    o.hash = number_handlers();
    o.index = index;
    o.requests = request_handlers().count;
    o.replies = reply_handlers().count;
    o.runs_right = true;
    for (unsigned i = 0; i < all.size(); ++i) {
      const handler_table t = all[i].reply ? reply_handlers() : request_handlers();
      o.runs_right = o.runs_right && t.entries[index[i]].run == (i % 2 ? run_second : run_first);
    }
    ::_exit(::write(ends[1], &o, sizeof o) == ssize_t(sizeof o) ? 0 : 1);
  }
  outcome o;
  ::close(ends[1]);
  EXPECT_EQ(::read(ends[0], &o, sizeof o), ssize_t(sizeof o));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return o;
}

const std::vector<named> kAll = {
    {"delta", false}, {"alpha", true}, {"charlie", false}, {"bravo", true}};

TEST(handlers, are_numbered_by_name_in_two_tables) {
  const outcome o = number(kAll, {0, 1, 2, 3});
  EXPECT_LT(o.index[2], o.index[0]);  // charlie before delta
  EXPECT_LT(o.index[1], o.index[3]);  // alpha before bravo
  EXPECT_TRUE(o.runs_right);
}

TEST(handlers, have_the_same_numbers_in_any_order_of_registration) {
  std::vector<unsigned> order = {0, 1, 2, 3};
  const outcome first = number(kAll, order);
  while (std::next_permutation(order.begin(), order.end())) EXPECT_EQ(number(kAll, order), first);
}

TEST(handlers, another_name_gives_another_hash) {
  const outcome first = number(kAll, {0, 1, 2, 3});
  auto other = kAll;
  other[2].name = "charles";
  EXPECT_NE(number(other, {0, 1, 2, 3}).hash, first.hash);
  EXPECT_NE(number(kAll, {0, 1, 2}).hash, first.hash);
}

void register_late() {
  number_handlers();
  static std::uint16_t index;
  static handler_record late{"late", run_first, nullptr, &index, false, nullptr};
  register_handler(&late);
}

TEST(handlers, a_late_one_ends_the_program) {
  EXPECT_DEATH(register_late(), "registered after the job had started");
}

}  // namespace
