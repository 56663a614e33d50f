// SPDX-License-Identifier: Apache-2.0
#include "frontend/files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace frontend {
namespace {

std::string name_of(const std::string& file) { return testing::TempDir() + "frontend_" + file; }

TEST(OutputFile, IsThereInWholeOrNotAtAll) {
  const std::string name = name_of("pieces");
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
  EXPECT_THROW({
    full.put(text);
    full.close();
  }, failure);
}

}  // namespace
}  // namespace frontend
