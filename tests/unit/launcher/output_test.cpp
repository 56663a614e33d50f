// SPDX-License-Identifier: Apache-2.0
#include "launch/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <random>
#include <string>
#include <vector>

namespace {

using ramjet::launcher::assembly;
using ramjet::launcher::kPieceBytes;
using ramjet::launcher::line_source;
using ramjet::launcher::same_stream;
using ramjet::launcher::sink;

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0); }
  ~Pipe() {
    ::close(ends[0]);
    if (ends[1] >= 0) ::close(ends[1]);
  }
  std::string read() {
    std::string all;
    char buffer[4096];
    for (ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
      all.append(buffer, std::size_t(got));
    }
    return all;
  }
  int ends[2];
};

class Lines : public testing::Test {
 protected:
  std::string out() {
    std::string all;
    do {
      EXPECT_EQ(to.flush(), 0);
      all += pipe.read();
    } while (!to.is_empty());
    return all;
  }
  line_source tagged(const std::string& tag) { return {to, assembly::lines, tag}; }

  Pipe pipe;
  sink to{pipe.ends[1]};
};

TEST_F(Lines, AreHeldUntilTheyAreWhole) {
  line_source a = tagged("");
  a.feed("one\ntw");
  EXPECT_EQ(out(), "one\n");
  a.feed("o");
  EXPECT_EQ(out(), "");
  a.feed("\nthree\n");
  EXPECT_EQ(out(), "two\nthree\n");
}

TEST_F(Lines, OnesThatAreDrawnAgainGoOnAsTheyCome) {
  line_source a = tagged(""), b = tagged("");
  a.feed("12 %\r");
  EXPECT_EQ(out(), "12 %\r");
  a.feed("of");
  a.feed(" all: 13 %\r");
  EXPECT_EQ(out(), "of all: 13 %\r");
  b.feed("another\n");
  EXPECT_EQ(out(), "\nanother\n");
  a.feed("done\n");
  EXPECT_EQ(out(), "done\n");
}

TEST_F(Lines, TheLastOneMayBeUnfinished) {
  line_source a = tagged("[0] ");
  a.feed("no newline");
  a.finish();
  a.finish();
  EXPECT_EQ(out(), "[0] no newline");
}

TEST_F(Lines, GetTheirTags) {
  line_source a = tagged("[0] "), b = tagged("[1] ");
  a.feed("x\n\ny");
  b.feed("z\n");
  a.feed("y\n");
  EXPECT_EQ(out(), "[0] x\n[0] \n[1] z\n[0] yy\n");
}

TEST_F(Lines, ALongLineGoesInPiecesAndIsNotContinuedByAnother) {
  const std::string piece(kPieceBytes, 'a');
  line_source a = tagged("[0] "), b = tagged("[1] ");
  a.feed(piece);
  a.feed("tail\n");
  EXPECT_EQ(out(), "[0] " + piece + "tail\n");
  a.feed(piece);
  b.feed("other\n");
  a.feed("tail\n");
  EXPECT_EQ(out(), "[0] " + piece + "\n[1] other\n[0] tail\n");
}

TEST_F(Lines, RawBytesGoOnAtOnceAndShareALine) {
  line_source a(to, assembly::raw, ""), b(to, assembly::raw, "");
  a.feed("name: ");
  b.feed("warning");
  EXPECT_EQ(out(), "name: warning");
}

TEST_F(Lines, AnyCutGivesTheSameLines) {
  constexpr unsigned kSeed = 12345;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  std::string text, expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string line(random() % 60, char('a' + i % 26));
    text += line + "\n";
    expected += "# " + line + "\n";
  }
  line_source a = tagged("# ");
  std::string got;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::min<std::size_t>(random() % 200, text.size() - at);
    a.feed(std::string_view(text).substr(at, length));
    at += length;
    got += out();
  }
  EXPECT_EQ(got, expected);
}

TEST(LineSource, HandsLinesToAFunction) {
  std::vector<std::string> lines;
  line_source a([&](std::string_view line) { lines.emplace_back(line); });
  const std::string longer(3 * kPieceBytes, 'x');
  a.feed("one\n\nthr");
  a.feed("ee\n" + longer);
  a.feed("\nlast");
  a.finish();
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "three", longer, "last"}));
}

TEST(Sink, KeepsWhatThePipeCannotTake) {
  Pipe pipe;
  sink to(pipe.ends[1]);
  const std::string much(3'000'000, 'x');
  to.write(&to, much);
  EXPECT_TRUE(to.is_full());
  std::string all;
  while (!to.is_empty()) {
    EXPECT_EQ(to.flush(), 0);
    all += pipe.read();
  }
  EXPECT_EQ(all, much);
  EXPECT_FALSE(to.is_full());
}

TEST(Sink, ReportsAReaderThatLeft) {
  ASSERT_NE(::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  Pipe pipe;
  sink to(pipe.ends[1]);
  ::close(pipe.ends[0]);
  pipe.ends[0] = -1;
  to.write(&to, "x");
  EXPECT_EQ(to.flush(), EPIPE);
  to.write(&to, "y");
  EXPECT_TRUE(to.is_empty());
  EXPECT_EQ(to.flush(), 0);
}

TEST(Sink, AClosedDescriptorSwallows) {
  sink to(-1);
  to.write(&to, "x");
  EXPECT_TRUE(to.is_empty());
}

TEST(SameStream, TellsPipesApart) {
  Pipe a, b;
  const int copy = ::dup(a.ends[1]);
  EXPECT_TRUE(same_stream(a.ends[1], copy));
  EXPECT_FALSE(same_stream(a.ends[1], b.ends[1]));
  EXPECT_FALSE(same_stream(a.ends[1], -1));
  ::close(copy);
}

}  // namespace
