// SPDX-License-Identifier: Apache-2.0
// The descriptor of a machine's memory goes to the ranks that wait for it, and to nobody else.
#include "job/pmix/descriptor_passing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace {

using ramjet::status;
using ramjet::job::descriptor_sender;
using ramjet::job::descriptor_source;
using ramjet::job::passing_limits;
using ramjet::job::passing_token;
using ramjet::job::request_descriptor;
using testing::HasSubstr;

constexpr unsigned kPatienceMs = 20'000;
constexpr unsigned kShortMs = 50;

class DescriptorPassing : public testing::Test {
 protected:
  DescriptorPassing() : memory(memfd_create("descriptor_passing_test", MFD_CLOEXEC)) {
    token.fill(0x5a);
    std::string problem;
    EXPECT_TRUE(sender.open(name, problem)) << problem;
    EXPECT_EQ(ftruncate(memory, 4096), 0);
  }
  ~DescriptorPassing() override { close(memory); }

  descriptor_source source() const { return {name, token, 0}; }

  // Waits for rank 1 until all strangers have gone, however late they come.
  template <class Gone>
  void refuse_until(Gone&& gone) {
    std::string message;
    do EXPECT_EQ(sender.send(memory, {1}, token, {kShortMs, {}}, message), status::environment);
    while (!gone());
  }

  descriptor_sender sender;
  std::string name;
  passing_token token;
  int memory;
};

TEST_F(DescriptorPassing, every_rank_gets_the_same_memory) {
  std::vector<std::thread> receivers;
  for (unsigned rank = 1; rank <= 3; ++rank)
    receivers.emplace_back([this, rank] {
      int got = -1;
      std::string problem;
      ASSERT_EQ(request_descriptor(source(), rank, {kPatienceMs, {}}, got, problem), status::ok)
          << problem;
      ASSERT_NE(got, memory);
      const char mark = char('0' + rank);
      EXPECT_EQ(pwrite(got, &mark, 1, off_t(rank)), 1);
      close(got);
    });
  std::string message;
  EXPECT_EQ(sender.send(memory, {1, 2, 3}, token, {kPatienceMs, {}}, message), status::ok)
      << message;
  for (std::thread& t : receivers) t.join();
  char marks[4] = {};
  EXPECT_EQ(pread(memory, marks, 3, 1), 3);
  EXPECT_STREQ(marks, "123");
}

TEST_F(DescriptorPassing, who_does_not_come_is_named) {
  std::string message;
  EXPECT_EQ(sender.send(memory, {4, 7}, token, {kShortMs, {}}, message), status::environment);
  EXPECT_THAT(message, HasSubstr("rank 4 did not come"));
}

TEST_F(DescriptorPassing, a_hopeless_wait_ends_at_once) {
  const passing_limits hopeless{kPatienceMs, [] { return true; }};
  const auto begin = std::chrono::steady_clock::now();
  std::string message;
  EXPECT_EQ(sender.send(memory, {4}, token, hopeless, message), status::environment);
  int got = -1;
  EXPECT_EQ(request_descriptor(source(), 1, hopeless, got, message), status::environment);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(kPatienceMs / 2));
}

TEST_F(DescriptorPassing, nobody_gets_it_without_the_token) {
  std::atomic<bool> gone = false;
  std::thread receiver([&] {
    descriptor_source wrong = source();
    wrong.token[31] ^= 1;
    int got = -1;
    std::string problem;
    EXPECT_EQ(request_descriptor(wrong, 1, {kPatienceMs, {}}, got, problem), status::environment);
    EXPECT_EQ(got, -1);
    EXPECT_THAT(problem, HasSubstr("rank 0 ended before it gave"));
    gone = true;
  });
  refuse_until([&] { return gone.load(); });
  receiver.join();
}

TEST_F(DescriptorPassing, nobody_gets_it_as_another_rank) {
  std::atomic<bool> gone = false;
  std::thread receiver([&] {
    int got = -1;
    std::string problem;
    EXPECT_EQ(request_descriptor(source(), 9, {kPatienceMs, {}}, got, problem),
              status::environment);
    gone = true;
  });
  refuse_until([&] { return gone.load(); });
  receiver.join();
}

TEST_F(DescriptorPassing, a_sender_that_does_not_send_is_named) {
  int got = -1;
  std::string message;
  EXPECT_EQ(request_descriptor(source(), 1, {kShortMs, {}}, got, message), status::environment);
  EXPECT_THAT(message, HasSubstr("rank 0 did not give"));
}

TEST_F(DescriptorPassing, a_sender_that_has_gone_is_named) {
  const descriptor_source gone{name + "x", token, 5};
  int got = -1;
  std::string message;
  EXPECT_EQ(request_descriptor(gone, 1, {kPatienceMs, {}}, got, message), status::environment);
  EXPECT_THAT(message, HasSubstr("cannot reach rank 5"));
}

// What a receiver sends, by a process that does not check whom it asks.
int ask_bluntly(const descriptor_source& source, std::uint32_t rank) {
  const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  source.name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto bytes = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + source.name.size());
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), bytes) != 0) return -2;
  struct {
    passing_token token;
    std::uint32_t rank;
  } const asked{source.token, rank};
  if (send(socket, &asked, sizeof asked, MSG_NOSIGNAL) != ssize_t(sizeof asked)) return -3;
  char byte;
  return int(recv(socket, &byte, 1, 0));
}

TEST_F(DescriptorPassing, another_user_neither_gets_nor_asks) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be two users";
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) _exit(2);
    int got = -1;
    std::string problem;
    if (request_descriptor(source(), 1, {kPatienceMs, {}}, got, problem) == status::ok) _exit(3);
    if (problem.find("another user") == problem.npos) _exit(4);
    _exit(ask_bluntly(source(), 1) <= 0 ? 0 : 5);
  }
  int ended = -1;
  refuse_until([&] { return waitpid(child, &ended, WNOHANG) != 0; });
  EXPECT_EQ(ended, 0);
}

TEST_F(DescriptorPassing,
       a_blunt_receiver_of_this_user_gets_it) {  // so the refusal above is for the user
  std::thread receiver([this] { EXPECT_EQ(ask_bluntly(source(), 1), 1); });
  std::string message;
  EXPECT_EQ(sender.send(memory, {1}, token, {kPatienceMs, {}}, message), status::ok) << message;
  receiver.join();
}

}  // namespace
