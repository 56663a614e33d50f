// SPDX-License-Identifier: Apache-2.0
// A folder of a test's own, which goes with all that is in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

class temporary_folder {
 public:
  temporary_folder() { EXPECT_NE(::mkdtemp(path_.data()), nullptr); }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/ramjet_unit_XXXXXX";
};
