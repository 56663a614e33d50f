// SPDX-License-Identifier: Apache-2.0
// Two sides that prove to each other that they belong to one job, and everybody else.
#include "mesh/handshake.hpp"

#include <gtest/gtest.h>
#include <sodium.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace ramjet::mesh;
using bytes = std::vector<unsigned char>;

constexpr std::uint64_t kBuild = 77;

job_key key_of(std::uint8_t first) {
  job_key k{};
  k[0] = first;
  return k;
}

struct socket_pair {
  socket_pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0); }
  socket_pair(const socket_pair&) = delete;
  socket_pair& operator=(const socket_pair&) = delete;
  ~socket_pair() {
    hang_up(0);
    hang_up(1);
  }
  void hang_up(int end) {
    if (fds[end] >= 0) ::close(fds[end]);
    fds[end] = -1;
  }
  // What has come to the end.
  bytes read(int end) const {
    bytes b(1000);
    const ssize_t got = ::recv(fds[end], b.data(), b.size(), MSG_DONTWAIT);
    b.resize(got > 0 ? std::size_t(got) : 0);
    return b;
  }
  void write(int end, const bytes& b) const {
    EXPECT_EQ(::send(fds[end], b.data(), b.size(), MSG_NOSIGNAL), ssize_t(b.size()));
  }

  int fds[2];
};

bytes with_bit(bytes b, std::size_t bit) {
  b[bit / 8] = static_cast<unsigned char>(b[bit / 8] ^ (1u << bit % 8));
  return b;
}

class Handshake : public testing::Test {
 protected:
  Handshake() { EXPECT_GE(::sodium_init(), 0); }

  void begin(const job_key& callers, const job_key& listeners, std::uint64_t callers_build = kBuild,
             purpose what = purpose::channel) {
    caller.emplace(wire.fds[0], callers, callers_build, greeting{what, 3, 5});
    listener.emplace(wire.fds[1], listeners, kBuild);
  }
  // Both go as far as they can.
  void run() {
    for (int i = 0; i < 6; ++i) {
      if (called == handshake::state::under_way) called = caller->advance();
      if (heard == handshake::state::under_way) heard = listener->advance();
    }
  }
  void expect(handshake::state of_caller, handshake::state of_listener) {
    EXPECT_EQ(called, of_caller) << caller->why();
    EXPECT_EQ(heard, of_listener) << listener->why();
  }

  const job_key key = key_of(1), other = key_of(2);
  socket_pair wire;
  std::optional<handshake> caller, listener;
  handshake::state called = handshake::state::under_way, heard = handshake::state::under_way;
};

constexpr auto proved = handshake::state::proved, refused = handshake::state::refused,
               under_way = handshake::state::under_way;

TEST_F(Handshake, OfOneJobIsProved) {
  begin(key, key);
  run();
  expect(proved, proved);
  EXPECT_EQ(listener->about().what, purpose::channel);
  EXPECT_EQ(listener->about().from, 3u);
  EXPECT_EQ(listener->about().to, 5u);
  EXPECT_TRUE(wire.read(0).empty()) << "nothing is left on the wire";
  EXPECT_TRUE(wire.read(1).empty());
}

// Nobody who listens with another key is believed, and the caller tells it nothing of use.
TEST_F(Handshake, AListenerWithAnotherKeyIsRefused) {
  begin(key, other);
  run();
  expect(refused, under_way);
  EXPECT_NE(std::string(caller->why()).find("key"), std::string::npos);
}

// The caller has another key, but somebody who knows the right one answers for the listener: what
// the listener gets then is a proof by the wrong key.
TEST_F(Handshake, AProofByAnotherKeyIsRefused) {
  socket_pair second;
  begin(other, key);
  caller->advance();
  handshake liar(second.fds[1], other, kBuild);
  const bytes hello = wire.read(1);
  second.write(0, hello);
  liar.advance();
  wire.write(0, hello);
  listener->advance();
  static_cast<void>(wire.read(0));  // the true challenge goes to nobody
  wire.write(1, second.read(0));
  called = caller->advance();
  heard = listener->advance();
  expect(under_way, refused);
  EXPECT_NE(std::string(listener->why()).find("key"), std::string::npos);
}

TEST_F(Handshake, AnotherBuildIsRefused) {
  begin(key, key, kBuild + 1);
  run();
  EXPECT_EQ(heard, refused);
  EXPECT_NE(std::string(listener->why()).find("version"), std::string::npos);
}

TEST_F(Handshake, AnUnknownPurposeIsRefused) {
  begin(key, key, kBuild, purpose(9));
  run();
  EXPECT_EQ(heard, refused);
}

