// SPDX-License-Identifier: Apache-2.0
#include "text_lines.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "../measured/program.hpp"
#include "console/printable.hpp"

namespace graph {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;
constexpr std::size_t kLineBytesMax = 64 * 1024;

}  // namespace

text_lines::text_lines(const std::string& path)
    : path_(path), file_(path), block_(kBlockBytes) {}

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
  const std::size_t bytes = file_.read(block_.data() + end_, block_.size() - end_);
  end_ += bytes;
  return bytes > 0;
}

void text_lines::fail(const std::string& what) const {
  // What stands in the file may have a byte of 0, where the text of an exception would end.
  throw measured::failure(
      fmt::format("{}:{}: {}", path_, number_, console::printable(what)));
}

}  // namespace graph
