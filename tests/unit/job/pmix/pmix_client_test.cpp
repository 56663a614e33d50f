// SPDX-License-Identifier: Apache-2.0
// What a rank says to a PMIx server, and what it makes of each answer. The server is fake_pmix.
#include "job/pmix/pmix_client.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "base/exit_status.hpp"
#include "fake_pmix.hpp"

namespace {

using ramjet::status;
using ramjet::job::pmix_client;
using testing::HasSubstr;

class PmixClient : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(client.load(message)) << message;
    void* library = ::dlopen("libpmix.so.2", RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library, nullptr);
    const auto state = reinterpret_cast<fake_pmix* (*)()>(::dlsym(library, kFakePmixState));
    ASSERT_NE(state, nullptr) << "the real libpmix was loaded: is LD_LIBRARY_PATH set?";
    server = state();
    *server = {};
    server->rank = 1;
    server->ranks = 3;
  }
  void start() { ASSERT_EQ(client.start(message), status::ok) << message; }
  // What the library says when it has lost a connection; `answered` if the program goes on.
  void lose(const char* nspace, std::uint32_t rank) {
    pmix_proc_t lost{};
    std::strcpy(lost.nspace, nspace);
    lost.rank = rank;
    const auto goes_on = [](pmix_status_t, pmix_info_t*, std::size_t, pmix_op_cbfunc_t, void*,
                            void* data) { *static_cast<bool*>(data) = true; };
    server->on_event(0, PMIX_ERR_LOST_CONNECTION, &lost, nullptr, 0, nullptr, 0, goes_on,
                     &answered);
  }
  bool was_called(const char* name) const {
    return std::find(server->calls.begin(), server->calls.end(), name) != server->calls.end();
  }

  pmix_client client;
  std::string message;
  fake_pmix* server = nullptr;
  bool answered = false;
};

TEST_F(PmixClient, IsOfferedByTheEnvironmentAlone) {
  ::unsetenv("PMIX_NAMESPACE");
  EXPECT_FALSE(pmix_client::is_offered());
  ::setenv("PMIX_NAMESPACE", "a job", 1);
  EXPECT_TRUE(pmix_client::is_offered());
  ::unsetenv("PMIX_NAMESPACE");
}

TEST_F(PmixClient, LearnsWhoItIs) {
  start();
  EXPECT_EQ(client.rank(), 1u);
  EXPECT_EQ(client.ranks(), 3u);
  EXPECT_TRUE(was_called("PMIx_Register_event_handler"));  // it hears when the launcher goes
}

TEST_F(PmixClient, SaysThatNoServerAnswers) {
  server->errors["PMIx_Init"] = PMIX_ERR_NOT_FOUND;
  EXPECT_EQ(client.start(message), status::environment);
  EXPECT_THAT(message, HasSubstr("cannot reach the launcher's PMIx server: it is not there"));
}

TEST_F(PmixClient, SaysThatTheNumberOfRanksIsMissing) {
  server->errors["PMIx_Get"] = PMIX_ERR_BAD_PARAM;
  EXPECT_EQ(client.start(message), status::environment);
  EXPECT_THAT(message, HasSubstr("number of ranks: error " + std::to_string(PMIX_ERR_BAD_PARAM)));
}

TEST_F(PmixClient, DoubtsANumberOfRanksOfAnotherType) {
  server->size_type = PMIX_UINT64;
  EXPECT_EQ(client.start(message), status::environment);
}

TEST_F(PmixClient, BringsAValueThatOthersRead) {
  start();
  const std::string value("a\0b", 3);  // bytes, not text
  ASSERT_EQ(client.publish("card", value, message), status::ok) << message;
  EXPECT_TRUE(was_called("PMIx_Commit"));
  std::string got;
  ASSERT_EQ(client.read(1, "card", got, message), status::ok) << message;
  EXPECT_EQ(got, value);
}

TEST_F(PmixClient, SaysWhatCannotBePublished) {
  start();
  for (const char* call : {"PMIx_Put", "PMIx_Commit"}) {
    server->errors = {{call, PMIX_ERR_NOT_FOUND}};
    EXPECT_EQ(client.publish("card", "x", message), status::environment) << call;
    EXPECT_THAT(message, HasSubstr("cannot publish through PMIx: it is not there"));
  }
}

TEST_F(PmixClient, SaysWhoseValueIsMissing) {
  start();
  std::string got;
  EXPECT_EQ(client.read(2, "card", got, message, 30), status::environment);
  EXPECT_THAT(message, HasSubstr("rank 2 has published: it is not there"));
}

// Whose last program's end the server has taken for its coming.
TEST_F(PmixClient, ReadsAgainWhatARankPublishesLate) {
  start();
  ASSERT_EQ(client.publish("card", "x", message), status::ok);
  server->early_reads = 2;
  server->calls.clear();
  std::string got;
  EXPECT_EQ(client.read(1, "card", got, message), status::ok) << message;
  EXPECT_EQ(got, "x");
  EXPECT_EQ(std::count(server->calls.begin(), server->calls.end(), "PMIx_Get_nb"), 3);
}

TEST_F(PmixClient, TakesNoValueOfAnotherType) {
  start();
  ASSERT_EQ(client.publish("card", "x", message), status::ok);
  server->value_type = PMIX_STRING;
  std::string got;
  EXPECT_EQ(client.read(1, "card", got, message), status::environment);
  EXPECT_EQ(got, "");
}

