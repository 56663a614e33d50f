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

#include "base/futex.hpp"
#include "job/launcher/memory.hpp"

namespace {

using ramjet::status;
using ramjet::job::failure_policy;
using ramjet::job::job_memory;
using ramjet::job::job_object;
using ramjet::job::join;
using ramjet::job::kEnvDescriptor;
using ramjet::job::kEnvRank;
using ramjet::job::kEnvSecret;

constexpr std::uint64_t kHash = 42;

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

  const job_object& object() const { return memory.node(0); }

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

}  // namespace
