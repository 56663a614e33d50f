// SPDX-License-Identifier: Apache-2.0
#include "spill_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace kmer {

spill_file::~spill_file() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool spill_file::fail(const char* what, int error) {
  if (problem_.empty()) {
    problem_ = "cannot " + std::string(what) + " a temporary file in " + folder_ + ": " +
               std::strerror(error) +
               (error == ENOSPC ? " (--temporary names another folder, --memory allows more)" : "");
  }
  return false;
}

bool spill_file::make() {
  descriptor_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return true;
  if (errno != EOPNOTSUPP && errno != EISDIR) return fail("make", errno);
  // A file system that has no files without names: the name lives for a moment.
  std::string name = folder_ + "/kmer-XXXXXX";
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) return fail("make", errno);
  unlink(name.c_str());
  return true;
}

bool spill_file::append(std::span<const iovec> pieces) {
  if (!problem_.empty() || (descriptor_ < 0 && !make())) return false;
  std::vector<iovec> rest(pieces.begin(), pieces.end());
  for (std::size_t first = 0; first < rest.size();) {
    const ssize_t n = pwritev(descriptor_, rest.data() + first,
                              static_cast<int>(rest.size() - first), static_cast<off_t>(bytes_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail("write", n < 0 ? errno : ENOSPC);
    bytes_ += static_cast<std::uint64_t>(n);
    auto written = static_cast<std::size_t>(n);
    while (first < rest.size() && written >= rest[first].iov_len) written -= rest[first++].iov_len;
    if (written > 0) {
      rest[first].iov_base = static_cast<char*>(rest[first].iov_base) + written;
      rest[first].iov_len -= written;
    }
  }
  return true;
}

bool spill_file::read(std::uint64_t offset, char* into, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t n = pread(descriptor_, into, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail("read", n < 0 ? errno : EIO);
    offset += static_cast<std::uint64_t>(n);
    into += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace kmer
