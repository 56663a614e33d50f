// SPDX-License-Identifier: Apache-2.0
// Accesses past the lanes between two network channels: order, bytes in both directions, deposits
// in front, the window; and peers that ask or answer what cannot be.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <thread>

#include "two_ends.hpp"

namespace {

using namespace net_test;
using ramjet::channel::access;  // not the system call

// What an access of this test says; bytes that are filled with its number follow.
struct request {
  std::uint64_t number = 0;
  std::uint64_t more = 0;
  std::uint64_t answer = 0;
  std::uint64_t deposit_at = 0, deposit = 0;
};
constexpr std::uint8_t kWhat = 0xa5;

// Of what one port asks.
struct side {
  std::uint64_t asked = 0, served = 0, answered = 0;
  std::array<std::byte, access::kAnswerBytesMax> landed;
};
side sides[2];
bool call_ended = false;  // nobody wants the answer any more
thread_local std::vector<std::byte> served_bytes(access::kAnswerBytesMax);

unsigned by_second_thread = 0;  // accesses that it has served

const char* serve(unsigned port, std::uint8_t what, const piece& p, access_answer& into,
                  server by) {
  if (by == server::second_thread) ++by_second_thread;
  request r;
  if (what != kWhat || p.count < sizeof r) return "what is this";
  std::memcpy(&r, p.bytes, sizeof r);
  if (r.number != sides[port].served) return "out of order";
  if (p.count != sizeof r + r.more || !is_filled(p.bytes + sizeof r, r.more, r.number))
    return "not all that was sent";
  if (!is_filled(the_job().segment(1 - port) + r.deposit_at, r.deposit, r.number))
    return "the deposit is not there";
  ++sides[port].served;
  fill(served_bytes.data(), r.answer, r.number);
  into = {kWhat, r.number, {served_bytes.data(), r.answer}};
  return nullptr;
}

std::byte* landing(unsigned port, std::uint32_t id, const access_answer& about,
                   const char*& wrong) {
  if (id != std::uint32_t(about.word)) wrong = "another answer";
  return wrong == nullptr && !call_ended ? sides[1 - port].landed.data() : nullptr;
}

const char* answered(unsigned port, std::uint32_t id, const access_answer& a) {
  side& mine = sides[1 - port];
  if (a.what != kWhat || a.word != mine.answered || id != std::uint32_t(a.word))
    return "not what was asked";
  const std::byte* bytes = a.bytes.bytes != nullptr ? a.bytes.bytes : mine.landed.data();
  if (!is_filled(bytes, a.bytes.count, a.word)) return "other bytes";
  ++mine.answered;
  return nullptr;
}

class Access : public testing::Test, protected two_ends {
 protected:
  void SetUp() override {
    for (side& s : sides) s = {};
    call_ended = false;
    by_second_thread = 0;
    set_access_functions({serve, landing, answered});
  }
  void TearDown() override { set_access_functions({}); }

