// SPDX-License-Identifier: Apache-2.0
// Streams over libfabric between two processes on this machine, and what its libraries may not do
// to a process. Skipped where the library, or a provider for the loopback, cannot be had.
#include <gtest/gtest.h>

#include <signal.h>

#include <csignal>
#include <cstdlib>

#include "channel/net/ofi_fabric.hpp"
#include "channel/net/ofi_library.hpp"
#include "channel/net/ofi_network.hpp"
#include "two_processes.hpp"

namespace {

using namespace net_test;
using namespace ramjet::channel;

class Ofi : public testing::Test {
 protected:
  // In a process of its own: none of the library's threads shall be there when others are forked.
  void SetUp() override {
    const pid_t child = ::fork();
    if (child == 0) {
      std::string message;
      const ofi_library* library = load_ofi(message);
      fi_info* found = nullptr;
      const bool there = library != nullptr && library->getinfo(FI_VERSION(1, 17), nullptr, nullptr,
                                                                0, nullptr, &found) == 0;
      std::_Exit(there ? 0 : 1);
    }
    int how = 0;
    ASSERT_EQ(::waitpid(child, &how, 0), child);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) GTEST_SKIP() << "libfabric cannot be used here";
  }
};

constexpr std::size_t kMuch = 5'000'000;  // more than the windows hold

TEST_F(Ofi, CarriesBytesBothWaysInOrder) {
  const auto talk = [](half& h) {
    ofi_network n(h.rank());
    if (h.rank() == 0) n.want(1);
    auto s = wait_for_stream(n, 1 - h.rank());
    if (h.rank() == 0) {
      EXPECT_TRUE(send_all(n, *s, kMuch));
      EXPECT_EQ(receive_all(n, *s, kMuch), kMuch);
    } else {
      EXPECT_EQ(receive_all(n, *s, kMuch), kMuch);
      EXPECT_TRUE(send_all(n, *s, kMuch));
    }
    s.reset();
    h.meet();
  };
  // Only a packet tells rank 1 of its stream.
  in_two_processes("ofi", talk, talk);
}

// The windows bound what a peer that reads nothing is sent.
TEST_F(Ofi, IsFullWhenNobodyReads) {
  in_two_processes(
      "ofi",
      [](half& h) {
        ofi_network n(0);
        n.want(1);
        auto s = wait_for_stream(n, 1);
        const std::vector<std::byte> block(ofi_transport::kPacketBytes);
        std::size_t sent = 0;
        for (int refused = 0; sent == 0 || refused < 1000;) {
          n.progress();
          const std::ptrdiff_t got = s->send({block.data(), block.size()}, {});
          ASSERT_GE(got, 0);
          sent += std::size_t(got);
          refused = got == 0 ? refused + 1 : 0;
          ::usleep(got == 0 ? 100 : 0);
        }
        EXPECT_LE(sent, 32 * ofi_transport::kPacketBytes);
        h.meet();
        while (s->send({block.data(), block.size()}, {}) == 0) n.progress();  // it reads now
        h.meet();
      },
      [](half& h) {
        ofi_network n(1);
        n.want(0);
        auto s = wait_for_stream(n, 0);
        while (!h.other_waits()) n.progress();
        h.meet();
        std::vector<std::byte> some(1 << 16);
        while (!h.other_waits()) {
          n.progress();
          ASSERT_GE(s->receive(some.data(), some.size()), 0);
        }
        h.meet();
      });
}

// An endpoint that closes has delivered what was sent: the destructor waits for it.
TEST_F(Ofi, WhatWasSentBeforeTheEndArrives) {
  in_two_processes(
      "ofi",
      [](half& h) {
        {
          ofi_network n(0);
          n.want(1);
          auto s = wait_for_stream(n, 1);
          EXPECT_TRUE(send_all(n, *s, 100'000));
          s->finish();
        }
        h.meet();
      },
      [](half& h) {
        ofi_network n(1);
        auto s = wait_for_stream(n, 0);
        EXPECT_EQ(receive_all(n, *s, 100'000), 100'000u);
        h.meet();
      });
}

// --- Signals -------------------------------------------------------------------------------------

void exit_by_handler(int) { std::_Exit(99); }

// What a library installs is gone afterwards, and never runs.
TEST(KeptSignals, ASignalDuringTheLoadingIsNotTheLibrarys) {
  const auto die_inside = [](int signal) {
    {
      const kept_signals keeper;
      struct sigaction action = {};
      action.sa_handler = exit_by_handler;
      ::sigaction(signal, &action, nullptr);
      ::kill(::getpid(), signal);
    }
    std::_Exit(0);
  };
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTERM})
    EXPECT_EXIT(die_inside(signal), testing::KilledBySignal(signal), "") << signal;
}

TEST(KeptSignals, AreAsTheyWere) {
  struct sigaction before = {}, after = {};
  before.sa_handler = SIG_IGN;
  ::sigaction(SIGUSR1, &before, nullptr);
  sigset_t mask_before, mask_after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_before);
  {
    const kept_signals keeper;
    struct sigaction action = {};
    action.sa_handler = exit_by_handler;
    ::sigaction(SIGUSR1, &action, nullptr);
  }
  ::sigaction(SIGUSR1, nullptr, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_after);
  for (int s = 1; s < NSIG; ++s)
    EXPECT_EQ(sigismember(&mask_before, s), sigismember(&mask_after, s));
}

// The same with what libfabric really loads: abort() unblocks its signal before it raises it.
TEST_F(Ofi, AnAbortDuringTheLoadingEndsTheProcess) {
  const auto die_inside = [] {
    ::alarm(60);  // a handler of theirs may never return
    const kept_signals keeper;
    std::string message;
    fi_info* found = nullptr;
    if (const ofi_library* library = load_ofi(message))
      library->getinfo(FI_VERSION(1, 17), nullptr, nullptr, 0, nullptr, &found);
    std::abort();
  };
  EXPECT_EXIT(die_inside(), testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
