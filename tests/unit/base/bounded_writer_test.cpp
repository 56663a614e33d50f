// SPDX-License-Identifier: Apache-2.0
// A writer to a stream waits for its reader, but not for one that has stopped reading.
#include "base/bounded_writer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace {

using ramjet::base::bounded_writer;
using namespace std::chrono_literals;

constexpr std::size_t kBytes = std::size_t{4} << 20;  // more than a pipe or socket takes

struct ends {
  int read = -1, write = -1;
  ~ends() {
    ::close(read);
    ::close(write);
  }
};
ends pipe_ends() {
  int both[2];
  EXPECT_EQ(::pipe(both), 0);
  return {both[0], both[1]};
}
ends socket_ends() {
  int both[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
  return {both[0], both[1]};
}

std::string numbered(std::size_t bytes) {
  std::string text(bytes, 0);
  for (std::size_t i = 0; i < bytes; ++i) text[i] = char('a' + i % 23);
  return text;
}

std::string read_all(int fd, std::chrono::milliseconds pause) {
  std::string got;
  char part[65536];
  for (ssize_t n; (n = ::read(fd, part, sizeof part)) > 0;) {
    got.append(part, std::size_t(n));
    std::this_thread::sleep_for(pause);
  }
  return got;
}

void expect_an_end(const ends& stream) {
  const std::string text = numbered(kBytes);
  const auto begin = std::chrono::steady_clock::now();
  bounded_writer writer(stream.write);
  writer.write(text);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 1s);
  const auto dropped = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) writer.write("more");
  EXPECT_LT(std::chrono::steady_clock::now() - dropped, 1s);
  // Nobody else's writes are changed by it.
  EXPECT_EQ(::fcntl(stream.write, F_GETFL) & O_NONBLOCK, 0);
  ASSERT_EQ(::fcntl(stream.read, F_SETFL, O_NONBLOCK), 0);
  const std::string got = read_all(stream.read, 0ms);
  EXPECT_FALSE(got.empty());
  EXPECT_EQ(got, text.substr(0, got.size()));
}

void expect_everything(ends stream, std::chrono::milliseconds pause) {
  const std::string text = numbered(kBytes);
  std::thread writes([&] {
    bounded_writer(stream.write).write(text);
    ::close(std::exchange(stream.write, -1));
  });
  const std::string got = read_all(stream.read, pause);
  writes.join();
  EXPECT_TRUE(got == text);
}

TEST(BoundedWriter, gives_up_where_nobody_reads) {
  expect_an_end(pipe_ends());
  expect_an_end(socket_ends());
}

TEST(BoundedWriter, waits_for_a_slow_reader) {
  expect_everything(pipe_ends(), 5ms);
  expect_everything(socket_ends(), 5ms);
}

TEST(BoundedWriter, writes_where_a_file_stands) {
  char name[] = "/tmp/bounded_writer_XXXXXX";
  const int file = ::mkstemp(name);
  ASSERT_GE(file, 0);
  ::unlink(name);
  ASSERT_EQ(::write(file, "before ", 7), 7);
  bounded_writer(file).write("after");
  char text[32] = {};
  EXPECT_EQ(::pread(file, text, sizeof text, 0), 12);
  EXPECT_STREQ(text, "before after");
  ::close(file);
}

}  // namespace
