// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/object_note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace splitcc::driver {
namespace {

using testing::HasSubstr;

std::string word(std::uint32_t value) {
  std::string bytes(sizeof value, 0);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string note(const std::string& version, std::uint32_t type = 0x5c) {
  const std::string said = version + '\0' + "a.sc" + '\0';
  return word(7) + word(static_cast<std::uint32_t>(said.size())) + word(type) +
         std::string("Ramjet\0\0", 8) + said;
}

std::string this_version() {
  const std::string code = object_note("a.sc");
  const std::size_t begin = code.find("1:\\t.asciz \\\"") + 13;
  return code.substr(begin, code.find('\\', begin) - begin);
}

TEST(ObjectNote, TellsAnotherVersion) {
  EXPECT_EQ(
      version_problem("ELF" + note("98.7.6")),
      "a.sc was compiled by splitcc 98.7.6, and this is " + this_version() + ": compile it again");
}

TEST(ObjectNote, FindsItBehindOnesThatFit) {
  EXPECT_THAT(version_problem(note(this_version()) + "Ramjet" + note("98.7.6")),
              HasSubstr("splitcc 98.7.6"));
}

TEST(ObjectNote, TheThirdNumberMayDiffer) {
  const std::string version = this_version();
  ASSERT_NE(version.rfind('.'), std::string::npos) << version;
  EXPECT_EQ(version_problem(note(version.substr(0, version.rfind('.')) + ".99")), "");
}

TEST(ObjectNote, WhatIsNoNoteSaysNothing) {
  EXPECT_EQ(version_problem(""), "");
  EXPECT_EQ(version_problem(note("98.7.6", 1)), "");
  EXPECT_EQ(version_problem(note("98.7.6").substr(4)), "");
  const std::string whole = note("98.7.6");
  EXPECT_EQ(version_problem(whole.substr(0, whole.size() - 1)), "");
}

}  // namespace
}  // namespace splitcc::driver
