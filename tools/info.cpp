// SPDX-License-Identifier: Apache-2.0
// `ramjet info`: what this machine, its limits and this build offer to a job.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line.hpp"
#include "commands.hpp"
#include "environment.hpp"
#include "help.hpp"
#include "output.hpp"

namespace {

using json = nlohmann::ordered_json;

std::string shown(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_null()) return "none";
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const json& each : value) list += (list.empty() ? "" : ", ") + shown(each);
  return list.empty() ? "none" : list;
}

std::string line(const std::string& name, const std::string& text) {
  return fmt::format("  {:<24} {}\n", name, text);
}

// A setting of the environment: its value, and below what it means.
std::string lines_of_setting(const std::string& name, const json& s) {
  const bool is_default = s["value"] == s["default"];
  return line(name, shown(s["value"]) + (is_default ? " (default)" : "")) +
         line("", shown(s["meaning"]));
}

// "open_files" -> "open files"; byte counts are shown in binary units.
std::string line_of_fact(std::string name, const json& value) {
  std::string text = shown(value);
  constexpr std::string_view kBytes = "_bytes";
  if (name.size() > kBytes.size() && name.ends_with(kBytes)) {
    name.resize(name.size() - kBytes.size());
    if (value.is_number()) text = tools::bytes_text(value.get<std::uint64_t>());
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
  for (const auto& [title, group] : everything.items()) {
    text += title + "\n";
    for (const auto& [name, value] : group.items())
      text += value.is_object() ? lines_of_setting(name, value) : line_of_fact(name, value);
  }
  return text;
}

std::string as_json_text(const json& everything) {
  return everything.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace

int info_command(int argc, char** argv) {
  CLI::App app("Shows what this machine, its limits and this build offer to a job.", "ramjet info");
  app.formatter(std::make_shared<tools::help_formatter>("ramjet info [--json]"));
  bool as_json = false;
  app.add_flag("--json", as_json, "print one JSON object; sizes in bytes");
  if (const auto status = tools::parse(app, argc, argv)) return *status;
  const json everything = tools::describe_environment();
  return tools::print(as_json ? as_json_text(everything) : as_text(everything));
}
