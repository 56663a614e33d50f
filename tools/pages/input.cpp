// SPDX-License-Identifier: Apache-2.0
#include "tools/pages/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "tools/cli/text_file.hpp"
#include "tools/pages/document.hpp"

namespace pages {
namespace {

using console::json;

constexpr std::uint64_t kVersion = 1;
constexpr std::ptrdiff_t kValuesMax = 2'000'000;  // of a hundred bytes or so each, once read
constexpr const char* kOurs =
    "it takes what ramjet characterize, bench, tam study, model and the apps print with --json";

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw input_error(name + " " + why);
}

// Nothing if the lines are not objects each.
std::vector<json> objects_of_lines(const std::string& name, const std::string& text) {
  std::vector<json> objects;
  unsigned number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::optional<json> one = json::parse(line);
    if (!one || !one->is_object()) {
      if (objects.empty()) return {};
      fail(name, fmt::format("is not JSON in line {}: it is damaged, or cut", number));
    }
    objects.push_back(std::move(*one));
  }
  return objects;
}

bool are_records(const json& list) {
  return !list.elements().empty() &&
         std::all_of(list.elements().begin(), list.elements().end(), [](const json& each) {
           return each["name"].is_string() && each["value"].is_number() &&
                  each["unit"].is_string() && each["params"].is_object();
         });
}

std::optional<kind> kind_of(const json& one) {
  if (one.is_array()) return are_records(one) ? std::optional(kind::bench) : std::nullopt;
  if (one["ratios"].is_array() && one["claims"].is_array()) return kind::study;
  if (one["machine"].is_object() && (one.contains("memory") || one.contains("near") ||
                                     one.contains("far") || one.contains("crowd")))
    return kind::characterization;
  if (one["places"].is_array() && one["seconds"].is_object()) return kind::programs;
  if (one["predictions"].is_array() && one["costs"].is_object()) return kind::model;
  if (one["ranks"].is_number()) return kind::app;
  return std::nullopt;
}

void check_version(const std::string& name, const json& one) {
  const json& version = one["version"];
  if (version.is_number() && version.as_double() > double(kVersion))
    fail(name, fmt::format("is of version {}, of a newer ramjet: this one reads version {}",
                           number(version.as_double()), kVersion));
}

}  // namespace

std::string input::shown_name() const { return std::filesystem::path(name).filename().string(); }

void refuse_input(const input& file, const std::string& what) {
  fail(file.name, fmt::format("is not what it seems ({}): {}", what, kOurs));
}

input input_of(const std::string& name, const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) fail(name, "is empty");
  if (text[begin] != '[' && text[begin] != '{') fail(name, fmt::format("is not JSON: {}", kOurs));
  const auto begins_value = [](char c) { return c == ',' || c == '[' || c == '{'; };
  if (std::count_if(text.begin(), text.end(), begins_value) > kValuesMax)
    fail(name, fmt::format("has too many values: more than {}", kValuesMax));
  input file{name, kind::app, {}};
  if (std::optional<json> whole = json::parse(text))
    file.runs.push_back(std::move(*whole));
  else
    file.runs = objects_of_lines(name, text);
  if (file.runs.empty()) fail(name, "is not complete JSON: it is damaged, or cut");
  for (const json& one : file.runs) {
    if (one.is_array())
      for (const json& each : one.elements()) check_version(name, each);
    else
      check_version(name, one);
    const std::optional<kind> what = kind_of(one);
    if (!what) fail(name, fmt::format("is not one of our results: {}", kOurs));
    file.what = *what;
    if (file.runs.size() > 1 && *what != kind::app)
      fail(name, "has several results: only those of apps may share a file");
  }
  return file;
}

input read_input(const std::string& name) {
  std::string problem;
  const std::optional<std::string> text = console::text_of_file(name, problem);
  if (!text) throw input_error(problem);
  return input_of(name, *text);
}

}  // namespace pages
