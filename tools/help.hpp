// SPDX-License-Identifier: Apache-2.0
// The look of `--help` pages: a usage line of our own; descriptions wrapped beside their options.
#pragma once

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace tools {

class help_formatter : public CLI::Formatter {
 public:
  explicit help_formatter(std::string usage) : usage_(std::move(usage)) {}

  std::string make_usage(const CLI::App*, std::string) const override {
    return "usage: " + usage_ + "\n";
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    constexpr std::size_t kIndent = 28, kColumns = 100;
    std::string line = "  " + make_option_name(option, is_positional);
    if (!option->get_type_name().empty()) line += " " + option->get_type_name();
    std::string out;
    if (line.size() >= kIndent) out = std::exchange(line, "") + "\n";
    line.resize(kIndent, ' ');
    std::istringstream words(option->get_description());
    for (std::string word; words >> word;) {
      if (line.size() + 1 + word.size() > kColumns) {
        out += line + "\n";
        line.assign(kIndent, ' ');
      }
      if (line.size() > kIndent) line += ' ';
      line += word;
    }
    return out + line + "\n";
  }

 private:
  std::string usage_;
};

}  // namespace tools
