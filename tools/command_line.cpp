// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <cstdio>
#include <string_view>

#include "commands.hpp"
#include "output.hpp"

namespace tools {
namespace {

// The name of an option that is given a value, as --json=3, and takes none; else empty.
std::string flag_with_value(const CLI::App& app, int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    if (!word.starts_with("--") || word.find('=') == word.npos) continue;
    const std::string name(word.substr(0, word.find('=')));
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option != nullptr && option->get_items_expected_max() == 0) return name;
  }
  return {};
}

}  // namespace

std::optional<int> parse(CLI::App& app, int argc, const char* const* argv) {
  if (const std::string name = flag_with_value(app, argc, argv); !name.empty())
    return refuse(app, name + " takes no value");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return print(app.help());
  } catch (const CLI::ExtrasError&) {
    const std::string word = app.remaining().front();
    const bool is_option = word.size() > 1 && word[0] == '-';
    return refuse(app, (is_option ? "unknown option '" : "unexpected argument '") + word + "'");
  } catch (const CLI::ArgumentMismatch&) {
    return refuse(app, std::string(argv[argc - 1]) + " needs a value");  // the words ran out
  } catch (const CLI::ParseError& error) {
    return refuse(app, error.what());
  }
  return std::nullopt;
}

int refuse(const CLI::App& app, const std::string& sentence) {
  const std::string& name = app.get_name();
  std::fprintf(stderr, "%s: %s (see %s --help)\n", name.c_str(), sentence.c_str(), name.c_str());
  return kUsageStatus;
}

}  // namespace tools
