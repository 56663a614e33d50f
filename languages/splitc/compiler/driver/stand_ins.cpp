// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/stand_ins.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "languages/splitc/compiler/driver/raw_strings.hpp"
#include "languages/support/files.hpp"

namespace splitcc::driver {
namespace {

namespace fs = std::filesystem;

// Of a text, the line with that number, its newline not included.
struct extent {
  std::size_t begin = 0, end = 0;
};
std::optional<extent> extent_of_line(std::string_view text, std::uint32_t number) {
  std::size_t begin = 0;
  for (std::uint32_t line = 1; line < number; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return std::nullopt;
    ++begin;
  }
  return extent{begin, std::min(text.find('\n', begin), text.size())};
}

// `./x.h` is x.h.
std::string normal(const std::string& file) { return fs::path(file).lexically_normal().string(); }

struct open_file {
  std::string name;
  bool is_system = false;
};

// The files that are open where a line mark stands, innermost last.
void follow(const line_mark& mark, std::vector<open_file>& open, std::vector<inclusion>& found) {
  if (mark.enters || open.empty()) {
    open.push_back({std::string(mark.file), mark.is_system});
    return;
  }
  if (mark.returns) {
    const open_file left = open.back();
    open.pop_back();
    if (!left.is_system && !mark.is_system && mark.line > 1)
      found.push_back({std::string(mark.file), mark.line - 1, left.name});
    if (!open.empty()) return;
  }
  // What stands in for a file says so in its first line.
  if (open.empty()) open.push_back({});
  open.back() = {std::string(mark.file), mark.is_system};
}

}  // namespace

std::vector<inclusion> inclusions(std::string_view output) {
  std::vector<inclusion> found;
  std::vector<open_file> open;
  for (std::size_t at = 0; at < output.size();)
    if (const auto mark = read_line_mark(next_line(output, at))) follow(*mark, open, found);
  return found;
}

std::string including(std::string_view line, std::string_view path) {
  const std::size_t open = line.find_first_of("\"<");
  if (open == std::string_view::npos) return "";
  const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
  if (close == std::string_view::npos) return "";
  return std::string(line.substr(0, open)) + '"' + std::string(path) + '"' +
         std::string(line.substr(close + 1));
}

stand_ins::stand_ins(temporary_files& temporaries, const std::string& main, std::string text)
    : temporaries_(temporaries), main_(normal(main)), main_text_(std::move(text)) {}

std::string stand_ins::path_of(const std::string& file) const {
  const auto found = files_.find(normal(file));
  return found == files_.end() ? "" : found->second.path;
}

std::string stand_ins::behind(const std::string& name) const {
  for (const auto& [file, stand_in] : files_)
    if (stand_in.path == name) return file;
  return normal(name);
}

std::set<std::string> stand_ins::folders() const {
  std::set<std::string> all;
  for (const auto& [file, stand_in] : files_) {
    const std::string folder = fs::path(file).parent_path().string();
    all.insert(folder.empty() ? "." : folder);
  }
  return all;
}

std::string stand_ins::text_of(const std::string& file) const {
  if (const auto found = files_.find(normal(file)); found != files_.end())
    return found->second.text;
  return normal(file) == main_ ? main_text_ : frontend::read_file(file);
}

void stand_ins::replace(const std::string& file, std::string text) {
  replaced& stand_in = files_[normal(file)];
  if (stand_in.path.empty())
    stand_in.path =
        temporaries_.name(fs::path(file).stem().string(), normal(file) == main_ ? ".c" : ".h");
  stand_in.text = std::move(text);
}

// True if the line has changed.
bool stand_ins::lead(const inclusion& i) {
  const std::string path = path_of(behind(i.file)), by = behind(i.by);
  std::error_code wrong;
  if (path.empty() || by == behind(i.file) || (by != main_ && !fs::is_regular_file(by, wrong)))
    return false;
  std::string text = text_of(by);
  const auto where = extent_of_line(text, i.line);
  if (!where) return false;
  const std::string_view line =
      std::string_view(text).substr(where->begin, where->end - where->begin);
  const std::string changed = including(line, path);
  if (changed.empty() || changed == line) return false;
  text.replace(where->begin, line.size(), changed);
  replace(by, std::move(text));
  return true;
}

bool stand_ins::lead_to_them(const std::vector<inclusion>& all) {
  bool changed = false;
  for (bool again = true; again; changed |= again) {
    again = false;
    for (const inclusion& i : all) again |= lead(i);
  }
  return changed;
}

void stand_ins::write() const {
  for (const auto& [file, stand_in] : files_)
    frontend::write_file(stand_in.path, "# 1 \"" + file + "\"\n" + stand_in.text);
}

void stand_ins::rename_in(std::string& text) const {
  for (const auto& [file, stand_in] : files_)
    for (std::size_t at = 0; (at = text.find(stand_in.path, at)) != std::string::npos;) {
      text.replace(at, stand_in.path.size(), file);
      at += file.size();
    }
}

}  // namespace splitcc::driver
