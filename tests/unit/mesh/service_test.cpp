// SPDX-License-Identifier: Apache-2.0
// Two processes, each a node with one rank of a job of two: the parent is rank 0, the child rank 1.
#include "mesh/service.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <memory>

#include "base/clock.hpp"
#include "base/exit_status.hpp"
#include "job/join.hpp"

namespace ramjet::mesh {
namespace {

constexpr int kPatienceMs = 60'000;
constexpr std::uint64_t kPatienceNs = kPatienceMs * 1'000'000ull;
const std::function<int()> kNobodyDead = [] { return -1; };

void become_rank(int rank, std::uint64_t timeout_ms) {
  job::membership& m = job::self_for_tests();
  m = {};
  m.rank = rank;
  m.ranks = m.nodes = 2;
  m.node = unsigned(rank);
  m.node_of = {0, 1};
  m.launched = m.carry_on = true;
  m.settings.failure_timeout_ms = timeout_ms;
  m.layout = make_geometry(2, 1, 4096);
  void* memory = ::mmap(nullptr, m.layout.segments_offset, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  m.shared = format_board(memory, 2, failure_policy::carry_on, 0, m.node_of, m.node);
  m.shared->layout = m.layout;
  m.shared->layout_state = 2;
  node::bind_regions(m.layout, static_cast<std::byte*>(memory));
  for (unsigned r = 0; r < 2; ++r) m.line(r).state = std::uint32_t(rank_state::joined);
}

net_address loopback() {
  net_address where;
  auto* in = reinterpret_cast<sockaddr_in*>(&where.where);
  in->sin_family = AF_INET;
  in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  where.bytes = sizeof *in;
  return where;
}

void put_card(int pipe, const std::string& card) {
  EXPECT_EQ(::write(pipe, card.data(), card.size()), ssize_t(card.size()));
}
std::string get_card(int pipe) {
  char text[200];
  const ssize_t got = ::read(pipe, text, sizeof text);
  return std::string(text, std::size_t(std::max<ssize_t>(got, 0)));
}

bool eventually(const std::function<bool()>& is_so) {
  for (const std::uint64_t end = base::now_ns() + kPatienceNs; base::now_ns() < end;) {
    if (is_so()) return true;
    ::usleep(1000);
  }
  return false;
}

rank_state state_of(unsigned rank) { return rank_state(self().line(rank).state.load()); }

struct service_test : testing::Test {
  // Starts the child, which connects and then does this; then connects the parent's service.
  void start(const std::function<void(mesh_service&)>& in_child,
             std::uint64_t timeout_ms = 30'000) {
    ASSERT_GE(::sodium_init(), 0);
    ASSERT_EQ(::pipe(to_child), 0);
    ASSERT_EQ(::pipe(to_parent), 0);
    child = ::fork();
    if (child == 0) run_child(in_child, timeout_ms);
    become_rank(0, timeout_ms);
    mesh = std::make_unique<mesh_service>(self(), machine);
    std::string card, message;
    ASSERT_EQ(mesh->listen(loopback(), card, message), status::ok) << message;
    put_card(to_child[1], card);
    ASSERT_EQ(mesh->connect({"", get_card(to_parent[0])}, key, 1, kNobodyDead, message), status::ok)
        << message;
  }
  [[noreturn]] void run_child(const std::function<void(mesh_service&)>& in_child,
                              std::uint64_t timeout_ms) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    become_rank(1, timeout_ms);
    mesh_service own(self());
    std::string card, message;
    bool good = own.listen(loopback(), card, message) == status::ok;
    put_card(to_parent[1], card);
    good = good &&
           own.connect({get_card(to_child[0]), ""}, key, 1, kNobodyDead, message) == status::ok;
    if (!good) ::_exit(1);
    in_child(own);
    ::_exit(0);
  }
  ~service_test() override {
    if (child > 0) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }

  job_key key{};
  std::uint64_t machine = this_machine();  // the parent's
  pid_t child = -1;
  int to_child[2] = {-1, -1}, to_parent[2] = {-1, -1};
  std::unique_ptr<mesh_service> mesh;
};

void wait_for_parent(mesh_service&) {
  for (;;) ::pause();
}

TEST_F(service_test, makes_a_channels_connection_whoever_asks) {
  start([](mesh_service& own) {
    channel_connection c;
    while (!own.take(1, c)) ::usleep(1000);
    (void)!::write(c.fd, "hello", 5);
    wait_for_parent(own);
  });
  mesh->request(0, 1);  // of two ports the higher one calls: the child is asked to
  channel_connection c;
  ASSERT_TRUE(eventually([&] { return mesh->arrived(0) == 1 && mesh->take(0, c); }));
  EXPECT_EQ(c.peer, 1u);
  char text[6] = {};
  pollfd p{c.fd, POLLIN, 0};
  ASSERT_EQ(::poll(&p, 1, kPatienceMs), 1);
  EXPECT_EQ(::recv(c.fd, text, 5, 0), 5);
  EXPECT_STREQ(text, "hello");
  EXPECT_FALSE(mesh->take(0, c));
  ::close(c.fd);
}

// One connection waits when the port closes, or comes later.
TEST_F(service_test, a_closed_port_answers_each_connection) {
  for (const bool waits : {true, false}) {
    SCOPED_TRACE(waits);
    start([waits](mesh_service& own) {
      while (waits && own.arrived(1) == 0) ::usleep(1000);
      const auto refused = own.refuse_connections(1, "the end");
      if (refused.size() != std::size_t(waits)) ::_exit(1);
      wait_for_parent(own);
    });
    if (!waits) ::usleep(20'000);
    mesh->request(0, 1);
    channel_connection c;
    ASSERT_TRUE(eventually([&] { return mesh->take(0, c); }));
    char text[20] = {};
    std::size_t got = 0;
    for (ssize_t n = 1; n > 0; got += std::size_t(n)) {
      pollfd p{c.fd, POLLIN, 0};
      ASSERT_EQ(::poll(&p, 1, kPatienceMs), 1);
      n = ::recv(c.fd, text + got, sizeof text - got, 0);
      ASSERT_GE(n, 0);
    }
    EXPECT_STREQ(text, "the end");
    ::close(c.fd);
    mesh.reset();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
}

TEST_F(service_test, the_others_hear_that_a_port_is_closed) {
  start([](mesh_service& own) {
    own.announce_closed(1);
    wait_for_parent(own);
  });
  EXPECT_TRUE(eventually([&] { return mesh->is_announced_closed(1); }));
  EXPECT_FALSE(mesh->is_announced_closed(0));
}

TEST_F(service_test, a_peer_that_ends_without_a_word_is_dead) {
  start(wait_for_parent);
  EXPECT_EQ(state_of(1), rank_state::joined);
  ::kill(child, SIGKILL);
  EXPECT_TRUE(eventually([] { return state_of(1) == rank_state::failed; }));
}

TEST_F(service_test, a_peer_that_says_good_bye_has_left) {
  start([](mesh_service& own) {
    own.stop();
    own.say_good_bye();
  });
  EXPECT_TRUE(eventually([] { return state_of(1) == rank_state::finalized; }));
}

TEST_F(service_test, a_peer_that_is_silent_is_given_up_within_the_limit) {
  start(wait_for_parent, 1000);
  ::usleep(1'500'000);  // it lives, by its signs of life
  ASSERT_EQ(state_of(1), rank_state::joined);
  ::kill(child, SIGSTOP);
  EXPECT_TRUE(eventually([] { return state_of(1) == rank_state::failed; }));
  ::kill(child, SIGCONT);  // and learns of it, though its control connection is closed
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  child = -1;
  EXPECT_TRUE(WIFEXITED(status) || WIFSIGNALED(status));
}

// Where the other machine's threads are not shown, a stopped rank looks like a starved one while
// its system answers: it has three times the limit.
TEST_F(service_test, a_silent_peer_whose_machine_answers_has_longer) {
  machine = 1;
  start(wait_for_parent, 1000);
  ::usleep(300'000);
  ::kill(child, SIGSTOP);
  const std::uint64_t began = base::now_ns();
  EXPECT_TRUE(eventually([] { return state_of(1) == rank_state::failed; }));
  EXPECT_GE(base::now_ns() - began, 2'500'000'000u);
}

TEST_F(service_test, of_two_ranks_whose_connection_broke_the_lower_one_goes_on) {
  start([](mesh_service& own) {
    own.give_up(0, kConnectionBroke);
    wait_for_parent(own);
  });
  EXPECT_TRUE(eventually([] { return state_of(1) == rank_state::failed; }));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  child = -1;
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), base::kExitJobLost);
}

// Ends this process's connections to others, as a reset in the network would.
void break_connections() {
  for (int fd = 3; fd < 64; ++fd) {
    sockaddr_storage peer;
    socklen_t bytes = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &bytes) == 0)
      ::shutdown(fd, SHUT_RDWR);
  }
}

// The lower rank goes on, whoever notices first; the higher one learns that it was given up.
TEST_F(service_test, of_two_ranks_whose_control_connection_ends_the_lower_one_goes_on) {
  for (const bool in_child_first : {true, false}) {
    SCOPED_TRACE(in_child_first);
    start([in_child_first](mesh_service& own) {
      if (in_child_first) break_connections();
      wait_for_parent(own);
    });
    if (!in_child_first) break_connections();
    EXPECT_TRUE(eventually([] { return state_of(1) == rank_state::failed; }));
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    child = -1;
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), base::kExitJobLost);
    mesh.reset();
  }
}

