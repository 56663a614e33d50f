// SPDX-License-Identifier: Apache-2.0
// Cards that ranks leave for each other; the ranks are threads.
#include "job/bootstrap/directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace ramjet::job;
using ramjet::status;
using testing::ElementsAre;
using testing::HasSubstr;

class a_directory : public testing::Test {
 protected:
  static constexpr unsigned kRanks = 3;
  static constexpr std::size_t kBytes = directory_bytes(kRanks);
  a_directory() : memory(static_cast<std::byte*>(std::aligned_alloc(4096, kBytes)), std::free) {
    std::memset(memory.get(), 0, kBytes);
    job_key key;
    key.fill(7);
    d = format_directory(memory.get(), kRanks, key);
  }

  std::unique_ptr<std::byte, void (*)(void*)> memory;
  directory* d;
};

// The i-th card of a rank: of every length, the longest too.
std::string card(unsigned rank, std::uint32_t round) {
  const std::size_t bytes = round == 3 ? kCardBytesMax : rank * round;
  return std::string(bytes, char('a' + rank + round));
}

TEST_F(a_directory, is_told_from_other_memory) {
  EXPECT_EQ(directory_defect(d, kBytes, kRanks), nullptr);
  EXPECT_THAT(directory_defect(d, kBytes, kRanks + 1), HasSubstr("number of ranks"));
  EXPECT_THAT(directory_defect(d, kBytes - 1, kRanks), HasSubstr("short"));
  EXPECT_NE(directory_defect(d, sizeof(directory) - 1, kRanks), nullptr);
  d->version += 1;
  EXPECT_THAT(directory_defect(d, kBytes, kRanks), HasSubstr("version"));
  d->magic ^= 1;
  EXPECT_THAT(directory_defect(d, kBytes, kRanks), HasSubstr("not a Ramjet"));
}

TEST_F(a_directory, gives_everybody_the_cards_of_the_round) {
  constexpr std::uint32_t kRounds = 200;
  std::vector<std::string> wrong(kRanks);
  const auto live = [&](unsigned rank) {
    for (std::uint32_t round = 1; round <= kRounds; ++round) {
      std::vector<std::string> all;
      const status s = exchange_cards(d, rank, kRanks, round, card(rank, round), all, wrong[rank]);
      if (s != status::ok) return;
      for (unsigned r = 0; r < kRanks; ++r) {
        if (all[r] == card(r, round)) continue;
        wrong[rank] = "round " + std::to_string(round) + ", card of " + std::to_string(r);
        return;
      }
    }
  };
  std::vector<std::thread> ranks;
  for (unsigned rank = 0; rank < kRanks; ++rank) ranks.emplace_back(live, rank);
  for (std::thread& rank : ranks) rank.join();
  EXPECT_THAT(wrong, ElementsAre("", "", ""));
}

TEST_F(a_directory, ends_the_wait_for_a_rank_that_has_died) {
  std::string messages[2];
  status outcomes[2] = {};
  std::vector<std::thread> living;
  for (unsigned rank : {0u, 1u}) {
    living.emplace_back([&, rank] {
      std::vector<std::string> all;
      outcomes[rank] = exchange_cards(d, rank, kRanks, 1, "x", all, messages[rank]);
    });
  }
  note_dead(d, 2);
  for (std::thread& t : living) t.join();
  for (unsigned rank : {0u, 1u}) {
    EXPECT_EQ(outcomes[rank], status::peer_failed);
    EXPECT_EQ(messages[rank], "rank 2 failed before the job had started");
  }
}

TEST_F(a_directory, keeps_the_card_of_a_rank_that_died_later) {
  std::vector<std::string> all;
  std::string message;
  std::vector<std::thread> others;
  for (unsigned rank : {1u, 2u}) {
    others.emplace_back([&, rank] {
      std::vector<std::string> its;
      std::string its_message;
      EXPECT_EQ(exchange_cards(d, rank, kRanks, 1, card(rank, 1), its, its_message), status::ok);
    });
  }
  while (d->brought.load() < 2) std::this_thread::yield();
  note_dead(d, 2);
  EXPECT_EQ(exchange_cards(d, 0, kRanks, 1, "", all, message), status::ok) << message;
  EXPECT_EQ(all[2], card(2, 1));
  for (std::thread& t : others) t.join();
}

TEST_F(a_directory, refuses_a_card_that_is_too_long) {
  std::vector<std::string> all;
  std::string message;
  const std::string long_card(kCardBytesMax + 1, 'x');
  EXPECT_EQ(exchange_cards(d, 0, kRanks, 1, long_card, all, message), status::environment);
  EXPECT_THAT(message, HasSubstr("4097 bytes"));
  EXPECT_EQ(d->brought.load(), 0u);
}

TEST_F(a_directory, doubts_a_length_that_cannot_be) {
  auto* entries = reinterpret_cast<directory_entry*>(d + 1);
  for (unsigned r : {1u, 2u}) {
    entries[r].slots[1].bytes = r == 2 ? std::uint32_t{kCardBytesMax} + 1 : 0;
    entries[r].slots[1].round = 1;
  }
  std::vector<std::string> all;
  std::string message;
  EXPECT_EQ(exchange_cards(d, 0, kRanks, 1, "x", all, message), status::mismatch);
  EXPECT_THAT(message, HasSubstr("rank 2"));
}

}  // namespace
