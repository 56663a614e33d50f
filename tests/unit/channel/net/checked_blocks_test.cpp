// SPDX-License-Identifier: Apache-2.0
#include "channel/net/checked_blocks.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using namespace ramjet::channel;
using bytes = std::vector<std::byte>;

bytes random_bytes(std::mt19937_64& random, std::size_t count) {
  bytes b(count);
  for (std::byte& one : b) one = std::byte(random());
  return b;
}

// The blocks of a stream that is sent in pieces of these sizes.
bytes blocks_of(const bytes& stream, std::mt19937_64& random) {
  block_writer out;
  bytes blocks;
  for (std::size_t at = 0; at != stream.size();) {
    const std::size_t most = random() % 3 == 0 ? 100'000 : 200;
    const std::size_t n = std::min<std::size_t>(1 + random() % most, stream.size() - at);
    const std::size_t first = random() % (n + 1);
    out.fill({stream.data() + at, first}, {stream.data() + at + first, n - first});
    at += out.payload();
    for (piece rest; (rest = out.rest()).count != 0; out.note_sent(rest.count))
      blocks.insert(blocks.end(), rest.bytes, rest.bytes + rest.count);
  }
  return blocks;
}

// What a reader takes of the blocks, which come in pieces.
bytes read(const bytes& blocks, std::mt19937_64& random, block_reader& in) {
  bytes got;
  for (std::size_t at = 0; at != blocks.size() && !in.is_altered();) {
    std::size_t room;
    std::byte* const to = in.room(room);
    const std::size_t n = std::min({room, 1 + random() % 30'000, blocks.size() - at});
    std::memcpy(to, blocks.data() + at, n);
    in.note_received(n);
    at += n;
    bytes some(1 + random() % 20'000);
    for (std::size_t taken = some.size(); taken == some.size();) {
      taken = in.take(some.data(), some.size());
      got.insert(got.end(), some.begin(), some.begin() + std::ptrdiff_t(taken));
    }
  }
  return got;
}

TEST(CheckedBlocks, BringWhatWasSent) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) {
    const bytes stream = random_bytes(random, 1 + random() % 400'000);
    block_reader in;
    EXPECT_EQ(read(blocks_of(stream, random), random, in), stream);
    EXPECT_FALSE(in.is_altered());
  }
}

// Wherever a byte is altered, lost or repeated: what was taken is what was sent before that place.
TEST(CheckedBlocks, NoticeEveryChangeBeforeItIsTaken) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 500; ++i) {
    const bytes stream = random_bytes(random, 1 + random() % 3'000);
    bytes blocks = blocks_of(stream, random);
    const std::size_t where = random() % blocks.size();
    const auto at = blocks.begin() + std::ptrdiff_t(where);
    switch (i % 3) {
      case 0:
        *at ^= std::byte(1 + random() % 255);
        break;
      case 1:
        blocks.erase(at);
        break;
      default:
        blocks.insert(at, ~*at);
    }
    const bytes more = random_bytes(random, kWholeBlockMax);  // what comes afterwards
    blocks.insert(blocks.end(), more.begin(), more.end());
    block_reader in;
    const bytes got = read(blocks, random, in);
    EXPECT_TRUE(in.is_altered()) << i;
    ASSERT_LE(got.size(), stream.size()) << i;
    EXPECT_TRUE(std::equal(got.begin(), got.end(), stream.begin())) << i;
  }
}

// A reader must not wait for bytes that nobody has sent.
TEST(CheckedBlocks, NoticeAnAlteredHeadWithoutTheRest) {
  const bytes stream(40);
  std::mt19937_64 random(3);
  const bytes blocks = blocks_of(stream, random);
  for (std::size_t bit = 0; bit < 64; ++bit) {
    bytes altered = blocks;
    altered[bit / 8] ^= std::byte(1u << bit % 8);
    block_reader in;
    read(bytes(altered.begin(), altered.begin() + sizeof(block_head)), random, in);
    EXPECT_TRUE(in.is_altered()) << bit;
  }
}

}  // namespace