// The caller is proved only by the listener's last word: one that is dropped before knows it.
TEST_F(Handshake, ACallThatIsDroppedIsRefused) {
  begin(key, key);
  called = caller->advance();
  heard = listener->advance();
  called = caller->advance();  // has sent its proof
  EXPECT_EQ(called, under_way);
  wire.hang_up(1);
  called = caller->advance();
  EXPECT_EQ(called, refused);
}

TEST_F(Handshake, AByteAtATimeIsEnough) {
  socket_pair near, far;
  caller.emplace(near.fds[0], key, kBuild, greeting{});
  listener.emplace(far.fds[1], key, kBuild);
  const auto carry = [](socket_pair& from, int end, socket_pair& to, int into) {
    unsigned char one;
    if (::recv(from.fds[end], &one, 1, MSG_DONTWAIT) == 1) to.write(into, {one});
  };
  for (int i = 0; i < 1000; ++i) {
    if (called == under_way) called = caller->advance();
    if (heard == under_way) heard = listener->advance();
    carry(near, 1, far, 0);
    carry(far, 0, near, 1);
  }
  expect(proved, proved);
}

TEST_F(Handshake, WhoSaysNothingOrHalfIsNeverProved) {
  begin(key, key);
  caller->advance();
  const bytes hello = wire.read(1);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, hello.size() - 1}) {
    socket_pair half;
    handshake at(half.fds[1], key, kBuild);
    half.write(0, bytes(hello.begin(), hello.begin() + std::ptrdiff_t(count)));
    EXPECT_EQ(at.advance(), under_way);
    EXPECT_TRUE(at.silent());
    half.hang_up(0);
    EXPECT_EQ(at.advance(), refused);
  }
}

TEST_F(Handshake, GarbageIsRefused) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    socket_pair noise;
    handshake at(noise.fds[1], key, kBuild);
    bytes garbage(64 + random() % 200);
    for (unsigned char& b : garbage) b = static_cast<unsigned char>(random());
    noise.write(0, garbage);
    ASSERT_EQ(at.advance(), refused);
  }
}

// Every bit of every message counts, but those of the caller's nonce and ranks in its own hello,
// which the proof speaks for: there the proof is the wrong one.
TEST_F(Handshake, EveryBitCounts) {
  for (int message = 0; message < 4; ++message) {
    for (std::size_t bit = 0;; ++bit) {
      socket_pair near, far;
      handshake c(near.fds[0], key, kBuild, greeting{purpose::control, 1, 2});
      handshake l(far.fds[1], key, kBuild);
      handshake::state cs = under_way, ls = under_way;
      bool done = false;
      for (int k = 0; k < 4 && !done; ++k) {
        const bool forward = k % 2 == 0;
        forward ? cs = c.advance() : ls = l.advance();
        bytes b = forward ? near.read(1) : far.read(0);
        if (k == message && bit >= b.size() * 8) done = true;
        if (k == message && !done) b = with_bit(b, bit);
        forward ? far.write(0, b) : near.write(1, b);
        forward ? ls = l.advance() : cs = c.advance();
        if (ls == refused || cs == refused) break;
      }
      if (done) break;
      ASSERT_TRUE(ls == refused || cs == refused) << "message " << message << ", bit " << bit;
    }
  }
}

// A recording of a whole handshake proves nothing a second time.
TEST_F(Handshake, ARecordingProvesNothing) {
  begin(key, key);
  caller->advance();
  const bytes hello = wire.read(1);
  wire.write(0, hello);
  listener->advance();
  const bytes challenge = wire.read(0);
  wire.write(1, challenge);
  caller->advance();
  const bytes proof = wire.read(1);
  EXPECT_EQ(proof.size(), sizeof(proof_message));

  socket_pair again;
  handshake l(again.fds[1], key, kBuild);
  again.write(0, hello);
  EXPECT_EQ(l.advance(), under_way);
  EXPECT_NE(again.read(0), challenge);
  again.write(0, proof);
  EXPECT_EQ(l.advance(), refused);

  socket_pair called_again;  // and the listener's part no more
  handshake c(called_again.fds[0], key, kBuild, greeting{purpose::channel, 3, 5});
  c.advance();
  called_again.write(1, challenge);
  EXPECT_EQ(c.advance(), refused);
}

// What a side has sent, sent back to it, is not an answer.
TEST_F(Handshake, AReflectionProvesNothing) {
  begin(key, key);
  caller->advance();
  const bytes hello = wire.read(1);
  bytes twice = hello;
  twice.insert(twice.end(), hello.begin(), hello.end());
  wire.write(1, twice);
  EXPECT_EQ(caller->advance(), refused);

  wire.write(0, hello);
  listener->advance();
  const bytes challenge = wire.read(0);
  const bytes mac(challenge.begin() + 32, challenge.end());  // as long as a proof
  wire.write(0, mac);
  EXPECT_EQ(listener->advance(), refused);
}

}  // namespace
