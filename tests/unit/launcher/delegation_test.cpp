// SPDX-License-Identifier: Apache-2.0
#include "launch/delegation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace ramjet::launcher;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using words_list = std::vector<std::string>;

std::string text_of(const std::vector<host>& hosts) {
  std::string all;
  for (const host& h : hosts) all += h.name + ":" + std::to_string(h.slots) + " ";
  return all;
}

std::string parsed(const std::string& list) {
  std::vector<host> hosts;
  const problem p = parse_hosts(list, hosts);
  return p ? p.sentence : text_of(hosts);
}

std::string parsed_file(const std::string& contents) {
  std::vector<host> hosts;
  const problem p = parse_host_file("FILE", contents, hosts);
  return p ? p.sentence : text_of(hosts);
}

std::string dealt(unsigned ranks, std::vector<host> hosts) {
  const problem p = deal_to_hosts(ranks, hosts);
  return p ? p.sentence : text_of(hosts);
}

TEST(Hosts, AreNamesWithSlots) {
  EXPECT_EQ(parsed("a"), "a:0 ");
  EXPECT_EQ(parsed("node-1.example.org:4,10.0.0.2,b_c:1024"),
            "node-1.example.org:4 10.0.0.2:0 b_c:1024 ");
}

TEST(Hosts, ThatCannotBeAreRefused) {
  for (const char* list : {"", ",", "a,", ",a", "a b", "-oX", "a;b", ":4", "$a"}) {
    EXPECT_THAT(parsed(list), HasSubstr("names no host")) << list;
  }
  for (const char* list : {"a:", "a:0", "a:-1", "a:1025", "a:4x", "a:1:2"}) {
    EXPECT_THAT(parsed(list), HasSubstr("number of slots from 1 to 1024")) << list;
  }
  EXPECT_THAT(parsed("a,b,a"), HasSubstr("host a is named twice; for two ranks there write a:2"));
}

TEST(HostFile, HasALineForEachHost) {
  EXPECT_EQ(parsed_file("a\nb:3\n  c   slots=5  # mine\n\n# d\n#e\nf#g"), "a:0 b:3 c:5 f:0 ");
  EXPECT_EQ(parsed_file("a\r\nb slots=2\r\n"), "a:0 b:2 ");
}

TEST(HostFile, NamesTheLineThatIsWrong) {
  EXPECT_THAT(parsed_file("a\nb c\n"), HasSubstr("FILE, line 2: 'c': after the host only slots=N"));
  for (const char* line : {"a slots=0", "a slots=", "a slots=2x", "a slots=2 slots=2",
                           "a:2 slots=2", "a max_slots=2"}) {
    EXPECT_THAT(parsed_file(line), HasSubstr("FILE, line 1: '")) << line;
  }
  EXPECT_THAT(parsed_file("a\n\na\n"), HasSubstr("FILE, line 3: host a is named twice"));
  EXPECT_THAT(parsed_file("# nobody\n\n"), HasSubstr("FILE names no host"));
}

TEST(Dealing, IsEvenWhereNothingIsSaid) {
  EXPECT_EQ(dealt(5, {{"a"}, {"b"}}), "a:3 b:2 ");
  EXPECT_EQ(dealt(8, {{"a"}, {"b"}, {"c"}}), "a:3 b:3 c:2 ");
  EXPECT_EQ(dealt(1, {{"a"}, {"b"}}), "a:1 ");
}

TEST(Dealing, GoesNotOverWhatIsSaid) {
  EXPECT_EQ(dealt(6, {{"a", 4}, {"b", 4}}), "a:4 b:2 ");
  EXPECT_EQ(dealt(6, {{"a", 2}, {"b"}, {"c"}}), "a:2 b:2 c:2 ");
  EXPECT_EQ(dealt(2, {{"a", 2}, {"b"}}), "a:2 ");
  EXPECT_THAT(dealt(9, {{"a", 4}, {"b", 4}}),
              HasSubstr("9 ranks need as many slots, and the hosts have 8"));
}

class Handover : public testing::Test {
 protected:
  Handover() {
    options.ranks = 3;
    options.command = {"./x", "-n", "two words"};
  }
  words_list words_for(system_launcher launcher, bool slots_said = false) {
    delegation job{options,  {{"a", 2}, {"b", second_slots}}, slots_said, "/the/folder", is_root,
                   forwarded};
    words_list words;
    const problem p = command_line(launcher, job, words);
    return p ? words_list{p.sentence} : words;
  }

  launch_options options;
  unsigned second_slots = 1;
  bool is_root = false;
  words_list forwarded;
};

TEST_F(Handover, ToMpirun) {
  EXPECT_THAT(words_for(system_launcher::mpirun),
              ElementsAre("mpirun", "-n", "3", "--host", "a:2,b:1", "--wdir", "/the/folder", "./x",
                          "-n", "two words"));
}

TEST_F(Handover, ToMpirunWithEverything) {
  options.bind = binding::core;
  options.tag_output = true;
  options.timeout_s = 2.5;
  options.policy = ramjet::node::failure_policy::carry_on;
  is_root = true;
  forwarded = {"A", "RAMJET_X"};
  EXPECT_THAT(words_for(system_launcher::mpirun),
              ElementsAre("mpirun", "-n", "3", "--host", "a:2,b:1", "--wdir", "/the/folder",
                          "--allow-run-as-root", "--bind-to", "core:overload-allowed",
                          "--tag-output", "--timeout", "3", "--enable-recovery", "-x", "A", "-x",
                          "RAMJET_X", "./x", "-n", "two words"));
}

TEST_F(Handover, ToPrterun) {
  options.bind = binding::none;
  options.tag_output = true;
  options.policy = ramjet::node::failure_policy::carry_on;
  EXPECT_THAT(words_for(system_launcher::prterun),
              ElementsAre("prterun", "-n", "3", "--host", "a:2,b:1", "--wdir", "/the/folder",
                          "--bind-to", "none", "--output", "tag", "--runtime-options",
                          "recoverable", "./x", "-n", "two words"));
}

TEST_F(Handover, ToSrun) {
  forwarded = {"A"};
  EXPECT_THAT(words_for(system_launcher::srun),
              ElementsAre("srun", "--mpi=pmix", "--ntasks=3", "--nodes=2", "--nodelist=a,b",
                          "--chdir=/the/folder", "--export=ALL", "--input=0",
                          "--kill-on-bad-exit=1", "./x", "-n", "two words"));
}

TEST_F(Handover, ToSrunWithEverything) {
  options.bind = binding::core;
  options.tag_output = true;
  options.policy = ramjet::node::failure_policy::carry_on;
  second_slots = 2;
  EXPECT_THAT(words_for(system_launcher::srun, true),
              ElementsAre("srun", "--mpi=pmix", "--ntasks=3", "--nodes=2", "--nodelist=a,b",
                          "--ntasks-per-node=2", "--chdir=/the/folder", "--export=ALL",
                          "--cpu-bind=cores", "--input=0", "--label", "--kill-on-bad-exit=0",
                          "--no-kill", "./x", "-n", "two words"));
}

TEST_F(Handover, RefusesWhatSrunCannotDo) {
  EXPECT_THAT(words_for(system_launcher::srun, true),
              ElementsAre(HasSubstr("a different number of ranks on each host cannot be had")));
  options.timeout_s = 1;
  EXPECT_THAT(words_for(system_launcher::srun),
              ElementsAre(HasSubstr("--timeout cannot be had from srun")));
}

}  // namespace
