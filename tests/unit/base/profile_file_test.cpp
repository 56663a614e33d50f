// SPDX-License-Identifier: Apache-2.0
// Profiles of the machine: what is stored is found again, and nothing else is believed.
#include "base/profile_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <string>

#include "../temporary_folder.hpp"

namespace {

using namespace ramjet::base;
using testing::HasSubstr;

machine_profile some_profile() {
  machine_profile profile = built_in_profile();
  profile.set(figure::block_bytes, 4096);
  profile.set(figure::near_write_streaming_bytes, kNever);
  return profile;
}

constexpr profile_quality kQuality{.is_quick = true, .drift_percent = 137};

class stored_profile : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("XDG_CACHE_HOME", (folder_.path() + "/cache").c_str(), 1);
    path_ = profile_path();
    std::string problem;
    ASSERT_TRUE(store_profile(some_profile(), kQuality, path_, problem)) << problem;
  }

  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // The file with this text in it, and why it is ignored.
  std::string problem_of(const std::string& text) const {
    std::ofstream(path_) << text;
    return problem_of_file();
  }
  std::string problem_of_file() const {
    const found_profile found = find_profile("");
    EXPECT_FALSE(found.is_used);
    EXPECT_EQ(found.profile.values, built_in_profile().values);
    EXPECT_EQ(found.profile.measured, 0u);
    return found.problem;
  }
  // What stands between the first line and the last, with a checksum of its own.
  static std::string sealed(const std::string& text) {
    const std::size_t begin = text.find('\n') + 1, end = text.rfind("\nend ") + 1;
    std::uint64_t h = 0xcbf29ce484222325;
    for (std::size_t i = begin; i < end; ++i)
      h = (h ^ static_cast<unsigned char>(text[i])) * 0x100000001b3;
    std::ostringstream sum;
    sum << std::hex << std::setfill('0') << std::setw(16) << h;
    return text.substr(0, end) + "end " + sum.str() + "\n";
  }
  std::string replaced(const std::string& what, const std::string& by) const {
    std::string changed = text();
    const std::size_t at = changed.find(what);
    EXPECT_NE(at, changed.npos);
    return sealed(changed.replace(at, what.size(), by));
  }

  temporary_folder folder_;
  std::string path_;
};

TEST_F(stored_profile, is_found_again) {
  const found_profile found = find_profile("");
  EXPECT_TRUE(found.is_used);
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.profile.values, some_profile().values);
  EXPECT_EQ(found.profile.measured, some_profile().measured);
  EXPECT_TRUE(found.quality.is_quick);
  EXPECT_EQ(found.quality.drift_percent, 137u);
  EXPECT_EQ(find_profile(path_).profile.values, some_profile().values);
}

