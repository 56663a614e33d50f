// SPDX-License-Identifier: Apache-2.0
#include "languages/support/files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "../unit/temporary_folder.hpp"

namespace frontend {
namespace {

TEST(OutputFile, IsThereInWholeOrNotAtAll) {
  temporary_folder folder;
  const std::string name = folder.path() + "/pieces";
  {
    output_file file(name);
    file.put("one ");
    file.put("two");
    file.close();
  }
  EXPECT_EQ(read_file(name), "one two");
  {
    output_file file(name);
    file.put("not closed");
  }
  EXPECT_FALSE(std::filesystem::exists(name));
}

TEST(OutputFile, SaysWhatCannotBeWritten) {
  EXPECT_THROW(output_file("/absent/folder/file"), failure);
  output_file full("/dev/full");
  const std::string text(1 << 20, 'x');
  EXPECT_THROW(
      {
        full.put(text);
        full.close();
      },
      failure);
}

TEST(CheckSourceStays, SeesThroughPathsAndLinks) {
  temporary_folder folder;
  const auto name_of = [&](const char* file) { return folder.path() + "/" + file; };
  const std::string source = name_of("source"), soft = name_of("soft"), hard = name_of("hard");
  write_file(source, "text");
  std::filesystem::create_symlink(source, soft);
  std::filesystem::create_hard_link(source, hard);
  for (const std::string& output : {source, soft, hard}) {
    EXPECT_THROW(check_source_stays(source, output), failure) << output;
    EXPECT_THROW(check_source_stays(output, source), failure) << output;
  }
  EXPECT_NO_THROW(check_source_stays(source, name_of("another")));
  EXPECT_NO_THROW(check_source_stays(source, "-"));
  EXPECT_NO_THROW(check_source_stays("-", source));
  EXPECT_NO_THROW(check_source_stays("/dev/null", "/dev/null"));
}

}  // namespace
}  // namespace frontend
