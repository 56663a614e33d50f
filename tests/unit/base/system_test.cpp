// SPDX-License-Identifier: Apache-2.0
// A thread that others wait for tells what it has to tell, and never waits for a reader.
#include "base/system.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

namespace {

// Standard error is a pipe meanwhile.
class piped_errors {
 public:
  piped_errors() : before_(::dup(STDERR_FILENO)) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    reader_ = ends[0];
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
  }
  ~piped_errors() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    close_reader();
  }
  void fill() {
    ::fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK);
    char bytes[1024] = {};
    while (::write(STDERR_FILENO, bytes, sizeof bytes) > 0) {
    }
    ::fcntl(STDERR_FILENO, F_SETFL, 0);
  }
  std::string read_all() {
    ::fcntl(reader_, F_SETFL, O_NONBLOCK);
    std::string all;
    char bytes[4096];
    for (ssize_t got; (got = ::read(reader_, bytes, sizeof bytes)) > 0;)
      all.append(bytes, std::size_t(got));
    return all;
  }
  void close_reader() {
    if (reader_ >= 0) ::close(reader_);
    reader_ = -1;
  }

 private:
  int before_, reader_ = -1;
};

TEST(TellAtOnce, WritesALine) {
  piped_errors errors;
  ramjet::base::report_at_once("rank 1: refused");
  EXPECT_EQ(errors.read_all(), "rank 1: refused\n");
}

TEST(TellAtOnce, DoesNotWaitForAReader) {
  piped_errors errors;
  errors.fill();
  ramjet::base::report_at_once("nobody takes this");
  EXPECT_EQ(errors.read_all().find("nobody"), std::string::npos);
  ramjet::base::report_at_once("this is taken");
  EXPECT_EQ(errors.read_all(), "this is taken\n");
}

TEST(TellAtOnce, OutlivesItsReader) {
  piped_errors errors;
  errors.close_reader();
  ramjet::base::report_at_once("nobody is there");  // would be ended by SIGPIPE
}

}  // namespace
