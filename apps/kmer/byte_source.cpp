// SPDX-License-Identifier: Apache-2.0
#include "byte_source.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "failure.hpp"

namespace kmer {

byte_source::byte_source(const std::string& path)
    : name_(path == kStandardInput ? "standard input" : path), buffer_(kBufferBytes) {
  if (path == kStandardInput) return;
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw input_error(name_ + ": " + std::strerror(errno));
}

byte_source::~byte_source() {
  if (descriptor_ > 0) close(descriptor_);
}

std::string_view byte_source::view() { return view(1); }

std::string_view byte_source::view(std::size_t bytes) {
  if (end_ - begin_ < bytes && begin_ + bytes > buffer_.size()) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (begin_ == end_) begin_ = end_ = 0;
  while (end_ - begin_ < bytes) {
    const ssize_t n = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw input_error(name_ + ": " + std::strerror(errno));
    if (n == 0) break;
    end_ += static_cast<std::size_t>(n);
    read_ += static_cast<std::uint64_t>(n);
  }
  return {buffer_.data() + begin_, end_ - begin_};
}

}  // namespace kmer
