// SPDX-License-Identifier: Apache-2.0
#include "table_writer.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "failure.hpp"
#include "table_blocks.hpp"

namespace kmer {
namespace {

// The path of a file that a table can be written to: it may be replaced, and read from any place.
std::string checked(std::string path) {
  struct stat info{};
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    throw output_error("cannot write " + path + ": it is there, and is not a regular file");
  }
  return path;
}

}  // namespace

table_writer::table_writer(std::string path, unsigned k, std::uint32_t bins)
    : path_(checked(std::move(path))), file_(path_), bins_(bins) {
  std::memcpy(header_.magic, kTableMagic, sizeof kTableMagic);
  header_.version = kTableVersion;
  header_.k = k;
  header_.bins = bins;
  header_.key_bytes = key_bytes_of(k);
  end_ = sizeof header_ + bins * sizeof(table_bin);
  if (file_.error() != 0) {
    throw output_error("cannot write " + path_ + ": " + std::strerror(file_.error()));
  }
}

void table_writer::fail(int error) {
  if (problem_.empty()) problem_ = "cannot write " + path_ + ": " + std::strerror(error);
}

void table_writer::write_at(std::uint64_t offset, const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0 && problem_.empty()) {
    const ssize_t n = pwrite(file_.descriptor(), at, count, static_cast<off_t>(offset));
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
  if (problem_.empty()) {
    if (const int error = file_.finish(); error != 0) fail(error);
  }
  if (!problem_.empty()) throw output_error(problem_);
}

}  // namespace kmer
