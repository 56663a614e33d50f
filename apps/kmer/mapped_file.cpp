// SPDX-License-Identifier: Apache-2.0
#include "mapped_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.hpp"

namespace kmer {
namespace {

// Opens the file and finds its size; on failure, returns what is wrong.
const char* open_regular(const std::string& path, int& descriptor, std::uint64_t& size) {
  // A pipe without a writer must not hold us up before we can refuse it.
  descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return std::strerror(errno);
  struct stat info;
  if (fstat(descriptor, &info) != 0) return std::strerror(errno);
  if (S_ISDIR(info.st_mode)) return "is a directory";
  if (!S_ISREG(info.st_mode)) return "is not a regular file (every rank reads a part of its own)";
  if (info.st_size == 0) return "is empty";
  size = static_cast<std::uint64_t>(info.st_size);
  return nullptr;
}

}  // namespace

mapped_file::mapped_file(const std::string& path) {
  int descriptor = -1;
  const char* problem = open_regular(path, descriptor, size_);
  if (problem == nullptr && size_ != 0) {
    void* at = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at == MAP_FAILED) {
      problem = std::strerror(errno);
    } else {
      data_ = static_cast<const char*>(at);
    }
  }
  if (descriptor >= 0) close(descriptor);
  if (problem != nullptr) throw input_error(fmt::format("{}: {}", path, problem));
}

mapped_file::~mapped_file() { munmap(const_cast<char*>(data_), size_); }

}  // namespace kmer
