// SPDX-License-Identifier: Apache-2.0
// A rank on its way into a job whose launcher is this test.
#include "job/join.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "../temporary_folder.hpp"
#include "base/futex.hpp"
#include "base/profile_file.hpp"
#include "job/bootstrap/variables.hpp"
#include "launch/memory.hpp"

namespace {

using ramjet::status;
using ramjet::base::figure;
using ramjet::base::machine;
using ramjet::base::machine_profile;
using ramjet::job::join;
using ramjet::job::kEnvDescriptor;
using ramjet::job::kEnvDirectory;
using ramjet::job::kEnvRank;
using ramjet::job::kEnvSecret;
using ramjet::launcher::job_memory;
using ramjet::node::failure_policy;
using ramjet::node::rank_state;
using ramjet::report::node_memory;

constexpr std::uint64_t kHash = 42;

// Made before what is static in the library, so it ends after that, as the library's threads do.
struct latecomer {
  bool asks = false;
  ~latecomer() {
    if (asks) ::_exit(ramjet::job::self().node_of == std::vector<std::uint16_t>{0} ? 0 : 1);
  }
} last;

class Join : public testing::Test {
 protected:
  Join() {
    EXPECT_FALSE(memory.create(1, 1, failure_policy::abort, 100));
    descriptor = std::to_string(object().descriptor());
    char digits[17];
    std::snprintf(digits, sizeof digits, "%llx",
                  static_cast<unsigned long long>(object().the_board().secret));
    secret = digits;
  }

  // Whether `then` holds in a process that has tried to join as rank 0.
  bool after_join(const std::function<bool(status, const std::string& message)>& then) {
    const pid_t rank = ::fork();
    if (rank == 0) {
      ::setenv(kEnvDescriptor, descriptor.c_str(), 1);
      ::setenv(kEnvRank, "0", 1);
      ::setenv(kEnvSecret, secret.c_str(), 1);
      std::string message;
      const status s = join({1, 1 << 20, kHash, kHash}, message);
      ::_exit(then(s, message) ? 0 : 1);
    }
    int ended = -1;
    EXPECT_EQ(::waitpid(rank, &ended, 0), rank);
    return ended == 0;
  }

  const node_memory& object() const { return memory.node(0); }

  job_memory memory;
  std::string descriptor, secret;
};

bool is_welcome(status s, const std::string&) { return s == status::ok; }
bool is_of_another_job(status s, const std::string& message) {
  return s == status::environment && message.find("not of one job") != message.npos;
}

TEST_F(Join, TakesARankOfThisJob) { EXPECT_TRUE(after_join(is_welcome)); }

TEST_F(Join, TrustsTheGlobalBarrierOnlyIfEveryRankDoes) {
  const auto trusts = [](status s, const std::string&) {
    return s == status::ok && ramjet::job::self().barrier_ok;
  };
  const bool works_here = ramjet::base::register_for_barrier();
  EXPECT_EQ(after_join(trusts), works_here);
  object().the_board().no_barrier = 1;  // as another rank's refusal
  object().line(0).pid = 0;
  object().the_board().joined = 0;
  EXPECT_FALSE(after_join(trusts));
  object().line(0).pid = 0;
  object().the_board().joined = 0;
  EXPECT_TRUE(after_join(is_welcome));
}

TEST_F(Join, KnowsTheJobUntilTheProcessHasEnded) {
  EXPECT_TRUE(after_join([](status s, const std::string&) -> bool {
    if (s != status::ok) return false;
    last.asks = true;
    std::exit(1);
  }));
}

TEST_F(Join, RefusesTheDescriptorOfAnotherJob) {
  job_memory other;
  ASSERT_FALSE(other.create(1, 1, failure_policy::abort, 100));
  descriptor = std::to_string(other.node(0).descriptor());
  EXPECT_TRUE(after_join(is_of_another_job));
  EXPECT_EQ(other.line(0).pid.load(), 0u);  // the refused one has left no trace
}

TEST_F(Join, RefusesASecretThatIsNone) {
  for (const std::string& wrong : {std::string(), secret + "0", secret + " ", "x" + secret}) {
    secret = wrong;
    EXPECT_TRUE(after_join(is_of_another_job)) << wrong;
  }
}

// A file that holds a profile while this lives.
class profile_in_file {
 public:
  explicit profile_in_file(const machine_profile& profile) {
    std::string problem;
    EXPECT_TRUE(ramjet::base::store_profile(profile, {}, path(), problem)) << problem;
  }
  std::string path() const { return folder_.path() + "/profile"; }

