// SPDX-License-Identifier: Apache-2.0
#include "text_lines.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "../measured/program.hpp"
#include "../measured/text_encoding.hpp"
#include "tools/cli/printable.hpp"

namespace graph {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;
constexpr std::size_t kEncodingBytes = 4;  // tell the encoding

}  // namespace

text_lines::text_lines(const std::string& path, std::size_t line_bytes_max)
    : path_(path), line_bytes_max_(line_bytes_max), file_(path), block_(kBlockBytes) {
  while (end_ < kEncodingBytes && refill()) continue;
  const std::string problem = measured::encoding_problem({block_.data(), end_});
  if (!problem.empty()) throw measured::failure(fmt::format("{}: {}", path, problem));
}

bool text_lines::next(std::string_view& line) {
  for (;;) {
    if (after_cr_ && begin_ < end_) {
      after_cr_ = false;
      if (block_[begin_] == '\n') ++begin_;
    }
    const std::string_view left(block_.data() + begin_, end_ - begin_);
    std::size_t bytes = left.find('\n');
    bytes = std::min(bytes, left.substr(0, bytes).find('\r'));
    if (bytes == left.npos) {
      if (left.size() > line_bytes_max_) {
        ++number_;
        fail(fmt::format("is longer than {} bytes: this is not text", line_bytes_max_));
      }
      if (refill()) continue;
      if (begin_ == end_) return false;
      bytes = end_ - begin_;  // the last line has no end of its own
    }
    line = {block_.data() + begin_, bytes};
    after_cr_ = begin_ + bytes < end_ && block_[begin_ + bytes] == '\r';
    begin_ = std::min(end_, begin_ + bytes + 1);
    ++number_;
    return true;
  }
}

bool text_lines::refill() {
  std::memmove(block_.data(), block_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == block_.size()) block_.resize(2 * block_.size());
  const std::size_t bytes = file_.read(block_.data() + end_, block_.size() - end_);
  end_ += bytes;
  return bytes > 0;
}

void text_lines::fail(const std::string& what) const {
  // What stands in the file may have a byte of 0, where the text of an exception would end.
  throw measured::failure(fmt::format("{}:{}: {}", path_, number_, console::printable(what)));
}

}  // namespace graph