TEST_F(stored_profile, is_private_and_stands_alone) {
  struct stat info{};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  ASSERT_EQ(::stat(folder.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(stored_profile, whether_it_can_be_stored_is_found_out_without_a_trace) {
  const std::string before = text();
  std::string problem;
  EXPECT_TRUE(can_store_profile(path_, problem)) << problem;
  EXPECT_EQ(text(), before);
  const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);

  const std::string other = folder_.path() + "/other/profile";
  EXPECT_TRUE(can_store_profile(other, problem)) << problem;
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_FALSE(can_store_profile("/dev/null/profile", problem));
  EXPECT_THAT(problem, HasSubstr("cannot store the profile as /dev/null/profile: Not a directory"));
  EXPECT_FALSE(can_store_profile("", problem));
  EXPECT_THAT(problem, HasSubstr("set HOME or XDG_CACHE_HOME"));
}

TEST_F(stored_profile, is_not_looked_for) {
  const found_profile found = find_profile(kNoProfile);
  EXPECT_FALSE(found.is_used);
  EXPECT_EQ(found.problem, "");
}

TEST_F(stored_profile, no_file_is_no_problem_but_one_that_was_named_is) {
  std::filesystem::remove(path_);
  EXPECT_EQ(problem_of_file(), "");
  EXPECT_THAT(find_profile(path_).problem,
              HasSubstr("is not there; it is ignored: without RAMJET_PROFILE the one that"));
}

TEST_F(stored_profile, of_another_machine_or_build_or_version) {
  EXPECT_THAT(problem_of(replaced(machine_name(), "Cray T3D, 64 processors")),
              HasSubstr("another machine (Cray T3D, 64 processors; this is"));
  SetUp();
  EXPECT_THAT(problem_of(replaced(build_name(), "ramjet 0.0.1")),
              HasSubstr("another build (ramjet 0.0.1; this is"));
  SetUp();
  EXPECT_THAT(problem_of(replaced("ramjet-profile 3", "ramjet-profile 2")),
              HasSubstr("is of version 2, and this build reads 3"));
}

TEST_F(stored_profile, words_of_others_steer_no_terminal) {
  EXPECT_THAT(problem_of(replaced(machine_name(), "\x1b[2J\x9b\x7f T3D")),
              HasSubstr("another machine (?[2J?? T3D; this is"));
}

TEST_F(stored_profile, does_not_say_how_it_was_measured) {
  for (const char* line : {"drift 99", "drift 1000001", "drift x", "drift"}) {
    EXPECT_THAT(problem_of(replaced("drift 137", line)), HasSubstr("how it was measured")) << line;
    SetUp();
  }
  EXPECT_THAT(problem_of(replaced("samples few", "samples some")),
              HasSubstr("how it was measured"));
}

TEST_F(stored_profile, damaged) {
  const std::string whole = text();
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    EXPECT_THAT(problem_of(whole.substr(0, bytes)), HasSubstr("the profile")) << bytes;
  EXPECT_THAT(problem_of(whole + "x\n"), HasSubstr("behind its end"));
  const auto with_figure = [&](const std::string& line) {
    std::string changed = whole;
    return problem_of(sealed(changed.replace(changed.find("block_bytes 4096"), 16, line)));
  };
  EXPECT_THAT(with_figure("block_bytes 255"), HasSubstr("out of its range"));
  EXPECT_THAT(with_figure("block_bytes 32769"), HasSubstr("out of its range"));
  EXPECT_THAT(with_figure("block_bytes 18446744073709551616"), HasSubstr("not a figure"));
  EXPECT_THAT(with_figure("block_bytes -1"), HasSubstr("not a figure"));
  EXPECT_THAT(with_figure("block_bytes 4096 "), HasSubstr("not a figure"));
  EXPECT_THAT(with_figure("block_bytes 4096\nblock_bytes 4096"), HasSubstr("twice"));
  EXPECT_THAT(with_figure("chain_bytes 4096"), HasSubstr("no known name"));
  EXPECT_THAT(problem_of(std::string(5000, 'x')), HasSubstr("too long"));
  EXPECT_THAT(problem_of(std::string(300, '\0')), HasSubstr("is not a machine profile"));
}

TEST_F(stored_profile, any_changed_bit_is_noticed) {
  const std::string whole = text();
  EXPECT_EQ(sealed(whole), whole);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string changed = whole;
    changed[bit / 8] = char(changed[bit / 8] ^ 1 << bit % 8);
    EXPECT_NE(problem_of(changed), "") << bit;
  }
  const std::size_t digit = whole.find("block_bytes 4096") + 12;
  EXPECT_THAT(problem_of(std::string(whole).replace(digit, 1, "5")),
              HasSubstr("is damaged: its checksum is another one"));
}

TEST_F(stored_profile, of_others_or_no_file) {
  ASSERT_EQ(::chmod(path_.c_str(), 0620), 0);
  EXPECT_THAT(problem_of_file(), HasSubstr("may be written by others"));
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(problem_of_file(), HasSubstr("not a plain file"));
  if (::geteuid() != 0) return;
  std::filesystem::remove(path_);
  std::ofstream(path_) << "x";
  ASSERT_EQ(::chown(path_.c_str(), 12345, 12345), 0);
  EXPECT_THAT(problem_of_file(), HasSubstr("belongs to another user"));
}

TEST_F(stored_profile, cannot_be_stored) {
  std::string problem;
  EXPECT_FALSE(store_profile(some_profile(), kQuality, "", problem));
  EXPECT_THAT(problem, HasSubstr("XDG_CACHE_HOME"));
  EXPECT_FALSE(store_profile(some_profile(), kQuality, path_ + "/inside_a_file", problem));
  EXPECT_THAT(problem, HasSubstr("cannot store the profile"));
}

TEST(ProfilePath, NeedsAFolder) {
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "/nowhere/somebody", 1);
  EXPECT_THAT(profile_path(), testing::StartsWith("/nowhere/somebody/.cache/ramjet/profiles/"));
  ::setenv("XDG_CACHE_HOME", "not/absolute", 1);
  EXPECT_THAT(profile_path(), testing::StartsWith("/nowhere/somebody/.cache/ramjet/profiles/"));
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(profile_path(), "");
  EXPECT_EQ(find_profile("").problem, "");
}

