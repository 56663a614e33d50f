// SPDX-License-Identifier: Apache-2.0
// The checks of histogram, indexgather, matmul and agenda_matmul find what is wrong, and what they
// have in common says so and shows how far it is. A job of one rank.
#include <chrono>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <ramjet/ramjet.hpp>

#include "agenda_matmul/product.hpp"
#include "histogram/updating.hpp"
#include "indexgather/gathering.hpp"
#include "job.hpp"
#include "matmul/multiplying.hpp"
#include "measured/measuring.hpp"

namespace {

TEST(Histogram, ALostAndAStrayUpdateAreFound) {
  const histogram::options o{.table = 100, .updates = 1000};
  const std::vector<std::uint64_t> expected = histogram::expected_counters(o, o.table, 3);
  std::vector<std::uint64_t> found = expected;
  EXPECT_EQ(histogram::wrong_counters(found, expected), 0);
  --found[7];
  EXPECT_EQ(histogram::wrong_counters(found, expected), 1);
  ++found[99];
  EXPECT_EQ(histogram::wrong_counters(found, expected), 2);
}

TEST(Histogram, TheSumOfWhatWasFetchedIsExactBeyond32Bits) {
  EXPECT_EQ(histogram::sum_fetched(std::vector<std::uint64_t>{0, 1, 2, 5}), 11);
  const std::uint64_t even = std::uint64_t{1} << 33, odd = even + 1;
  EXPECT_EQ(histogram::sum_fetched(std::vector{even}), (even / 2) * (even - 1));
  EXPECT_EQ(histogram::sum_fetched(std::vector{odd}), (even / 2) * odd);
}

TEST(Indexgather, WordsOfOtherPlacesAreFound) {
  const indexgather::options o;
  const std::vector<std::uint32_t> indices = {5, 0, 5, 999'999};
  std::vector<std::uint64_t> words;
  for (const std::uint32_t i : indices) words.push_back(indexgather::word_at(o, i));
  EXPECT_EQ(indexgather::wrong_words(o, words, indices), 0);
  std::swap(words[0], words[1]);
  words[3] = 0;
  EXPECT_EQ(indexgather::wrong_words(o, words, indices), 3);
}

TEST(Matmul, AMissingAndARepeatedUpdateAreFound) {
  const matmul::shape s{.n = 10, .terms = 6, .columns = 4};
  const matmul::room_for_a room(ramjet::all_spread_malloc(1, s.n * s.terms * sizeof(double)));
  matmul::product p(s, measured::matrix_entries(1), room);
  EXPECT_GT(p.wrong(), 0);
  p.multiply();
  EXPECT_EQ(p.wrong(), 0);
  const std::uint64_t checksum = p.checksum();
  p.compute_only();
  EXPECT_GT(p.wrong(), 0);
  EXPECT_NE(p.checksum(), checksum);
  p.clear();
  *room = *room + 1;  // one number of A is another
  p.multiply();
  EXPECT_GT(p.wrong(), 0);
  EXPECT_LE(p.wrong(), s.columns);
}

TEST(AgendaMatmul, WrongNumbersAreFound) {
  using namespace agenda_matmul;
  constexpr std::size_t kSize = 9;
  const matrices room = make_room(kSize * kSize);
  product p(kSize, measured::matrix_entries(3), room, kernel::plain);
  p.clear();
  EXPECT_GT(p.wrong_rows(), 0);
  p.multiply_alone();
  EXPECT_EQ(p.wrong_rows(), 0);
  const std::uint64_t checksum = p.checksum();
  room.c.local()[4 * kSize + 3] += 1;
  room.c.local()[6 * kSize] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(p.wrong_rows(), 2);
  p.multiply({.granularity = 2, .concurrency = 3, .ranks = 1});
  EXPECT_EQ(p.wrong_rows(), 0);
  EXPECT_EQ(p.checksum(), checksum);
}

TEST(Frame, SaysWhatToDoIfThereIsNotEnoughMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a forked child is not a rank
  const measured::program p{.name = "some", .sized_by = "--n or --m"};
  EXPECT_EXIT(measured::exit_status_of(p, [] { throw std::bad_alloc(); }),
              testing::ExitedWithCode(1),
              "^some: rank 0: not enough memory for this: ask for less by --n or --m\n$");
}

// What stderr gets of a measurement that takes longer than the silence at the begin.
struct progress_shown {
  std::string said;
  bool late;  // on a busy machine: even the first repeat ended after the silence
};
progress_shown said_in_turns() {
  using namespace std::chrono_literals;
  using clock = std::chrono::steady_clock;
  testing::internal::CaptureStderr();
  const clock::time_point begin = clock::now();
  int turn = 0;
  bool late = false;
  const auto way = [&] {
    if (turn++ == 1) late = clock::now() - begin >= 1s;
    std::this_thread::sleep_for(130ms);
    return 1.0;
  };
  EXPECT_EQ(measured::medians_in_turn(11, {way}), std::vector<double>{1});
  return {testing::internal::GetCapturedStderr(), late};
}

TEST(Progress, IsOneLineThatGoesAtTheEnd) {
  ::setenv("RAMJET_STDERR_COLUMNS", "80", 1);
  const auto [said, late] = said_in_turns();
  ::unsetenv("RAMJET_STDERR_COLUMNS");
  EXPECT_NE(said.find("repeat 11 of 11: 1 of 1\033[K\r"), std::string::npos) << said;
  if (!late) {
    EXPECT_EQ(said.find("repeat 1 of"), std::string::npos) << said;
  }
  EXPECT_TRUE(said.ends_with("\r\033[K\r")) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

TEST(Progress, IsSilentWhereStderrIsNoTerminal) { EXPECT_EQ(said_in_turns().said, ""); }

}  // namespace