TEST_F(PmixClient, MeetsWhetherTheAnswerComesAtOnceOrLater) {
  start();
  EXPECT_EQ(client.meet("card", message), status::ok) << message;
  server->fence_answers_at_once = true;
  EXPECT_EQ(client.meet("card", message), status::ok) << message;
}

// The server sees the end of one program in the fence of the next.
TEST_F(PmixClient, MeetsAgainWhereAProcessOfTheProgramBeforeHasEnded) {
  start();
  for (const int broken : {PMIX_ERR_PARTIAL_SUCCESS, PMIX_ERR_LOST_CONNECTION}) {
    server->broken_result = broken;
    server->broken_fences = 2;
    server->calls.clear();
    EXPECT_EQ(client.meet("card", message), status::ok) << message;
    EXPECT_EQ(std::count(server->calls.begin(), server->calls.end(), "PMIx_Fence_nb"), 3);
  }
}

TEST_F(PmixClient, SaysWhyTheRanksCannotMeet) {
  start();
  server->fence_result = PMIX_ERR_NOT_FOUND;
  EXPECT_EQ(client.meet("card", message), status::environment);
  EXPECT_THAT(message, HasSubstr("could not meet at the launcher (PMIx): it is not there"));
  message.clear();
  server->errors["PMIx_Fence_nb"] = PMIX_ERR_NOT_FOUND;
  EXPECT_EQ(client.meet("card", message), status::environment);
  EXPECT_THAT(message, HasSubstr("it is not there"));
}

// The rank that died never comes to the fence.
TEST_F(PmixClient, NamesARankThatDiesBeforeTheRanksMeet) {
  start();
  server->fence_is_silent = true;
  server->process_states = {{0, PMIX_PROC_STATE_CONNECTED}, {2, PMIX_PROC_STATE_ABORTED_BY_SIG}};
  EXPECT_EQ(client.meet("card", message), status::peer_failed);
  EXPECT_EQ(message, "rank 2 died before the job had started");
}

TEST_F(PmixClient, NamesARankThatDiesBeforeItPublishes) {
  start();
  server->process_states = {{2, PMIX_PROC_STATE_ABORTED_BY_SIG}};
  std::string got;
  EXPECT_EQ(client.read(2, "card", got, message), status::peer_failed);
  EXPECT_EQ(message, "rank 2 died before the job had started");
}

TEST_F(PmixClient, FindsTheDeadInTheLaunchersTable) {
  start();
  EXPECT_EQ(client.dead_rank_by_now(), -1);
  server->process_states = {{0, PMIX_PROC_STATE_CONNECTED}, {2, PMIX_PROC_STATE_RUNNING}};
  EXPECT_EQ(client.dead_rank_by_now(), -1);
  server->process_states[2] = PMIX_PROC_STATE_TERMINATED;
  EXPECT_EQ(client.dead_rank_by_now(), 2);
}

// Ranks exit where another one has died.
TEST_F(PmixClient, TakesADeathBySignalForTheFirst) {
  start();
  server->table_of_values = true;
  server->process_states = {{0, PMIX_PROC_STATE_TERM_NON_ZERO},
                            {2, PMIX_PROC_STATE_ABORTED_BY_SIG}};
  EXPECT_EQ(client.dead_rank_by_now(), 2);
}

TEST_F(PmixClient, AsksNoLauncherAgainThatHasNoTable) {
  start();
  server->errors["PMIx_Query_info_nb"] = PMIX_ERR_NOT_SUPPORTED;
  EXPECT_EQ(client.dead_rank_by_now(), -1);
  EXPECT_EQ(client.dead_rank_by_now(), -1);
  EXPECT_EQ(std::count(server->calls.begin(), server->calls.end(), "PMIx_Query_info_nb"), 1);
}

TEST_F(PmixClient, EndsWithItsLauncher) {
  start();
  EXPECT_EXIT(lose("a server", 4), testing::ExitedWithCode(ramjet::base::kExitJobLost),
              "the launcher that started this rank has gone");
}

// A library that does not say who serves it: this process shall not outlive a launcher.
TEST_F(PmixClient, TakesEveryLossForThatOfItsLauncherWhereItIsNotTold) {
  server->server_nspace.clear();
  start();
  EXPECT_EXIT(lose("a job", 2), testing::ExitedWithCode(ramjet::base::kExitJobLost),
              "the launcher that started this rank has gone");
}

// Of the program before, in the same place of the job; or of another launcher's.
TEST_F(PmixClient, GoesOnWhereAnotherProcessHasEnded) {
  start();
  for (const auto& [nspace, rank] : {std::pair{"a job", 2u}, {"a job", 4u}, {"a server", 3u}}) {
    answered = false;
    lose(nspace, rank);
    EXPECT_TRUE(answered) << nspace << ' ' << rank;
  }
}

TEST_F(PmixClient, AbortsWithItsReason) {
  start();
  client.abort(7, "a rank died");
  EXPECT_EQ(server->abort_status, 7);
  EXPECT_EQ(server->abort_message, "a rank died");
}

TEST_F(PmixClient, LeavesInOrder) {
  start();
  client.finish();
  EXPECT_EQ(server->calls.back(), "PMIx_Finalize");
}

}  // namespace
