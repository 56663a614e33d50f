// SPDX-License-Identifier: Apache-2.0
// Control groups and processes as the kernel shows them, made up in a folder.
#include "launch/memory_kills.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ramjet::launcher {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

struct memory_kills_test : testing::Test {
  memory_kills_test() : root(fs::temp_directory_path() / ("kills-" + std::to_string(::getpid()))) {
    fs::create_directories(root);
  }
  ~memory_kills_test() override { fs::remove_all(root); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  void process(const std::string& name, const std::string& groups) const {
    write("proc/" + name + "/cgroup", groups);
  }
  memory_kills start() const {
    return memory_kills((root / "cgroup").string(), (root / "proc").string());
  }
  fs::path root;
};

TEST_F(memory_kills_test, a_further_kill_of_the_group_explains_one_death) {
  process("self", "0::/job\n");
  process("7", "0::/job\n");
  write("cgroup/job/memory.events", "low 0\nhigh 0\nmax 9\noom 2\noom_kill 3\n");
  write("cgroup/job/memory.max", "134217728\n");
  memory_kills kills = start();
  EXPECT_THAT(kills.explain(7), IsEmpty());  // those were before
  write("cgroup/job/memory.events", "low 0\nhigh 0\nmax 9\noom 3\noom_kill 4\n");
  EXPECT_THAT(kills.explain(7), HasSubstr("has reached its memory limit of 128 MiB"));
  EXPECT_THAT(kills.explain(7), IsEmpty());
}

TEST_F(memory_kills_test, a_group_that_a_rank_has_entered_later) {
  process("self", "0::/\n");
  process("7", "0::/rank/7\n");
  write("cgroup/memory.events", "oom_kill 0\n");
  memory_kills kills = start();
  write("cgroup/rank/7/memory.events", "oom_kill 1\n");
  EXPECT_THAT(kills.explain(7), HasSubstr("/rank/7"));
}

TEST_F(memory_kills_test, the_first_version_whose_zombies_are_in_the_root) {
  const char* alive = "9:name=systemd:/\n4:cpu,memory:/job/a\n0::/\n";
  process("self", "4:cpu,memory:/\n0::/\n");
  process("7", alive);
  write("cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n");
  write("cgroup/memory/job/a/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
  write("cgroup/memory/job/a/memory.limit_in_bytes", "9223372036854771712\n");
  memory_kills kills = start();
  kills.note_group(7);
  process("7", "4:cpu,memory:/\n0::/\n");
  EXPECT_THAT(kills.explain(7), IsEmpty());
  write("cgroup/memory/job/a/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  EXPECT_THAT(kills.explain(7), HasSubstr("has reached its memory limit (" + root.string()));
}

TEST_F(memory_kills_test, a_path_of_the_hosts) {
  process("self", "4:memory:/pod/container\n");
  write("cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
  memory_kills kills = start();
  write("cgroup/memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  EXPECT_THAT(kills.explain(7), HasSubstr("memory limit"));
}

TEST_F(memory_kills_test, without_control_groups_nothing_is_said) {
  EXPECT_THAT(start().explain(7), IsEmpty());
}

}  // namespace
}  // namespace ramjet::launcher
