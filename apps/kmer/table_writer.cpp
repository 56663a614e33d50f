// SPDX-License-Identifier: Apache-2.0
#include "table_writer.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.hpp"
#include "table_blocks.hpp"

namespace kmer {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// What the user's umask leaves of the rights of a new file.
mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

table_writer::table_writer(std::string path, unsigned k, std::uint32_t bins)
    : path_(std::move(path)), folder_(folder_of(path_)), bins_(bins) {
  std::memcpy(header_.magic, kTableMagic, sizeof kTableMagic);
  header_.version = kTableVersion;
  header_.k = k;
  header_.bins = bins;
  header_.key_bytes = key_bytes_of(k);
  end_ = sizeof header_ + bins * sizeof(table_bin);
  struct stat info{};
  if (stat(path_.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    throw output_error("cannot write " + path_ + ": it is there, and is not a regular file");
  }
  descriptor_ = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
    std::string name = path_ + ".XXXXXX";
    descriptor_ = mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ >= 0) unfinished_ = name;
  }
  if (descriptor_ < 0) throw output_error("cannot write " + path_ + ": " + std::strerror(errno));
}

table_writer::~table_writer() {
  if (!unfinished_.empty()) unlink(unfinished_.c_str());
  close(descriptor_);
}

void table_writer::fail(int error) {
  if (problem_.empty()) problem_ = "cannot write " + path_ + ": " + std::strerror(error);
}

void table_writer::write_at(std::uint64_t offset, const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0 && problem_.empty()) {
    const ssize_t n = pwrite(descriptor_, at, count, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(n < 0 ? errno : ENOSPC);
    offset += static_cast<std::uint64_t>(n);
    at += n;
    count -= static_cast<std::size_t>(n);
  }
}

void table_writer::write(const bin_facts& what, std::uint64_t at, const char* bytes,
                         std::size_t count) {
  table_bin& bin = bins_[what.bin];
  if (bin.entries == 0) {
    bin = {end_, what.entries, what.count_bytes, 0};
    end_ += bin_bytes(what.entries, header_.key_bytes + what.count_bytes);
    header_.distinct += what.entries;
  }
  write_at(bin.offset + at, bytes, count);
}

void table_writer::finish() {
  header_.file_bytes = end_;
  header_.index_checksum = checksum_of(bins_.data(), bins_.size() * sizeof(table_bin));
  header_.checksum = checksum_of(&header_, offsetof(table_header, checksum));
  write_at(0, &header_, sizeof header_);
  write_at(sizeof header_, bins_.data(), bins_.size() * sizeof(table_bin));
  if (problem_.empty()) name_it();
  if (!problem_.empty()) throw output_error(problem_);
}

// link() does not replace a file, rename() does: so the name beside it comes first.
void table_writer::name_it() {
  if (unfinished_.empty()) {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
    const std::string name = path_ + "." + std::to_string(getpid());
    if (linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return fail(errno);
    }
    unfinished_ = name;
  } else if (fchmod(descriptor_, usual_mode()) != 0) {
    return fail(errno);
  }
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) return fail(errno);
  unfinished_.clear();
}

}  // namespace kmer
