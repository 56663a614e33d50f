// SPDX-License-Identifier: Apache-2.0
// `ramjet info`: what this machine, its limits and this build offer to a job.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.hpp"
#include "environment.hpp"
#include "help.hpp"

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

// "nproc_soft" -> "nproc soft"; byte counts are shown in binary units.
void print_group(const std::string& title, const json& group) {
  fmt::print("{}\n", title);
  for (const auto& [key, value] : group.items()) {
    std::string name = key;
    std::string text = shown(value);
    constexpr std::string_view kBytes = "_bytes";
    if (name.size() > kBytes.size() && name.ends_with(kBytes)) {
      name.resize(name.size() - kBytes.size());
      if (value.is_number()) text = tools::bytes_text(value.get<std::uint64_t>());
    }
    const bool is_variable = name.starts_with("RAMJET_");
    for (char& c : name) c = c == '_' && !is_variable ? ' ' : c;
    fmt::print("  {:<24} {}\n", name, text);
  }
}

}  // namespace

int info_command(int argc, char** argv) {
  CLI::App app("Shows what this machine, its limits and this build offer to a job.", "ramjet info");
  app.formatter(std::make_shared<tools::help_formatter>("ramjet info [--json]"));
  bool as_json = false;
  app.add_flag("--json", as_json, "print one JSON object; sizes in bytes");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "ramjet info: {} (see ramjet info --help)\n", error.what());
    return 2;
  }
  const json everything = tools::describe_environment();
  if (as_json) {
    fmt::print("{}\n", everything.dump(2));
    return 0;
  }
  for (const auto& [title, group] : everything.items()) print_group(title, group);
  return 0;
}