TEST(MachineProfile, PlausibleOnlyInItsRanges) {
  EXPECT_TRUE(is_plausible(built_in_profile()));
  EXPECT_TRUE(is_plausible(some_profile()));
  for (std::size_t f = 0; f < kFigures; ++f) {
    const figure_row& row = all_figures()[f];
    machine_profile profile = built_in_profile();
    profile.set(figure(f), row.least);
    EXPECT_TRUE(is_plausible(profile)) << row.name;
    profile.set(figure(f), row.most);
    EXPECT_TRUE(is_plausible(profile)) << row.name;
    profile.set(figure(f), row.least - 1);
    EXPECT_FALSE(is_plausible(profile)) << row.name;
    profile.set(figure(f), row.most + 1);
    EXPECT_FALSE(is_plausible(profile)) << row.name;
    profile = built_in_profile();
    profile.values[f] = row.fallback == row.least ? row.most : row.least;
    EXPECT_EQ(is_plausible(profile), row.by_processor) << row.name << " was not measured";
  }
  machine_profile profile = built_in_profile();
  profile.measured = std::uint64_t{1} << kFigures;
  EXPECT_FALSE(is_plausible(profile));
}

TEST(MachineProfile, FiguresOfTheWholeJobAreTheFirstRanks) {
  machine_profile first = built_in_profile(), other = built_in_profile();
  first.set(figure::hub_bytes, 1024);
  first.set(figure::block_bytes, 1024);
  other.set(figure::parts_bytes, 1024);
  const machine_profile joined = joined_profile(first, other);
  EXPECT_EQ(joined[figure::hub_bytes], 1024u);
  EXPECT_TRUE(joined.is_measured(figure::hub_bytes));
  EXPECT_EQ(joined[figure::parts_bytes], built_in_profile()[figure::parts_bytes]);
  EXPECT_FALSE(joined.is_measured(figure::parts_bytes));
  EXPECT_EQ(joined[figure::block_bytes], built_in_profile()[figure::block_bytes]);
  EXPECT_TRUE(is_plausible(joined));
}

TEST(MachineProfile, InUse) {
  for (std::size_t f = 0; f < kFigures; ++f) {  // before any was put to use
    if (all_figures()[f].by_processor) continue;
    EXPECT_EQ(profile_in_use().values[f], built_in_profile().values[f]) << all_figures()[f].name;
  }
  use_profile(some_profile());
  EXPECT_EQ(machine(figure::block_bytes), 4096u);
  EXPECT_EQ(profile_in_use().measured, some_profile().measured);
  use_profile(built_in_profile());
  EXPECT_EQ(machine(figure::block_bytes), built_in_profile()[figure::block_bytes]);
}

}  // namespace
