// SPDX-License-Identifier: Apache-2.0
#include "regular_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.hpp"

namespace kmer {

regular_file::regular_file(const std::string& path) : path_(path) {
  // A pipe without a writer must not hold us up before we can refuse it.
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const char* problem = nullptr;
  struct stat info{};
  if (descriptor_ < 0 || fstat(descriptor_, &info) != 0) {
    problem = std::strerror(errno);
  } else if (S_ISDIR(info.st_mode)) {
    problem = "is a directory";
  } else if (!S_ISREG(info.st_mode)) {
    problem = "is neither a regular file nor a pipe";
  } else if (info.st_size == 0) {
    problem = "is empty";
  }
  if (problem != nullptr) {
    const std::string text = path + ": " + problem;
    if (descriptor_ >= 0) close(descriptor_);
    throw input_error(text);
  }
  size_ = static_cast<std::uint64_t>(info.st_size);
}

regular_file::~regular_file() { close(descriptor_); }

void regular_file::read(std::uint64_t offset, char* into, std::size_t bytes) const {
  while (bytes > 0) {
    const ssize_t n = pread(descriptor_, into, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw input_error(path_ + ": " + std::strerror(errno));
    if (n == 0) throw input_error(path_ + ": became shorter while it was read");
    offset += static_cast<std::uint64_t>(n);
    into += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

}  // namespace kmer
