// SPDX-License-Identifier: Apache-2.0
#include "text_lines.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/stat.h>

#include "../measured/program.hpp"

namespace graph {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;
constexpr std::size_t kLineBytesMax = 64 * 1024;

// zlib opens folders, too, and a pipe could be read by one rank only.
void check_is_file(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0)
    throw measured::failure(fmt::format("{}: {}", path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode))
    throw measured::failure(fmt::format("{}: is not a regular file (every rank reads it)", path));
}

}  // namespace

text_lines::text_lines(const std::string& path) : path_(path), block_(kBlockBytes) {
  check_is_file(path);
  file_ = gzopen(path.c_str(), "rb");
  if (file_ == nullptr) throw measured::failure(fmt::format("{}: {}", path, std::strerror(errno)));
}

text_lines::~text_lines() { gzclose(file_); }

bool text_lines::next(std::string_view& line) {
  for (;;) {
    const char* from = block_.data() + begin_;
    const auto* end = static_cast<const char*>(std::memchr(from, '\n', end_ - begin_));
    if (end == nullptr) {
      if (end_ - begin_ > kLineBytesMax) {
        ++number_;
        fail(fmt::format("is longer than {} bytes: this is not text", kLineBytesMax));
      }
      if (refill()) continue;
      if (begin_ == end_) return false;
      from = block_.data();  // where refill() has put what is left:
      end = from + end_;     // the last line has no end of its own
    }
    line = {from, static_cast<std::size_t>(end - from)};
    begin_ = std::min(end_, begin_ + line.size() + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
}

bool text_lines::refill() {
  std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const int bytes =
      gzread(file_, block_.data() + end_, static_cast<unsigned>(block_.size() - end_));
  int code = Z_OK;
  if (bytes <= 0) gzerror(file_, &code);
  if (bytes < 0 || code < 0) fail_reading();  // Z_BUF_ERROR: the data ends within a member
  end_ += static_cast<std::size_t>(bytes);
  return bytes > 0;
}

void text_lines::fail_reading() const {
  int code = Z_OK;
  const char* const text = gzerror(file_, &code);
  throw measured::failure(
      code == Z_BUF_ERROR
          ? fmt::format("{}: truncated: the gzip data ends too early", path_)
          : fmt::format("{}: {}", path_, code == Z_ERRNO ? std::strerror(errno) : text));
}

void text_lines::fail(const std::string& what) const {
  throw measured::failure(fmt::format("{}:{}: {}", path_, number_, what));
}

}  // namespace graph
