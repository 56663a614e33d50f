// SPDX-License-Identifier: Apache-2.0
#include "text_file.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "bgzip_text.hpp"
#include "letters.hpp"
#include "regular_file.hpp"
#include "text_stream.hpp"

namespace kmer {

namespace {

class plain_text final : public text_file {
 public:
  explicit plain_text(std::unique_ptr<regular_file> file) : file_(std::move(file)) {}
  std::uint64_t size() const override { return file_->size(); }
  void read(std::uint64_t offset, char* into, std::size_t bytes) override {
    file_->read(offset, into, bytes);
  }

 private:
  std::unique_ptr<regular_file> file_;
};

}  // namespace

opened_text open_text(const std::string& path) {
  auto file = std::make_unique<regular_file>(path);
  const std::uint64_t bytes = file->size();
  char first[bgzip_text::kHeaderBytes] = {};
  const std::size_t known = std::min<std::uint64_t>(bytes, sizeof first);
  file->read(0, first, known);
  if (!is_gzip({first, known})) return {std::make_unique<plain_text>(std::move(file)), bytes};
  if (!bgzip_text::is_header({first, known})) return {nullptr, bytes};
  auto blocks = std::make_unique<bgzip_text>(std::move(file));
  if (!blocks->is_whole()) return {nullptr, bytes};
  return {std::move(blocks), bytes};
}

void text_window::load(std::uint64_t offset) {
  begin_ = offset / kBytes * kBytes;
  bytes_ = std::min<std::uint64_t>(kBytes, text_.size() - begin_);
  text_.read(begin_, buffer_.data(), bytes_);
}

std::uint64_t text_window::line_end(std::uint64_t offset) {
  while (offset < size()) {
    at(offset);
    const char* const from = buffer_.data() + (offset - begin_);
    const char* const end = buffer_.data() + bytes_;
    const char* const found = std::find_if(from, end, is_line_end);
    offset += static_cast<std::uint64_t>(found - from);
    if (found == end) continue;
    ++offset;
    return *found == '\r' && offset < size() && at(offset) == '\n' ? offset + 1 : offset;
  }
  return size();
}

std::uint64_t text_window::line_begin(std::uint64_t offset) {
  if (offset == size() && offset > 0 && is_line_end(at(offset - 1))) return offset;
  if (offset == size() && offset > 0) --offset;
  while (offset > 0 && !is_behind_line_end(offset)) --offset;
  return offset;
}

std::uint64_t text_window::visible_from(std::uint64_t offset) {
  while (offset < size() && is_blank(at(offset))) ++offset;
  return offset;
}

}  // namespace kmer