  // The next access of that port; false if there was no room.
  bool ask(unsigned port, request r, bool in_handler, bool more_follow = false) {
    r.number = sides[port].asked;
    std::vector<std::byte> more(r.more), deposit(r.deposit);
    fill(more.data(), r.more, r.number);
    fill(deposit.data(), r.deposit, r.number);
    const access a{.what = kWhat,
                   .id = std::uint32_t(r.number),
                   .request = {reinterpret_cast<const std::byte*>(&r), sizeof r},
                   .more = {more.data(), more.size()},
                   .answer_bytes = r.answer,
                   .deposit = {deposit.data(), deposit.size()},
                   .deposit_at = (1 - port) * fake_job::kSegmentBytes + r.deposit_at,
                   .more_follow = more_follow};
    const bool taken = ends[port]->begin_access(1 - port, a, in_handler) == access_start::taken;
    sides[port].asked += taken;
    return taken;
  }
  static request draw(std::mt19937_64& random) {
    request r{};
    r.more = random() % 3 == 0 ? random() % (access::kRequestBytesMax - sizeof r) : 0;
    r.answer = random() % 4 == 0 ? random() % (access::kAnswerBytesMax + 1) : random() % 16;
    r.deposit = random() % 8 == 0 ? random() % 70'000 : 0;
    r.deposit_at = random() % (fake_job::kSegmentBytes - r.deposit + 1);
    return r;
  }
  bool all_answered() const {
    return sides[0].answered == sides[0].asked && sides[1].answered == sides[1].asked;
  }
  std::string complaints() const { return outside[0].complaint + outside[1].complaint; }
};

TEST_F(Access, AreServedAndAnsweredInOrder) {
  std::mt19937_64 random(seed_of_this_run());
  join({&random, 60'000});
  constexpr std::uint64_t kAccesses = 20'000;
  std::uint64_t turns = 0;
  while (sides[0].answered < kAccesses || sides[1].answered < kAccesses) {
    ASSERT_LT(++turns, 20'000'000u) << "it stands still";
    ASSERT_EQ(complaints(), "");
    const auto r = unsigned(random() % 2);
    for (unsigned i = unsigned(random() % 30); i != 0 && sides[r].asked < kAccesses; --i)
      if (!ask(r, draw(random), random() % 4 == 0, random() % 2 == 0)) break;
    ends[r]->pump();
  }
  for (int i = 0; i < 100'000 && !ends[0]->drained(); ++i) pump(1);
  EXPECT_TRUE(ends[0]->drained());
}

// --- Served by the second thread -----------------------------------------------------------------

// While an endpoint's thread does not pump.
TEST_F(Access, AreServedByTheSecondThreadWhichKeepsAnswersForTheOwner) {
  join({});
  ends[1]->allow_serving();
  pump(2);
  ASSERT_TRUE(ask(0, {.more = 1000, .answer = 2000}, false));
  ASSERT_TRUE(ask(0, {.answer = access::kAnswerBytesMax, .deposit = 60'000}, false));
  ASSERT_TRUE(ask(1, {.answer = 3000}, false));
  ASSERT_TRUE(ask(1, {.answer = 50'000}, false));
  ends[0]->pump();
  ends[0]->pump();
  service done;
  std::thread([&] { done = ends[1]->serve(); }).join();
  EXPECT_FALSE(done.busy);
  EXPECT_TRUE(done.for_owner);
  EXPECT_EQ(by_second_thread, 2u);
  EXPECT_EQ(sides[1].answered, 0u) << "answers are for the endpoint's thread";
  EXPECT_FALSE(ends[1]->prepare_sleep());
  for (int i = 0; i < 4; ++i) ends[0]->pump();
  EXPECT_EQ(sides[0].answered, 2u);
  ends[1]->pump();
  EXPECT_EQ(sides[1].answered, 2u);
  EXPECT_EQ(complaints(), "");
}

// The two take over from each other in the middle of frames, deposits and answers.
TEST_F(Access, AreServedAndAnsweredInOrderByTwoThreadsInTurn) {
  std::mt19937_64 random(seed_of_this_run());
  join({&random, 60'000});
  for (auto& e : ends) e->allow_serving();
  constexpr std::uint64_t kAccesses = 10'000;
  std::uint64_t turns = 0;
  while (sides[0].answered < kAccesses || sides[1].answered < kAccesses) {
    ASSERT_LT(++turns, 20'000'000u) << "it stands still";
    ASSERT_EQ(complaints(), "");
    const auto r = unsigned(random() % 2);
    for (unsigned i = unsigned(random() % 30); i != 0 && sides[r].asked < kAccesses; --i)
      if (!ask(r, draw(random), random() % 4 == 0, random() % 2 == 0)) break;
    if (random() % 3 == 0)
      ends[r]->pump();
    else
      ends[r]->serve();
  }
  EXPECT_NE(by_second_thread, 0u);
}

TEST_F(Access, AreServedWhileTheOwnerWorks) {
  std::mt19937_64 random(seed_of_this_run());
  join({});
  for (auto& e : ends) e->allow_serving();
  std::atomic<bool> stop{false};
  std::thread second([&] {
    while (!stop) {
      ends[0]->serve();
      ends[1]->serve();
      std::this_thread::yield();
    }
  });
  constexpr std::uint64_t kAccesses = 5'000;
  while (complaints().empty() && (sides[0].answered < kAccesses || sides[1].answered < kAccesses)) {
    const auto r = unsigned(random() % 2);
    for (unsigned i = unsigned(random() % 10); i != 0 && sides[r].asked < kAccesses; --i)
      if (!ask(r, {.answer = random() % 10'000}, false)) break;
    if (random() % 4 == 0) ends[r]->pump();
  }
  stop = true;
  second.join();
  EXPECT_EQ(complaints(), "");
}

// What the window allows is what is kept, at most.
TEST_F(Access, AnswersThatAreKeptAwaitTheWindow) {
  join({});
  pump(1);
  ends[0]->allow_serving();
  while (ask(0, {.answer = 10'000}, false)) {
    ends[1]->pump();
    ends[0]->serve();
  }
  EXPECT_LE(sides[0].asked, kAccessWindow / 10'000 + 1);
  while (sides[0].answered < sides[0].asked) pump(1);
  EXPECT_TRUE(ask(0, {}, false));
}

constexpr std::size_t kFrame = sizeof(frame_head) + sizeof(request);

TEST_F(Access, OneAloneLeavesAtOnce) {
  play_peer();
  ends[0]->pump();
  const byte_queue& out = *queues.back();
  const std::size_t before = out.bytes.size();
  ASSERT_TRUE(ask(0, {}, false));
  EXPECT_EQ(out.bytes.size(), before + kFrame);
}

TEST_F(Access, ThoseThatAreFollowedLeaveWithWhatFollows) {
  play_peer();
  ends[0]->pump();
  const byte_queue& out = *queues.back();
  for (const bool by_poll : {false, true}) {
    const std::size_t before = out.bytes.size();
    const unsigned packets = out.packets;
    for (int i = 0; i < 15; ++i) ASSERT_TRUE(ask(0, {}, false, true));
    EXPECT_EQ(out.bytes.size(), before);
    if (by_poll)
      ends[0]->pump();
    else
      ASSERT_TRUE(ask(0, {}, false));
    EXPECT_EQ(out.bytes.size(), before + (by_poll ? 15 : 16) * kFrame);
    EXPECT_EQ(out.packets, packets + 1);
    ends[0]->pump();
  }
}

// However many follow, what fills a packet leaves.
TEST_F(Access, ThoseThatFillAPacketDoNotWait) {
  play_peer();
  ends[0]->pump();
  const byte_queue& out = *queues.back();
  const std::size_t before = out.bytes.size();
  for (int i = 0; i < 100 && out.bytes.size() == before; ++i) ASSERT_TRUE(ask(0, {}, false, true));
  EXPECT_GE(out.bytes.size(), before + 1400);
  EXPECT_LT(out.bytes.size(), before + 1400 + kFrame);
}

// Handlers are never refused; what they ask for waits its turn.
TEST_F(Access, OfHandlersWaitForTheWindow) {
  join({});
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(ask(0, {.answer = 30'000}, true));
  EXPECT_FALSE(ask(0, {}, false));
  EXPECT_FALSE(ends[0]->drained());
  for (int i = 0; i < 1000 && !all_answered(); ++i) pump(1);
  EXPECT_EQ(sides[0].answered, 100u);
  EXPECT_TRUE(ask(0, {}, false));
  EXPECT_EQ(complaints(), "");
}

// A stream whose network has read the peer's memory as soon as it is asked to.
class fetching_stream final : public fake_stream {
 public:
  using fake_stream::fake_stream;
  begun fetch(std::uint64_t, std::size_t) override { return begun::yes; }
  bool fetches() const override { return true; }
  const std::byte* fetched() const override { return served_bytes.data(); }
};

// What is sent because something was fetched goes out, though nothing else is sent after it.
TEST_F(Access, WhatAFetchBringsAboutIsSent) {
  static std::function<void()> then;
  const auto answered_then = [](unsigned, std::uint32_t, const access_answer&) {
    then();
    return static_cast<const char*>(nullptr);
  };
  set_access_functions({serve, landing, answered_then});
  auto one = std::make_shared<byte_queue>(), other = std::make_shared<byte_queue>();
  outside[0].arriving.emplace_back(1, std::make_unique<fetching_stream>(one, other, faults{}));
  outside[1].arriving.emplace_back(0, std::make_unique<fake_stream>(other, one, faults{}));
  pump(1);
  sender out{links[0].out, shape_of_job(), 0, 1};
  receiver in{links[1].in, shape_of_job(), 0, 1};
  then = [&] {
    ASSERT_TRUE(out.send());
    ends[0]->rung(1, links[0].out, true);
  };
  access a{};
  a.answer_bytes = 64;
  a.fetch = true;
  ASSERT_EQ(ends[0]->begin_access(1, a, false), access_start::taken);
  pump(10);
  in.take(1);
  EXPECT_EQ(in.received(), 1u);
}

TEST_F(Access, BytesAreTakenAtOnce) {
  join({nullptr, 10'000});
  pump(1);
  ASSERT_TRUE(ask(0, {.deposit = 70'000}, false));  // the test's copy is gone now
  for (int i = 0; i < 1000 && !all_answered(); ++i) pump(1);
  EXPECT_EQ(sides[0].answered, 1u);
  EXPECT_EQ(complaints(), "");
}

// The call ends while its answer comes: the rest goes nowhere, and what follows is taken.
TEST_F(Access, OfACallThatHasEndedDoNotLand) {
  join({nullptr, 10'000});
  pump(1);
  ASSERT_TRUE(ask(0, {.answer = 30'000}, false));
  for (int i = 0; i < 100 && sides[0].landed[5000] == std::byte{0}; ++i) pump(1);
  call_ended = true;
  const std::byte last = sides[0].landed[29'999];
  sides[0].answered = 1;
  ASSERT_TRUE(ask(0, {}, false));
  for (int i = 0; i < 1000 && !all_answered(); ++i) pump(1);
  EXPECT_EQ(sides[0].answered, 2u);
  EXPECT_EQ(sides[0].landed[29'999], last);
  EXPECT_EQ(complaints(), "");
}

TEST_F(Access, ToOneThatHasGoneAreDropped) {
  auto in = play_peer();
  ends[0]->pump();
  in->ended = true;
  ends[0]->pump();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ask(0, {}, i == 1));
  ends[0]->pump();
  EXPECT_TRUE(ends[0]->drained());
  EXPECT_TRUE(ends[0]->prepare_sleep());
}

TEST_F(Access, AfterAGoodByeAreNotServed) {
  auto in = play_peer();
  ends[0]->pump();
  while (!ends[0]->drained()) ends[0]->pump();
  const request r{};
  const frame_head head{std::uint8_t(frame_kind::access), kWhat, sizeof r, 0};
  say(*in, &head, sizeof head);
  say(*in, &r, sizeof r);
  const std::size_t before = queues.back()->bytes.size();
  for (int i = 0; i < 3; ++i) ends[0]->pump();
  EXPECT_EQ(sides[1].served, 0u);
  EXPECT_EQ(queues.back()->bytes.size(), before);
  EXPECT_EQ(complaints(), "");
}

// --- Peers that cannot be trusted ----------------------------------------------------------------

class BrokenPeer : public Access {
 protected:
  void say_frame(byte_queue& to, frame_kind kind, std::size_t words, std::uint32_t position,
                 const void* body, std::size_t bytes) {
    const frame_head head{std::uint8_t(kind), kWhat, std::uint16_t(words), position};
    say(to, &head, sizeof head);
    say(to, body, bytes);
  }
};

TEST_F(BrokenPeer, MayNotAskForMoreThanItTakes) {
  auto in = std::make_shared<byte_queue>();
  outside[0].arriving.emplace_back(
      1, std::make_unique<fake_stream>(in, std::make_shared<byte_queue>(), faults{nullptr, 1}));
  ends[0]->pump();
  for (std::uint64_t i = 0; i < 64; ++i) {
    const request r{.number = i, .answer = access::kAnswerBytesMax};
    say_frame(*in, frame_kind::access, sizeof r, std::uint32_t(i), &r, sizeof r);
  }
  for (int i = 0; i < 10'000; ++i) ends[0]->pump();  // a byte in each
  EXPECT_EQ(outside[0].complaint,
            "it begins more accesses than it may before it has taken the answers");
  EXPECT_LT(sides[1].served, 64u);
}

TEST_F(BrokenPeer, MayNotAskWhatIsRefused) {
  auto in = play_peer();
  ends[0]->pump();
  const request r{.number = 1};
  say_frame(*in, frame_kind::access, sizeof r, 0, &r, sizeof r);
  ends[0]->pump();
  EXPECT_EQ(outside[0].complaint, "out of order");
}

TEST_F(BrokenPeer, MayNotAskAtLength) {
  auto in = play_peer();
  ends[0]->pump();
  const std::vector<std::byte> body(access::kRequestBytesMax + 1);
  say_frame(*in, frame_kind::access, body.size(), 0, body.data(), body.size());
  ends[0]->pump();
  EXPECT_EQ(outside[0].complaint, "it sent a frame that is too long");
}

TEST_F(BrokenPeer, MayNotAnswerUnasked) {
  auto in = play_peer();
  ends[0]->pump();
  const std::uint64_t word = 0;
  say_frame(*in, frame_kind::answer, 0, 0, &word, sizeof word);
  ends[0]->pump();
  EXPECT_EQ(outside[0].complaint, "it answers an access that was not begun");
}

TEST_F(BrokenPeer, MayNotAnswerWithMore) {
  auto in = play_peer();
  ends[0]->pump();
  ASSERT_TRUE(ask(0, {.answer = 8}, false));
  const std::vector<std::uint64_t> body(9);
  say_frame(*in, frame_kind::answer, 64, 0, body.data(), body.size() * 8);
  ends[0]->pump();
  EXPECT_EQ(outside[0].complaint, "it answers an access that was not begun");
}

TEST_F(BrokenPeer, MayNotAnswerWithManyBytesThatHaveNoPlace) {
  auto in = play_peer();
  ends[0]->pump();
  ASSERT_TRUE(ask(0, {.answer = 30'000}, false));
  const std::uint64_t word = 7;
  say_frame(*in, frame_kind::answer, 30'000, 6, &word, sizeof word);
  ends[0]->pump();
  EXPECT_EQ(outside[0].complaint, "another answer");
}

}  // namespace
