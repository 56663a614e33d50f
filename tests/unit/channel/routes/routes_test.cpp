// SPDX-License-Identifier: Apache-2.0
#include "channel/routes/routes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace ramjet::channel;

// Writes down what it is asked; answers as it was told.
class noting_channel final : public channel {
 public:
  struct answers {
    bool pumps = true, drained = true, may_sleep = true, left = false;
    int lost = -1;
    unsigned moved = 0;
    std::uint64_t pause = 0;
    access_start start = access_start::taken;
  };
  noting_channel(char name, std::string& log, answers a) : name_(name), log_(log), answers_(a) {}

  const char* name() const noexcept override { return "noting"; }
  ramjet::channel::link connect(unsigned peer) override {
    return note("connect", peer), ramjet::channel::link{};
  }
  void disconnect(unsigned peer) override { note("disconnect", peer); }
  void stop_sending(unsigned peer) override { note("stop", peer); }
  int take_lost() override { return std::exchange(answers_.lost, -1); }
  bool pumps() const noexcept override { return answers_.pumps; }
  bool drained() override { return answers_.drained; }
  unsigned pump() override { return note("pump"), answers_.moved; }
  std::uint64_t pause_ns() override { return answers_.pause; }
  bool prepare_sleep() override { return note("sleep"), answers_.may_sleep; }
  void rung(unsigned peer, ramjet::detail::lane&, bool in_handler) override {
    note(in_handler ? "rung_inside" : "rung", peer);
  }
  bool deposit(unsigned peer, deposit_under_way&) override { return note("deposit", peer), true; }
  void deposit_in_handler(unsigned peer, std::uint64_t, const piece&) override {
    note("deposit_inside", peer);
  }
  bool takes_accesses(unsigned) const override { return name_ == 'b'; }
  bool fetches(unsigned peer) override { return note("fetches", peer), true; }
  access_start begin_access(unsigned peer, const ramjet::channel::access&, bool) override {
    return note("access", peer), answers_.start;
  }
  void flush() override { note("flush"); }
  void allow_coproc_flush(coproc_flush_request&) override { note("allow"); }
  bool flush_from_coprocessor() override { return note("push"), answers_.left; }

 private:
  void note(const char* what) { log_ += std::string(1, name_) + "." + what + " "; }
  void note(const char* what, unsigned peer) {
    log_ += std::string(1, name_) + "." + what + std::to_string(peer) + " ";
  }
  char name_;
  std::string& log_;
  answers answers_;
};

class Routes : public testing::Test {
 protected:
  using answers = noting_channel::answers;
  // a reaches ports 0 and 3, b 1, c 2.
  routes make(answers a = {}, answers b = {}, answers c = {}) {
    std::vector<std::unique_ptr<channel>> all;
    all.push_back(std::make_unique<noting_channel>('a', log, a));
    all.push_back(std::make_unique<noting_channel>('b', log, b));
    all.push_back(std::make_unique<noting_channel>('c', log, c));
    return {std::move(all), {0, 1, 2, 0}};
  }
  std::string log;
};

TEST_F(Routes, EachPeerIsReachedByItsChannel) {
  routes r = make();
  ramjet::detail::lane lane;
  r.connect(3);
  r.disconnect(2);
  r.stop_sending(1);
  r.rung(1, lane, false);
  r.rung(0, lane, true);
  deposit_under_way d{0, {nullptr, 0}};
  EXPECT_TRUE(r.deposit(2, d));
  r.deposit_in_handler(1, 0, {nullptr, 0});
  EXPECT_TRUE(r.fetches(1));
  EXPECT_EQ(r.begin_access(3, {}, false), access_start::taken);
  EXPECT_EQ(log,
            "a.connect3 c.disconnect2 b.stop1 b.rung1 a.rung_inside0 c.deposit2 "
            "b.deposit_inside1 b.fetches1 a.access3 ");
  EXPECT_FALSE(r.takes_accesses(0));
  EXPECT_TRUE(r.takes_accesses(1));
}

TEST_F(Routes, AnAccessThatIsNotTakenIsSaidSo) {
  routes r = make({}, {.start = access_start::full}, {.start = access_start::no_fetch});
  EXPECT_EQ(r.begin_access(1, {}, false), access_start::full);
  EXPECT_EQ(r.begin_access(2, {}, false), access_start::no_fetch);
}

TEST_F(Routes, OnlyThoseThatPumpArePumped) {
  routes r = make({.pumps = false, .moved = 100}, {.moved = 2}, {.moved = 3});
  EXPECT_TRUE(r.pumps());
  EXPECT_EQ(r.pump(), 5u);
  r.flush();
  coproc_flush_request request;
  r.allow_coproc_flush(request);
  EXPECT_FALSE(r.flush_from_coprocessor());
  EXPECT_EQ(log, "b.pump c.pump b.flush c.flush b.allow c.allow b.push c.push ");
}

TEST_F(Routes, NoneMayPump) {
  const answers still{.pumps = false, .drained = false, .may_sleep = false, .lost = 7};
  routes r = make(still, still, still);
  EXPECT_FALSE(r.pumps());
  EXPECT_EQ(r.pump(), 0u);
  EXPECT_TRUE(r.drained());
  EXPECT_TRUE(r.prepare_sleep());
  EXPECT_EQ(r.take_lost(), -1);
  EXPECT_EQ(log, "");
}

// The first that has something left does not keep the others from sending theirs.
TEST_F(Routes, AllArePushed) {
  routes r = make({.left = true}, {}, {});
  EXPECT_TRUE(r.flush_from_coprocessor());
  EXPECT_EQ(log, "a.push b.push c.push ");
}

TEST_F(Routes, AllHaveToBeDrained) {
  EXPECT_TRUE(make().drained());
  EXPECT_FALSE(make({}, {.drained = false}, {}).drained());
  EXPECT_FALSE(make({}, {}, {.drained = false}).drained());
}

// Each that may sleep has its wake-up prepared, whatever the others say.
TEST_F(Routes, AllPrepareForSleep) {
  routes r = make({.may_sleep = false}, {}, {});
  EXPECT_FALSE(r.prepare_sleep());
  EXPECT_EQ(log, "a.sleep b.sleep c.sleep ");
}

TEST_F(Routes, ThePauseIsTheShortest) {
  EXPECT_EQ(make({.pause = 30}, {.pause = 20}, {.pause = 40}).pause_ns(), 20u);
  EXPECT_EQ(make({.pumps = false, .pause = 5}, {.pause = 20}, {.pause = 40}).pause_ns(), 20u);
}

TEST_F(Routes, EveryLostPeerIsNamedOnce) {
  routes r = make({}, {.lost = 1}, {.lost = 2});
  EXPECT_EQ(r.take_lost(), 1);
  EXPECT_EQ(r.take_lost(), 2);
  EXPECT_EQ(r.take_lost(), -1);
}

TEST(OpenChannel, RefusesANameThatIsNone) {
  std::unique_ptr<channel> opened;
  std::string message;
  for (const char* name :
       {"", "tcp", "faulty", "faulty:", "faulty:x", "faulty:1:", "faulty:1:drops"}) {
    EXPECT_EQ(open_channel(name, 0, opened, message), ramjet::status::environment) << name;
    EXPECT_NE(message.find("RAMJET_CHANNEL"), std::string::npos);
    EXPECT_EQ(opened, nullptr);
  }
}

}  // namespace