 private:
  temporary_folder folder_;
};

machine_profile with(figure f, std::uint64_t value, machine_profile profile) {
  profile.set(f, value);
  return profile;
}
const machine_profile built_in = ramjet::base::built_in_profile();

TEST_F(Join, ChoosesByTheMachinesProfileWhileInTheJob) {
  const profile_in_file file(with(figure::block_bytes, 4096, built_in));
  EXPECT_TRUE(after_join([&file](status s, const std::string&) {
    return s == status::ok && machine(figure::block_bytes) == built_in[figure::block_bytes];
  }));
  object().line(0).pid = 0;
  object().the_board().joined = 0;
  object().the_board().layout_state = 0;
  ::setenv("RAMJET_PROFILE", file.path().c_str(), 1);
  EXPECT_TRUE(after_join([](status s, const std::string&) {
    if (s != status::ok || machine(figure::block_bytes) != 4096) return false;
    ramjet::job::say_left();
    ramjet::job::leave();
    return machine(figure::block_bytes) == built_in[figure::block_bytes];
  }));
  ::unsetenv("RAMJET_PROFILE");
}

TEST_F(Join, RefusesAProfileInMemoryThatCannotBe) {
  EXPECT_TRUE(after_join(is_welcome));
  object().line(0).pid = 0;
  object().the_board().joined = 0;
  object().the_board().profile.values[std::size_t(figure::block_bytes)] = 0;
  EXPECT_TRUE(after_join([](status s, const std::string& message) {
    return s == status::environment && message.find("what cannot be") != message.npos;
  }));
}

// A job of three ranks on two nodes: 0 and 1, 2.
class JoinNodes : public testing::Test {
 protected:
  static constexpr unsigned kRanks = 3;
  static constexpr std::uint64_t kSegmentBytes = 1 << 20;
  JoinNodes() {
    EXPECT_FALSE(memory.create(kRanks, 2, failure_policy::abort, 100));
    secret = ramjet::job::secret_variable(memory.secret());
  }

  // Of how many ranks `holds` is true, each in a process that has tried to join.
  unsigned joined(const std::function<bool(unsigned rank, status, const std::string&)>& holds) {
    pid_t ranks[kRanks];
    for (unsigned rank = 0; rank < kRanks; ++rank) {
      ranks[rank] = ::fork();
      if (ranks[rank] != 0) continue;
      set(kEnvDescriptor, memory.home_of(rank).descriptor());
      set(kEnvDirectory, directory_descriptor());
      set(kEnvRank, int(rank));
      ::putenv(secret.data());
      ::setenv("RAMJET_PROFILE", profile_of[rank].c_str(), 1);
      std::string message;
      const status s = join({1, segment_of[rank], kHash, kHash}, message);
      ::_exit(holds(rank, s, message) ? 0 : 1);
    }
    unsigned held = 0;
    for (const pid_t rank : ranks) {
      int ended = -1;
      EXPECT_EQ(::waitpid(rank, &ended, 0), rank);
      if (ended == 0) ++held;
    }
    return held;
  }
  static void set(const char* name, int value) { ::setenv(name, std::to_string(value).c_str(), 1); }
  virtual int directory_descriptor() { return memory.directory_descriptor(); }