// The process of the lower rank has ended: nobody listens there any more.
TEST_F(service_test, a_lower_rank_that_ends_without_a_word_is_dead) {
  int death[2];
  ASSERT_EQ(::pipe(death), 0);
  start([&](mesh_service& own) {
    while (state_of(0) != rank_state::failed) ::usleep(1000);
    (void)!::write(death[1], "x", 1);
    wait_for_parent(own);
  });
  mesh.reset();  // without a good-bye
  pollfd p{death[0], POLLIN, 0};
  EXPECT_EQ(::poll(&p, 1, kPatienceMs), 1);
  ::close(death[0]);
  ::close(death[1]);
}

TEST_F(service_test, good_bye_does_not_wait_for_a_peer_that_is_gone) {
  start([](mesh_service&) { ::usleep(200'000); });  // it exits, and its system resets what comes
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  child = -1;
  mesh->stop();
  const std::uint64_t began = base::now_ns();
  mesh->say_good_bye();
  EXPECT_LT(base::now_ns() - began, 500'000'000u);
}

TEST_F(service_test, a_dead_rank_ends_the_wait_for_it) {
  ASSERT_GE(::sodium_init(), 0);
  become_rank(1, 30'000);
  mesh_service own(self());
  std::string card, message;
  ASSERT_EQ(own.listen(loopback(), card, message), status::ok);
  const int silent = ::socket(AF_INET, SOCK_STREAM, 0);  // it takes calls, and never answers
  net_address where = loopback();
  auto* address = reinterpret_cast<sockaddr*>(&where.where);
  ASSERT_EQ(::bind(silent, address, where.bytes), 0);
  ASSERT_EQ(::listen(silent, 1), 0);
  ASSERT_EQ(::getsockname(silent, address, &where.bytes), 0);
  card = to_text(where) + '|' + to_text(where);
  EXPECT_EQ(own.connect({card, ""}, key, 1, [] { return 0; }, message), status::peer_failed);
  ::close(silent);
  EXPECT_EQ(message, "rank 0 failed before the job had started");
}

TEST_F(service_test, so_does_a_listener_that_is_gone) {
  ASSERT_GE(::sodium_init(), 0);
  become_rank(1, 30'000);
  std::string gone, card, message;
  {
    mesh_service brief(self());
    ASSERT_EQ(brief.listen(loopback(), gone, message), status::ok);
  }
  mesh_service own(self());
  ASSERT_EQ(own.listen(loopback(), card, message), status::ok);
  EXPECT_EQ(own.connect({gone, ""}, key, 1, kNobodyDead, message), status::peer_failed);
  EXPECT_EQ(message.find("rank 0 ended before the job had started"), 0u) << message;
}

TEST_F(service_test, a_card_without_addresses_is_a_mismatch) {
  become_rank(1, 30'000);
  for (const char* bad : {"", "127.0.0.1 80", "127.0.0.1 80|", "|127.0.0.1 80", "x 1|y 2"}) {
    mesh_service own(self());
    std::string card, message;
    ASSERT_EQ(own.listen(loopback(), card, message), status::ok);
    EXPECT_EQ(own.connect({bad, ""}, key, 1, kNobodyDead, message), status::mismatch) << bad;
  }
}

// A connection whose peer has reset it keeps what nobody took in its queue for ever.
TEST(all_sent_test, is_so_once_the_connection_is_gone) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0), ours = ::socket(AF_INET, SOCK_STREAM, 0);
  net_address where = loopback();
  auto* address = reinterpret_cast<sockaddr*>(&where.where);
  ASSERT_EQ(::bind(listener, address, where.bytes), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  ASSERT_EQ(::getsockname(listener, address, &where.bytes), 0);
  ASSERT_EQ(::connect(ours, address, where.bytes), 0);
  const int theirs = ::accept(listener, nullptr, nullptr);
  std::vector<char> much(8 << 20);
  ASSERT_GT(::send(ours, much.data(), much.size(), MSG_DONTWAIT), 0);
  EXPECT_FALSE(all_sent(ours));
  ::close(theirs);  // with unread bytes: a reset
  EXPECT_TRUE(eventually([&] { return all_sent(ours); }));
  ::close(ours);
  ::close(listener);
}

}  // namespace
}  // namespace ramjet::mesh
