// SPDX-License-Identifier: Apache-2.0
// `ramjet info`: what this machine, its limits and this build offer to a job.
#include <fmt/format.h>
#include <string>

#include "base/profile_file.hpp"
#include "base/settings.hpp"
#include "tools/characterize/report/choices.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/environment.hpp"
#include "tools/command/output.hpp"

namespace {

using console::json;

std::string shown(const json& value) {
  if (value.is_string()) return value.as_text();
  if (value.is_boolean()) return value.as_bool() ? "yes" : "no";
  if (value.is_null()) return "none";
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const json& each : value.elements()) list += (list.empty() ? "" : ", ") + shown(each);
  return list.empty() ? "none" : list;
}

std::string line(const std::string& name, const std::string& text) {
  return fmt::format("  {:<24} {}\n", name, text);
}

// A setting of the environment: its value, and below what it means.
std::string lines_of_setting(const std::string& name, const json& s) {
  const bool is_default = s["value"] == s["default"];
  const std::string value = shown(s["value"]);
  return line(name, (value.empty() ? "empty" : value) + (is_default ? " (default)" : "")) +
         line("", shown(s["meaning"]));
}

// "open_files" -> "open files"; byte counts are shown in binary units.
std::string line_of_fact(std::string name, const json& value) {
  std::string text = shown(value);
  constexpr std::string_view kBytes = "_bytes";
  if (name.size() > kBytes.size() && name.ends_with(kBytes)) {
    name.resize(name.size() - kBytes.size());
    if (value.is_number()) text = tools::bytes_text(value.as_count());
  }
  for (char& c : name) c = c == '_' ? ' ' : c;
  return line(name, text);
}

std::string as_text(json everything) {
  json& build = everything["build"];
  build["channels"] = fmt::format("{} ({}: for tests)", shown(build["channels"]),
                                  shown(build["channels_for_tests"]));
  build.erase("channels_for_tests");
  std::string text;
  for (const auto& [title, group] : everything.members()) {
    text += title + "\n";
    for (const auto& [name, value] : group.members())
      text += value.is_object() ? lines_of_setting(name, value) : line_of_fact(name, value);
  }
  return text;
}

std::string as_json_text(const json& everything) { return everything.dump(2) + "\n"; }

// As a job would find it that is started here.
int show_profile(bool as_json) {
  ramjet::base::settings settings{};
  std::string problem;
  if (!ramjet::base::read_settings(settings, problem)) {
    fmt::print(stderr, "ramjet info: {}\n", problem);
    return 1;
  }
  const auto found = ramjet::base::find_profile(settings.profile);
  return tools::print(as_json ? as_json_text(characterize::as_json(found))
                              : characterize::text_of(found));
}

}  // namespace

int info_command(int argc, char** argv) {
  console::command_line line("ramjet info",
                             "Shows what this machine, its limits and this build offer to a job.",
                             "usage: ramjet info [--profile] [--json]", "");
  bool as_json = false;
  line.flag("--json", "print one JSON object; sizes in bytes", as_json);
  bool profile = false;
  line.flag(
      "--profile",
      "by which figures of this machine a job chooses among its ways, and where they are from",
      profile);
  if (const auto status = tools::read("ramjet info", line, argc, argv)) return *status;
  if (profile) return show_profile(as_json);
  const json everything = tools::describe_environment();
  return tools::print(as_json ? as_json_text(everything) : as_text(everything));
}