  job_memory memory;
  std::string secret;  // as it stands in the environment
  std::string profile_of[kRanks] = {"none", "none", "none"};
  std::size_t segment_of[kRanks] = {kSegmentBytes, kSegmentBytes, kSegmentBytes};
};

// Whether this process can read the byte: the kernel says so without a fault.
bool is_readable(std::uint64_t address) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const bool readable = ::write(ends[1], reinterpret_cast<const void*>(address), 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return readable;
}

TEST_F(JoinNodes, BringsTogetherThoseOfANodeAndKeepsOthersApart) {
  const auto is_right = [](unsigned rank, status s, const std::string&) {
    if (s != status::ok) return false;
    const ramjet::job::membership& m = ramjet::job::self();
    bool right =
        m.ranks == kRanks && m.nodes == 2 && m.node == rank / 2 && m.shared->members == 2 - m.node;
    for (unsigned r = 0; r < kRanks; ++r) {
      const std::uint64_t segment = m.layout.segment_base + r * m.layout.segment_bytes;
      right = right && m.near(r) == (r / 2 == rank / 2) && is_readable(segment) == m.near(r) &&
              m.line(r).state.load() != std::uint32_t(rank_state::absent);
    }
    return right;
  };
  EXPECT_EQ(joined(is_right), kRanks);
}

// What has to be alike in the job is as rank 0's file says, the rest as the node's own.
TEST_F(JoinNodes, AgreesOnWhatHasToBeAlike) {
  const profile_in_file first(
      with(figure::hub_bytes, 1024, with(figure::block_bytes, 1024, built_in)));
  const profile_in_file other(
      with(figure::hub_bytes, 2048, with(figure::block_bytes, 2048, built_in)));
  profile_of[0] = profile_of[1] = first.path();
  profile_of[2] = other.path();
  const auto agrees = [](unsigned rank, status s, const std::string&) {
    return s == status::ok && machine(figure::hub_bytes) == 1024 &&
           machine(figure::block_bytes) == (rank == 2 ? 2048u : 1024u);
  };
  EXPECT_EQ(joined(agrees), kRanks);
}

TEST_F(JoinNodes, LeavesItsMarkOnItsOwnNode) {
  const auto leaves = [](unsigned, status s, const std::string&) {
    if (s != status::ok) return false;
    ramjet::job::say_left();
    ramjet::job::leave();
    return true;
  };
  EXPECT_EQ(joined(leaves), kRanks);
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(memory.line(rank).state.load(), std::uint32_t(rank_state::finalized));
    EXPECT_NE(memory.line(rank).pid.load(), 0u);
  }
}

TEST_F(JoinNodes, HasSegmentsOfOneSizeWhereNobodyAsks) {
  for (std::size_t& bytes : segment_of) bytes = 0;
  const auto joins = [](unsigned, status s, const std::string&) { return s == status::ok; };
  EXPECT_EQ(joined(joins), kRanks);
  EXPECT_GT(memory.node(0).the_board().layout.segment_bytes, 0u);
  EXPECT_EQ(memory.node(0).the_board().layout.segment_bytes,
            memory.node(1).the_board().layout.segment_bytes);
}

TEST_F(JoinNodes, RefusesSegmentsThatTheAddressesDoNotHold) {
  for (std::size_t& bytes : segment_of) bytes = ~std::size_t{0};  // in pages: 0
  const auto is_told = [](unsigned, status s, const std::string& message) {
    return s == status::environment && message.find("18446744073709551615 bytes") != message.npos;
  };
  EXPECT_EQ(joined(is_told), kRanks);
}

TEST_F(JoinNodes, RefusesSegmentsOfDifferentSizes) {
  segment_of[2] *= 2;
  const auto is_told = [](unsigned, status s, const std::string& message) {
    return s == status::mismatch && message.find("segment sizes") != message.npos;
  };
  EXPECT_EQ(joined(is_told), kRanks);
}

class JoinNodesWithoutDirectory : public JoinNodes {
 protected:
  int directory_descriptor() override { return memory.node(0).descriptor(); }
};

TEST_F(JoinNodesWithoutDirectory, IsRefused) {
  const auto is_told = [](unsigned, status s, const std::string& message) {
    return s == status::environment && message.find(kEnvDirectory) != message.npos;
  };
  EXPECT_EQ(joined(is_told), kRanks);
}

}  // namespace
