// SPDX-License-Identifier: Apache-2.0
// Two network channels in one process, with a network between them that gives and takes bytes as it
// likes: messages, deposits, good-byes, streams that break, and peers that send what cannot be.
#include "channel/net/net_channel.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <thread>

#include "two_ends.hpp"

namespace {

using namespace ramjet::channel;
using namespace net_test;

class NetChannel : public testing::Test, protected two_ends {};

// Traffic both ways until a number of messages have arrived, deposits among them.
struct traffic {
  sender out;
  receiver in;
};

TEST_F(NetChannel, EverythingArrivesOverPiecesOfAStream) {
  std::mt19937_64 random(seed_of_this_run());
  join({&random, 60'000});
  constexpr std::uint64_t kMessages = 100'000;
  traffic of[2] = {
      {{links[0].out, shape_of_job(), 0, random()}, {links[0].in, shape_of_job(), 0, random()}},
      {{links[1].out, shape_of_job(), 0, random()}, {links[1].in, shape_of_job(), 0, random()}}};
  const auto finished = [&](unsigned r) {
    return of[r].out.sent() == kMessages && of[r].out.all_done() && ends[r]->drained();
  };
  std::uint64_t turns = 0;
  while (!(of[0].out.all_done() && of[1].out.all_done() && of[0].out.sent() == kMessages &&
           of[1].out.sent() == kMessages)) {
    ASSERT_LT(++turns, 20'000'000u) << "it stands still";
    const unsigned r = unsigned(random() % 2);
    for (unsigned i = unsigned(random() % 30); i != 0 && of[r].out.sent() < kMessages; --i) {
      if (!of[r].out.send()) break;
      ends[r]->rung(1 - r, links[r].out, random() % 8 == 0);
    }
    of[r].in.take(unsigned(random() % 30));
    if (random() % 20 == 0) of[r].in.publish();
    ends[r]->rung(1 - r, links[r].out, true);
    of[r].out.take();
    ends[r]->pump();
  }
  EXPECT_EQ(of[0].in.received(), kMessages);
  EXPECT_EQ(of[1].in.received(), kMessages);
  while (!(finished(0) && finished(1))) pump(1);
  EXPECT_EQ(outside[0].complaint + outside[1].complaint, "");
}

// A lane's first page is taken when a stream comes: pairs that never talk have none.
TEST_F(NetChannel, CreditIsAnnouncedOnceThereIsAStream) {
  EXPECT_EQ(links[0].out.credit->room_wanted.load(), 0u);
  join({});
  pump(1);
  EXPECT_EQ(links[0].out.credit->room_wanted.load(), 1u);
}

// Requests that wait for room for their replies stand in a lane that nobody looks at any more.
TEST_F(NetChannel, RoomForRepliesRingsAtOneThatDoesNotLook) {
  join({});
  pump(1);
  links[0].in.credit->attended.store(0);
  links[0].in.bell->store(0);
  links[1].out.consumed->reply_bytes.store(64);
  ends[1]->rung(0, links[1].out, true);
  pump(2);
  EXPECT_EQ(links[0].in.consumed->reply_bytes.load(), 64u);
  EXPECT_EQ(links[0].in.bell->load(), 1);
}

// --- What the endpoint's thread leaves behind ----------------------------------------------------

unsigned wakes = 0;
void count_wake() noexcept { ++wakes; }

// Messages that wait for the wire: those of handlers always do.
class LeftBehind : public NetChannel {
 protected:
  void SetUp() override {
    wakes = 0;
    join({});
    pump(1);
  }
  void send(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      ASSERT_TRUE(out.send());
      ends[0]->rung(1, links[0].out, true);
    }
  }
  std::uint64_t arrived() {
    for (int i = 0; i < 4; ++i) ends[1]->pump();
    in.take(1000);
    return in.received();
  }
  coproc_flush_request request{{false}, count_wake};
  sender out{links[0].out, shape_of_job(), 0, 1};
  receiver in{links[1].in, shape_of_job(), 0, 2};
};

TEST_F(LeftBehind, IsSentByAFlush) {
  send(10);
  EXPECT_EQ(arrived(), 0u);
  ends[0]->flush();
  EXPECT_EQ(arrived(), 10u);
}

TEST_F(LeftBehind, IsSentByTheSecondThread) {
  ends[0]->allow_coproc_flush(request);
  send(10);
  EXPECT_EQ(arrived(), 0u);
  std::thread([this] { EXPECT_FALSE(ends[0]->flush_from_coprocessor()); }).join();
  EXPECT_EQ(arrived(), 10u);
}

// Where the stream takes nothing the second thread is wanted, and has to come again.
TEST_F(LeftBehind, StaysWhileTheStreamIsFull) {
  two_ends narrow;
  narrow.join({nullptr, 64});
  narrow.pump(1);
  narrow.ends[0]->allow_coproc_flush(request);
  sender some(narrow.links[0].out, shape_of_job(), 0, 1);
  for (int i = 0; i < 30; ++i) {
    some.send();
    narrow.ends[0]->rung(1, narrow.links[0].out, false);
  }
  EXPECT_TRUE(request.wanted);
  EXPECT_EQ(wakes, 1u) << "once, until it has been there";
  EXPECT_TRUE(narrow.ends[0]->flush_from_coprocessor());
}

// A stream that comes while the endpoint's thread computes is used.
TEST_F(LeftBehind, IsSentByAStreamThatComesLate) {
  two_ends late;
  late.ends[0]->allow_coproc_flush(request);
  sender some(late.links[0].out, shape_of_job(), 0, 1);
  receiver to(late.links[1].in, shape_of_job(), 0, 2);
  some.send();
  late.ends[0]->rung(1, late.links[0].out, false);
  EXPECT_TRUE(request.wanted);
  EXPECT_TRUE(late.ends[0]->flush_from_coprocessor());
  late.join({});
  EXPECT_FALSE(late.ends[0]->flush_from_coprocessor());
  for (int i = 0; i < 4; ++i) late.ends[1]->pump();
  to.take(10);
  EXPECT_EQ(to.received(), 1u);
}

TEST_F(LeftBehind, WhatIsPushedWhileTheOwnerWorksArrivesOnce) {
  constexpr std::uint64_t kMessages = 20'000;
  ends[0]->allow_coproc_flush(request);
  std::atomic<bool> stop{false};
  std::thread pusher([&] {
    while (!stop) {
      ends[0]->flush_from_coprocessor();
      std::this_thread::yield();
    }
  });
  std::mt19937_64 random(seed_of_this_run());
  while (in.received() < kMessages) {
    for (unsigned i = unsigned(random() % 30); i != 0 && out.sent() < kMessages; --i) {
      if (!out.send()) break;
      ends[0]->rung(1, links[0].out, random() % 4 == 0);
    }
    if (random() % 4 == 0) ends[0]->pump();
    ends[1]->pump();
    in.take(unsigned(random() % 50));
    in.publish();
    ends[1]->rung(0, links[1].out, true);
    out.take();
  }
  stop = true;
  pusher.join();
  EXPECT_EQ(outside[0].complaint + outside[1].complaint, "");
}

// What is deposited is there before the message that is sent next, from handlers or not.
TEST_F(NetChannel, DepositsComeBeforeWhatIsSentNext) {
  std::mt19937_64 random(seed_of_this_run());
  join({&random, 30'000});
  sender out(links[0].out, shape_of_job(), 0, 7);
  receiver in(links[1].in, shape_of_job(), 0, 8);
  std::vector<std::byte> bytes(200'000);
  std::uint64_t seen = 0;
  for (std::uint64_t i = 1; i < 300; ++i) {
    const std::size_t count = 1 + random() % (random() % 3 == 0 ? bytes.size() : 5000);
    const std::uint64_t offset = random() % (fake_job::kSegmentBytes - count + 1);
    fill(bytes.data(), count, i);
    ends[0]->deposit_in_handler(1, fake_job::kSegmentBytes + offset, {bytes.data(), count});
    std::fill(bytes.begin(), bytes.end(), std::byte{0xee});  // they were taken
    while (!out.send()) {
      pump(1);
      in.take(10);
      in.publish();
      out.take();
    }
    ends[0]->rung(1, links[0].out, true);
    while (seen == in.received()) {
      pump(1);
      in.take(1);
    }
    seen = in.received();
    ASSERT_TRUE(is_filled(the_job().segment(1) + offset, count, i)) << i;
    in.publish();
    ends[1]->rung(0, links[1].out, true);
    pump(4);
    out.take();
  }
  EXPECT_EQ(outside[0].complaint + outside[1].complaint, "");
}

TEST_F(NetChannel, BothMayCallAtOnce) {
  join({});
  auto one = std::make_shared<byte_queue>(), other = std::make_shared<byte_queue>();
  outside[0].arriving.emplace_back(1, std::make_unique<fake_stream>(one, other, faults{}));
  outside[1].arriving.emplace_front(0, std::make_unique<fake_stream>(other, one, faults{}));
  sender out[2] = {{links[0].out, shape_of_job(), 0, 1}, {links[1].out, shape_of_job(), 0, 2}};
  receiver in[2] = {{links[0].in, shape_of_job(), 0, 3}, {links[1].in, shape_of_job(), 0, 4}};
  for (int i = 0; i < 2000; ++i) {
    for (unsigned r = 0; r < 2; ++r) {
      out[r].send();
      ends[r]->rung(1 - r, links[r].out, false);
      in[r].take(5);
      in[r].publish();
      ends[r]->rung(1 - r, links[r].out, true);
      out[r].take();
    }
    pump(1);
  }
  EXPECT_GT(in[0].received(), 1000u);
  EXPECT_GT(in[1].received(), 1000u);
  EXPECT_EQ(outside[0].complaint + outside[1].complaint, "");
}

// An endpoint that closes in order is not a death, however slowly the stream takes its last bytes.
TEST_F(NetChannel, AGoodByeIsNoDeath) {
  const std::uint64_t seed = seed_of_this_run();
  for (std::uint64_t i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    std::mt19937_64 random(seed + i);
    two_ends again;
    again.join({&random, i % 2 != 0 ? std::size_t{300} : std::size_t{60'000}});
    sender out(again.links[0].out, shape_of_job(), 0, seed + i);
    receiver in(again.links[1].in, shape_of_job(), 0, 2);
    for (int k = 0; k < 30; ++k) out.send();
    const std::uint64_t sent = out.sent();
    again.ends[0]->rung(1, again.links[0].out, false);
    for (int k = 0; !again.ends[0]->drained(); ++k) {
      ASSERT_LT(k, 100'000);
      again.pump(1);
    }
    again.ends[0]->disconnect(1);
    again.ends[0].reset();
    again.pump(1000);
    in.take(1000);
    EXPECT_EQ(in.received(), sent);
    EXPECT_EQ(again.outside[1].complaint, "");
  }
}

// The peer has said good-bye and gone, and a message to it cannot be sent before that is read.
TEST_F(NetChannel, SendingToOneThatHasLeftIsNoDeath) {
  auto in = play_peer();
  ends[0]->pump();
  say_head(*in, frame_kind::bye);
  in->ended = true;
  queues.back()->ended = true;
  sender out(links[0].out, shape_of_job(), 0, 1);
  out.send();
  ends[0]->rung(1, links[0].out, false);
  for (int i = 0; i < 3; ++i) ends[0]->pump();
  EXPECT_EQ(outside[0].complaint, "");
  EXPECT_TRUE(ends[0]->drained());
  EXPECT_TRUE(ends[0]->prepare_sleep());
}

TEST_F(NetChannel, AStreamThatEndsWithoutAGoodByeIsADeath) {
  auto in = play_peer();
  ends[0]->pump();
  in->ended = true;
  ends[0]->pump();
  EXPECT_EQ(outside[0].complaint, "its connection broke");
}

// Half a record, half a payload: what is not whole is not seen.
TEST_F(NetChannel, WhatIsNotWholeIsNotDelivered) {
  join({});
  pump(1);
  sender out(links[0].out, shape_of_job(), 0, 3);
  for (int i = 0; i < 40; ++i) out.send();
  ends[0]->rung(1, links[0].out, false);
  std::deque<std::byte> whole;
  for (auto& q : queues)
    if (!q->bytes.empty()) whole.swap(q->bytes);
  ASSERT_GT(whole.size(), 500u);
  for (const std::size_t kept : {std::size_t{5}, std::size_t{50}, whole.size() / 2}) {
    two_ends again;
    auto in = std::make_shared<byte_queue>();
    in->bytes.assign(whole.begin(), whole.begin() + std::ptrdiff_t(kept));
    in->ended = true;
    again.outside[1].arriving.emplace_back(
        0, std::make_unique<fake_stream>(in, std::make_shared<byte_queue>(), faults{}));
    again.pump(20);
    receiver to(again.links[1].in, shape_of_job(), 0, 4);
    EXPECT_NO_THROW(to.take(1000));
    EXPECT_LT(to.received(), 40u);
    EXPECT_EQ(again.outside[1].complaint, "its connection broke");
  }
}

TEST_F(NetChannel, ADepositToOneThatDiesReturns) {
  auto in = play_peer();
  ends[0]->pump();
  std::vector<std::byte> bytes(1 << 20);
  std::thread death([] {
    ::usleep(20'000);
    ramjet::job::self().line(1).state.store(std::uint32_t(ramjet::node::rank_state::failed));
  });
  for (int i = 0; i < 8; ++i) {
    ramjet::channel::deposit_under_way d{0, {bytes.data(), bytes.size()}};
    while (!ends[0]->deposit(1, d)) ends[0]->pump();
  }
  death.join();
  ends[0]->pump();
  EXPECT_TRUE(ends[0]->prepare_sleep());
}

// What a dead peer had sent arrives, though its death is known before; it is sent nothing more.
class DeadPeer : public NetChannel {
 protected:
  void send(unsigned count) {
    for (unsigned i = 0; i < count; ++i) ASSERT_TRUE(out.send());
    ends[1]->rung(0, links[1].out, false);
  }
  std::uint64_t arrived() {
    for (int i = 0; i < 4; ++i) ends[0]->pump();
    in.take(1000);
    return in.received();
  }
  sender out{links[1].out, shape_of_job(), 0, 1};
  receiver in{links[0].in, shape_of_job(), 0, 2};
};

TEST_F(DeadPeer, IsReadToTheEnd) {
  join({});
  pump(1);
  send(30);
  ends[0]->stop_sending(1);
  EXPECT_EQ(arrived(), 30u);
  in.publish();
  const unsigned packets = queues[1]->packets;
  ends[0]->rung(1, links[0].out, false);
  send(10);  // it was on its way
  ends[1].reset();
  EXPECT_EQ(arrived(), 40u);
  EXPECT_EQ(queues[1]->packets, packets);
  EXPECT_EQ(outside[0].complaint, "");
  EXPECT_TRUE(ends[0]->drained());
}

TEST_F(DeadPeer, IsReadByAStreamThatIsTakenLater) {
  ends[0]->stop_sending(1);
  join({});
  ends[1]->pump();
  send(20);
  EXPECT_EQ(arrived(), 20u);
  in.publish();
  ends[0]->rung(1, links[0].out, false);
  EXPECT_EQ(queues[1]->packets, 0u);
  ends[0]->disconnect(1);
  EXPECT_TRUE(queues[0]->ended);
}

// Its machine has vanished: no end of the stream comes.
TEST_F(DeadPeer, IsReadForAWhile) {
  join({});
  pump(1);
  ends[0]->stop_sending(1);
  EXPECT_EQ(arrived(), 0u);
  EXPECT_FALSE(queues[0]->ended);
  ::usleep(1'050'000);
  EXPECT_EQ(arrived(), 0u);
  EXPECT_TRUE(queues[0]->ended);
  EXPECT_EQ(outside[0].complaint, "");
}

TEST_F(NetChannel, FramesComeByOneStream) {
  auto one = play_peer(), other = play_peer();
  ends[0]->pump();
  const std::uint64_t nothing = 0;
  for (auto& q : {one, other}) {
    say_head(*q, frame_kind::consumed);
    say(*q, &nothing, sizeof nothing);
    ends[0]->pump();
    ends[0]->pump();  // the one after something has come does not look
  }
  EXPECT_EQ(outside[0].complaint, "it sent frames by two streams");
}

// Frames of every kind with a few bits wrong: the peer is given up, and nothing else happens.
TEST_F(NetChannel, APeerThatSendsWhatCannotBeIsGivenUp) {
  std::mt19937_64 random(seed_of_this_run());
  unsigned refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    two_ends again;
    auto in = again.play_peer();
    for (int frames = 0; frames < 4; ++frames) {
      const auto kind = frame_kind(1 + random() % 9);
      frame_head head{std::uint8_t(kind), std::uint8_t(random() % 8 == 0),
                      std::uint16_t(random() % 4 != 0 ? random() % 20 * 2 : random()), 0};
      if (random() % 4 == 0) head.position = std::uint32_t(random());
      again.say(*in, &head, sizeof head);
      std::uint64_t body[64];
      for (std::uint64_t& w : body) w = random() >> random() % 64;
      again.say(*in, body, kind == frame_kind::deposit ? 16 : random() % sizeof body);
    }
    in->ended = true;
    again.ends[0]->pump();
    again.ends[0]->pump();
    refused += !again.outside[0].complaint.empty();
  }
  EXPECT_GT(refused, 10'000u);
}

}  // namespace
