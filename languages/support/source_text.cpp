// SPDX-License-Identifier: Apache-2.0
#include "languages/support/source_text.hpp"

#include <algorithm>

namespace frontend {

source_text::source_text(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), starts_{0} {
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    starts_.push_back(static_cast<std::uint32_t>(at + 1));
}

std::uint32_t source_text::line_of(std::uint32_t offset) const {
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<std::uint32_t>(next - starts_.begin());
}

source_text::line_range source_text::line_at(std::uint32_t offset) const {
  const std::uint32_t line = line_of(offset);
  const bool is_last = line == starts_.size();
  return {line, starts_[line - 1],
          is_last ? static_cast<std::uint32_t>(text_.size()) + 1 : starts_[line]};
}

place source_text::place_of(std::uint32_t offset, std::uint32_t width) const {
  place where;
  where.file = name_;
  where.line = line_of(offset);
  const std::uint32_t start = starts_[where.line - 1];
  where.source = std::string_view(text_).substr(start);
  where.source = where.source.substr(0, where.source.find('\n'));
  if (where.source.ends_with('\r')) where.source.remove_suffix(1);
  where.column = offset - start + 1;
  const std::size_t room =
      where.source.size() + 1 - std::min<std::size_t>(where.column, where.source.size());
  where.width = static_cast<std::uint32_t>(std::clamp<std::size_t>(width, 1, room));
  return where;
}

}  // namespace frontend
