// SPDX-License-Identifier: Apache-2.0
#include "languages/support/source_lines.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace frontend {
namespace {

constexpr std::uint32_t kTabStop = 8;

// Nothing of what is not a regular file: a pipe has been read already.
std::string contents_of(const std::string& name) {
  struct stat about{};
  if (stat(name.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return "";
  std::ifstream in(name, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return std::move(all).str();
}

}  // namespace

source_lines::file_text::file_text(std::string all) : text(std::move(all)) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    starts.push_back(static_cast<std::uint32_t>(at));
    at = std::min(text.find('\n', at), text.size());
  }
}

void source_lines::add(std::string_view file, std::string text) {
  files_.insert_or_assign(std::string(file), file_text(std::move(text)));
}

std::optional<std::string_view> source_lines::line(std::string_view file, std::uint32_t number) {
  auto found = files_.find(file);
  if (found == files_.end())
    found = files_.emplace(file, file_text(contents_of(std::string(file)))).first;
  const auto& [text, starts] = found->second;
  if (number == 0 || number > starts.size()) return std::nullopt;
  std::string_view line = std::string_view(text).substr(starts[number - 1]);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_at(std::string_view line, std::uint32_t column, std::string_view text) {
  return column > 0 && column - 1 <= line.size() && line.substr(column - 1).starts_with(text);
}

std::uint32_t screen_column(std::string_view line, std::uint32_t column) {
  if (line.empty() || column == 0) return column;
  std::uint32_t shown = 0;
  for (std::size_t i = 0; i + 1 < column; ++i) {
    if (i >= line.size()) {
      ++shown;
    } else if (line[i] == '\t') {
      shown = (shown / kTabStop + 1) * kTabStop;
    } else if ((line[i] & 0xC0) != 0x80) {
      ++shown;
    }
  }
  return shown + 1;
}

std::string expanded(std::string_view line) {
  std::string text;
  std::uint32_t shown = 0;
  for (char c : line) {
    if (c == '\t') {
      const std::uint32_t next = (shown / kTabStop + 1) * kTabStop;
      text.append(next - shown, ' ');
      shown = next;
      continue;
    }
    text += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? '?' : c;
    if ((c & 0xC0) != 0x80) ++shown;
  }
  return text;
}

}  // namespace frontend
