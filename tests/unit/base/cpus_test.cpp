// SPDX-License-Identifier: Apache-2.0
// What this process may use: checked against the mask that it sets itself.
#include "base/cpus.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using namespace ramjet::base;
namespace fs = std::filesystem;

TEST(cpus, follow_the_affinity_mask) {
  const std::vector<int> all = allowed_cpus();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  CPU_SET(unsigned(all.back()), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(allowed_cpus(), std::vector<int>{all.back()});
  EXPECT_EQ(usable_cpus(), 1u);
  sched_setaffinity(0, sizeof before, &before);
  EXPECT_EQ(allowed_cpus(), all);
}

TEST(cpus, a_quota_only_lowers) {
  EXPECT_GE(usable_cpus(), 1u);
  EXPECT_LE(usable_cpus(), allowed_cpus().size());
  const double quota = cpu_quota();
  EXPECT_GE(quota, 0);
  EXPECT_TRUE(quota == 0 || usable_cpus() <= unsigned(quota) + 1);
}

TEST(cpus, memory_is_what_a_machine_can_have) {
  EXPECT_GT(usable_memory(), std::uint64_t{16} << 20);
  EXPECT_LT(usable_memory(), std::uint64_t{1} << 50);
}

// A machine of files, of which 8 GiB are available.
class available : public ::testing::Test {
 protected:
  available() : root_(fs::path(::testing::TempDir()) / ("cpus_test." + std::to_string(getpid()))) {
    write("proc/meminfo", "MemTotal: 99999999 kB\nMemFree: 5 kB\nMemAvailable: 8388608 kB\n");
  }
  ~available() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::uint64_t mebibytes() const { return available_memory(root_) >> 20; }

 private:
  fs::path root_;
};

TEST_F(available, without_a_limit) {
  EXPECT_EQ(mebibytes(), 8192u);
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/memory.max", "max\n");
  write("sys/fs/cgroup/a/b/memory.current", "104857600\n");
  EXPECT_EQ(mebibytes(), 8192u);
}

TEST_F(available, below_the_limits_of_version_2) {
  write("proc/self/cgroup", "0::/a/b\n");
  write("sys/fs/cgroup/a/b/memory.max", "4294967296\n");
  write("sys/fs/cgroup/a/memory.max", "1073741824\n");  // above the process's own
  write("sys/fs/cgroup/a/memory.current", "209715200\n");
  EXPECT_EQ(mebibytes(), 824u);
  write("sys/fs/cgroup/a/memory.stat", "anon 5\nfile 7\ninactive_file 104857600\n");
  EXPECT_EQ(mebibytes(), 924u);
  write("sys/fs/cgroup/a/memory.current", "2147483648\n");  // it was lowered
  EXPECT_EQ(mebibytes(), 0u);
}

TEST_F(available, below_the_limits_of_version_1) {
  write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/c\n0::/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/c/memory.limit_in_bytes", "62914560\n");
  write("sys/fs/cgroup/memory/c/memory.usage_in_bytes", "10485760\n");
  write("sys/fs/cgroup/memory/c/memory.stat", "inactive_file 1\ntotal_inactive_file 5242880\n");
  EXPECT_EQ(mebibytes(), 55u);
}

}  // namespace
