// SPDX-License-Identifier: Apache-2.0
// The text of one file, and the places of its bytes: a tree needs to keep offsets only.
#ifndef FRONTEND_SOURCE_TEXT_HPP
#define FRONTEND_SOURCE_TEXT_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "languages/support/messages.hpp"

namespace frontend {

class source_text {
 public:
  source_text(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  // Of `width` bytes from the offset, as far as the line goes. The places' views end with this.
  place place_of(std::uint32_t offset, std::uint32_t width = 1) const;
  std::uint32_t line_of(std::uint32_t offset) const;  // from 1
  // The same, and the offsets of the line and of the next one.
  struct line_range {
    std::uint32_t line, begin, end;
  };
  line_range line_at(std::uint32_t offset) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::uint32_t> starts_;  // offsets of the lines
};

}  // namespace frontend

#endif
