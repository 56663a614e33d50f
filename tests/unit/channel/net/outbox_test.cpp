// SPDX-License-Identifier: Apache-2.0
#include "channel/net/outbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "channel/net/waiting_frames.hpp"

namespace {

using namespace ramjet::channel;

// Takes `at_once` bytes at a time, and up to `room` in all; then it is full, or broken.
class slow_stream final : public stream {
 public:
  std::size_t at_once = SIZE_MAX, room = SIZE_MAX;
  bool broken = false;
  unsigned calls = 0;
  std::vector<std::byte> taken;

  std::ptrdiff_t send(const piece& first, const piece& second) override {
    ++calls;
    if (broken) return kBroken;
    std::size_t left = std::min(at_once, room);
    const std::size_t most = left;
    for (const piece& p : {first, second}) {
      const std::size_t n = std::min(left, p.count);
      taken.insert(taken.end(), p.bytes, p.bytes + n);
      left -= n;
    }
    room -= most - left;
    return std::ptrdiff_t(most - left);
  }
  std::ptrdiff_t receive(std::byte*, std::size_t) override { return 0; }
  void finish() override {}
};

std::vector<std::byte> bytes_from(unsigned seed, std::size_t count) {
  std::vector<std::byte> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = std::byte(seed + i * 7 + i / 251);
  return all;
}

TEST(Outbox, GathersWhatIsShortIntoOnePacket) {
  outbox box;
  slow_stream to;
  EXPECT_TRUE(box.empty());
  const auto one = bytes_from(1, 100), two = bytes_from(2, outbox::kLong - 1);
  box.put(one.data(), one.size());
  box.put_region(two.data(), two.size());  // copied
  EXPECT_FALSE(box.has_long());
  EXPECT_EQ(box.room(), outbox::kBytes - one.size() - two.size());
  EXPECT_TRUE(box.flush(to));
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(box.room(), outbox::kBytes);
  EXPECT_EQ(to.calls, 1u);
  auto expected = one;
  expected.insert(expected.end(), two.begin(), two.end());
  EXPECT_EQ(to.taken, expected);
}

TEST(Outbox, PutsNoBytes) {
  outbox box;
  box.put(nullptr, 0);
  EXPECT_TRUE(box.empty());
}

TEST(Outbox, SendsLongRunsFromWhereTheyStandInOrder) {
  outbox box;
  slow_stream to;
  const auto head = bytes_from(3, 8);
  auto run = bytes_from(4, 3 * outbox::kLong);
  const auto as_put = run;
  box.put(head.data(), head.size());
  box.put_region(run.data(), run.size());
  EXPECT_TRUE(box.has_long());
  EXPECT_EQ(box.room(), 0u) << "nothing may be gathered behind a run that waits";
  to.room = head.size() + outbox::kLong;
  EXPECT_TRUE(box.flush(to));
  EXPECT_FALSE(box.empty());
  std::fill_n(run.begin(), outbox::kLong, std::byte{0});  // gone already
  to.room = SIZE_MAX;
  EXPECT_TRUE(box.flush(to));
  EXPECT_TRUE(box.empty());
  EXPECT_FALSE(box.has_long());
  auto expected = head;
  expected.insert(expected.end(), as_put.begin(), as_put.end());
  EXPECT_EQ(to.taken, expected);
}

TEST(Outbox, GoesOnWhereTheStreamWasFull) {
  outbox box;
  slow_stream to;
  const auto all = bytes_from(5, 1000);
  box.put(all.data(), all.size());
  to.at_once = 7;
  for (std::size_t room : {10u, 0u, 500u, 1u}) {
    to.room = room;
    EXPECT_TRUE(box.flush(to));
    EXPECT_FALSE(box.empty());
  }
  EXPECT_EQ(to.taken.size(), 511u);
  to.room = SIZE_MAX;
  EXPECT_TRUE(box.flush(to));
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(to.taken, all);
}

// put_now takes bytes that go at once: offered to the stream, and what that does not take is kept.
TEST(Outbox, KeepsWhatTheStreamDoesNotTake) {
  outbox box;
  slow_stream to;
  const auto head = bytes_from(6, 16);
  auto run = bytes_from(7, 5 * outbox::kLong);
  const auto as_put = run;
  box.put(head.data(), head.size());
  to.room = 2 * outbox::kLong;
  box.put_now({run.data(), run.size()}, to);
  std::fill(run.begin(), run.end(), std::byte{0xee});
  EXPECT_EQ(to.taken.size(), 2 * outbox::kLong);
  to.room = SIZE_MAX;
  EXPECT_TRUE(box.flush(to));
  auto expected = head;
  expected.insert(expected.end(), as_put.begin(), as_put.end());
  EXPECT_EQ(to.taken, expected);
}

TEST(Outbox, SaysWhenTheStreamIsBroken) {
  outbox box;
  slow_stream to;
  to.broken = true;
  EXPECT_TRUE(box.flush(to)) << "nothing to send";
  box.put(std::uint64_t{1});
  EXPECT_FALSE(box.flush(to));
  EXPECT_FALSE(box.empty());
  const auto run = bytes_from(8, 2 * outbox::kLong);
  box.put_now({run.data(), run.size()}, to);
  EXPECT_FALSE(box.flush(to));
}

// --- Frames that wait for it ---------------------------------------------------------------------

TEST(WaitingFrames, AccessesWaitForTheWindow) {
  waiting_frames frames;
  outbox box;
  access_window window;
  const std::uint64_t word = 5;
  const piece p{reinterpret_cast<const std::byte*>(&word), sizeof word};
  frames.push({p}, kAccessWindow);
  frames.push({p}, 1);
  frames.push({p, p}, 0);
  EXPECT_EQ(frames.bytes(), 4 * sizeof word);
  frames.move_to(box, window);
  EXPECT_EQ(frames.bytes(), 3 * sizeof word) << "the second would be answered with too much";
  EXPECT_FALSE(window.take(kAccessWindow + 1));
  EXPECT_TRUE(window.take(kAccessWindow));
  frames.move_to(box, window);
  EXPECT_TRUE(frames.empty());
  EXPECT_FALSE(window.empty());
  EXPECT_EQ(box.room(), outbox::kBytes - 4 * sizeof word);
}

// A long frame is sent from where it waits, so the next one waits until it is gone.
TEST(WaitingFrames, LongOnesGoOneByOne) {
  waiting_frames frames;
  outbox box;
  access_window window;
  slow_stream to;
  const auto first = bytes_from(1, 3 * outbox::kLong), second = bytes_from(2, 2 * outbox::kLong);
  frames.push({{first.data(), first.size()}}, 0);
  frames.push({{second.data(), second.size()}}, 0);
  frames.move_to(box, window);
  to.room = outbox::kLong;
  EXPECT_TRUE(box.flush(to));
  frames.move_to(box, window);
  EXPECT_EQ(frames.bytes(), first.size() + second.size()) << "the first is still being sent";
  to.room = SIZE_MAX;
  EXPECT_TRUE(box.flush(to));
  frames.move_to(box, window);
  EXPECT_EQ(frames.bytes(), second.size());
  EXPECT_TRUE(box.flush(to));
  frames.move_to(box, window);
  EXPECT_TRUE(frames.empty());
  auto expected = first;
  expected.insert(expected.end(), second.begin(), second.end());
  EXPECT_EQ(to.taken, expected);
}

}  // namespace
