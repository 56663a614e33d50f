// SPDX-License-Identifier: Apache-2.0
// The progress bar on a terminal, and its silence anywhere else.
#include "progress_bar.hpp"

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal.hpp"

namespace kmer {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Puts something else in the place of stderr for a while.
class replaced_stderr {
 public:
  explicit replaced_stderr(int by) : saved_(dup(STDERR_FILENO)) { dup2(by, STDERR_FILENO); }
  ~replaced_stderr() {
    dup2(saved_, STDERR_FILENO);
    close(saved_);
  }
  replaced_stderr(const replaced_stderr&) = delete;
  replaced_stderr& operator=(const replaced_stderr&) = delete;

 private:
  int saved_;
};

// What half of a run of this length, or somewhat longer, writes to stderr.
std::string written_in_a_run(int near, int far, std::chrono::milliseconds length) {
  {
    const replaced_stderr guard(far);
    progress_bar bar(1'000'000);
    bar.add(250'000);
    std::this_thread::sleep_for(length);
    bar.add(250'000);
  }
  // A terminal hands over piece by piece, somewhat later: up to what comes behind it.
  constexpr std::string_view kEnd = "|end|";
  constexpr int kPatienceMs = 30'000;
  std::string text;
  EXPECT_EQ(write(far, kEnd.data(), kEnd.size()), static_cast<ssize_t>(kEnd.size()));
  for (pollfd ready{near, POLLIN, 0}; !text.ends_with(kEnd);) {
    char buffer[4096];
    const ssize_t bytes = poll(&ready, 1, kPatienceMs) > 0 ? read(near, buffer, sizeof buffer) : 0;
    if (bytes <= 0) return text + "(no end)";
    text.append(buffer, static_cast<std::size_t>(bytes));
  }
  text.resize(text.size() - kEnd.size());
  return text;
}

class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    near_ = posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(near_, 0);
    ASSERT_EQ(grantpt(near_), 0);
    ASSERT_EQ(unlockpt(near_), 0);
    far_ = open(ptsname(near_), O_RDWR | O_NOCTTY);
    ASSERT_GE(far_, 0);
  }
  void TearDown() override {
    close(far_);
    close(near_);
  }
  int near_ = -1, far_ = -1;
};

TEST_F(Terminal, ALongRunShowsHowFarItIsAndCleansUp) {
  const std::string text = written_in_a_run(near_, far_, 1100ms);
  EXPECT_THAT(text, HasSubstr(" 50 %"));
  EXPECT_THAT(text, HasSubstr("reading "));
  EXPECT_THAT(text, HasSubstr(" s left"));
  EXPECT_THAT(text, HasSubstr(" MB/s"));
  EXPECT_TRUE(text.ends_with("\033[K\r\033[K\r")) << text;
}

TEST_F(Terminal, AShortRunIsSilent) {
  using clock = std::chrono::steady_clock;
  const clock::time_point begin = clock::now();
  const std::string text = written_in_a_run(near_, far_, 10ms);
  if (clock::now() - begin >= 1s) GTEST_SKIP() << "the machine stood still: it was a long run";
  EXPECT_EQ(text, "");
}

TEST(Pipe, IsSilent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(written_in_a_run(ends[0], ends[1], 1100ms), "");
  close(ends[0]);
  close(ends[1]);
}

TEST_F(Terminal, SaysHowWideItIs) {
  winsize size{};
  size.ws_col = 123;
  ASSERT_EQ(ioctl(near_, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(columns_of(far_), 123);
}

TEST(Bars, AreAsLongAsTheirPart) {
  EXPECT_EQ(bar_of(1, 10, false), "##########");
  EXPECT_EQ(bar_of(0.5, 10, false), "#####");
  EXPECT_EQ(bar_of(0.001, 10, false), "#");
  EXPECT_EQ(bar_of(0, 10, false), "");
  EXPECT_EQ(bar_of(1, 2, true), "██");
  EXPECT_EQ(bar_of(0.5, 3, true), "█▌");
  EXPECT_EQ(bar_of(0.0001, 10, true), "▏");
  EXPECT_EQ(framed_bar(0.5, 6, false), "[##..]");
  EXPECT_EQ(framed_bar(1, 4, true), "▕██▏");
}

}  // namespace
}  // namespace kmer
