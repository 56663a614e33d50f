// SPDX-License-Identifier: Apache-2.0
#include "unpacked_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <sys/stat.h>

#include "../measured/program.hpp"

namespace graph {
namespace {

constexpr std::size_t kPackedBytes = 64 * 1024;
constexpr int kGzipOnly = 16 + MAX_WBITS;  // what inflateInit2 calls "decode gzip only"
constexpr std::string_view kMagic = "\x1f\x8b";

// A folder can be opened, too, and a pipe could be read by one rank only.
std::FILE* open_regular(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0)
    throw measured::failure(fmt::format("{}: {}", path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode))
    throw measured::failure(fmt::format("{}: is not a regular file (every rank reads it)", path));
  std::FILE* const file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) throw measured::failure(fmt::format("{}: {}", path, std::strerror(errno)));
  return file;
}

}  // namespace

unpacked_file::unpacked_file(const std::string& path)
    : path_(path), file_(open_regular(path)), packed_(kPackedBytes) {
  is_gzip_ = view(kMagic.size()).starts_with(kMagic);
  if (is_gzip_ && inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

unpacked_file::~unpacked_file() {
  if (is_gzip_) inflateEnd(&stream_);
}

std::size_t unpacked_file::read(char* into, std::size_t room) {
  if (!is_gzip_) return read_plain(into, room);
  stream_.next_out = reinterpret_cast<Bytef*>(into);
  stream_.avail_out = static_cast<uInt>(room);
  while (stream_.avail_out > 0 && !is_ended_) inflate_some();
  return room - stream_.avail_out;
}

std::string_view unpacked_file::view(std::size_t bytes) {
  if (end_ - begin_ < bytes) {
    std::memmove(packed_.data(), packed_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const std::size_t more =
        std::fread(packed_.data() + end_, 1, packed_.size() - end_, file_.get());
    if (std::ferror(file_.get()) != 0) fail(std::strerror(errno));
    end_ += more;
    bytes_read_ += more;
  }
  return {packed_.data() + begin_, end_ - begin_};
}

std::size_t unpacked_file::read_plain(char* into, std::size_t room) {
  const std::string_view next = view(1).substr(0, room);
  std::copy(next.begin(), next.end(), into);
  begin_ += next.size();
  return next.size();
}

void unpacked_file::inflate_some() {
  const std::string_view next = view(1);
  stream_.next_in = reinterpret_cast<Bytef*>(packed_.data() + begin_);
  stream_.avail_in = static_cast<uInt>(next.size());
  const int code = inflate(&stream_, Z_NO_FLUSH);
  begin_ = end_ - stream_.avail_in;
  if (code == Z_STREAM_END) return end_member();
  if (code == Z_BUF_ERROR)
    fail(fmt::format("truncated: the gzip data ends too early, at byte {}", position()));
  if (code != Z_OK)
    fail(fmt::format("damaged gzip data, before byte {} ({})", position(),
                     stream_.msg != nullptr ? stream_.msg : zError(code)));
}

void unpacked_file::end_member() {
  if (view(kMagic.size()).starts_with(kMagic)) {
    inflateReset(&stream_);
    return;
  }
  is_ended_ = true;
  for (std::string_view rest = view(1); !rest.empty(); rest = view(1)) {
    const std::size_t other = rest.find_first_not_of('\0');
    if (other != rest.npos)
      fail(fmt::format("other data follows the gzip data, at byte {}", position() + other));
    begin_ = end_;
  }
}

void unpacked_file::fail(const std::string& what) const {
  throw measured::failure(fmt::format("{}: {}", path_, what));
}

}  // namespace graph
