// SPDX-License-Identifier: Apache-2.0
// A command line of numbers and flags. Numbers are typed as 1000000 or 1e6. What is wrong is thrown
// as one line that names the option and what it takes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "program.hpp"
#include "tools/cli/command_line.hpp"

namespace measured {

// What a number may be.
struct range {
  std::uint64_t least = 1;
  std::uint64_t most = UINT32_MAX;
};

// The whole number that a word stands for; false if it stands for none.
bool read_number(std::string_view word, std::uint64_t& number);

// The numbers of a word with commas between them; throws usage_error.
std::vector<std::uint64_t> checked_numbers(const std::string& flag, const std::string& word,
                                           range r);

// The places of the words in `names`, each at most once; throws usage_error.
std::vector<std::size_t> checked_names(const std::string& flag, const std::string& word,
                                       const std::vector<std::string>& names);

class command_line {
 public:
  command_line(const std::string& name, const std::string& about, const std::string& examples);

  // `value` keeps its default, which the help names, if the option is not given.
  void number(const std::string& flag, std::uint64_t& value, range r, const std::string& what,
              const char* type = "N");
  // Several of them, with commas between.
  void numbers(const std::string& flag, std::vector<std::uint64_t>& values, range r,
               const std::string& what);
  // Any word. If the option is given, interpret(word) reads it, or throws usage_error.
  void word(const std::string& flag, const char* type, const std::string& what,
            std::function<void(const std::string&)> interpret);
  // Some of `all`, whose names name_of() tells, with commas between; each at most once.
  template <class Choice, std::size_t N>
  void names(const std::string& flag, const std::array<Choice, N>& all, std::vector<Choice>& chosen,
             const std::string& what);
  void flag(const std::string& name, bool& value, const std::string& what);

  // Whether the option was among the words, once they are read.
  bool is_given(const std::string& flag) const;

  // Throws usage_error or help_wanted.
  void read(int argc, char** argv);

 private:
  // An option as it was typed: our own checks say better what is wrong.
  struct typed {
    std::string flag, word;
    std::function<void(const std::string&)> interpret;
  };

  console::command_line line_;
  std::list<typed> words_;  // line_ keeps references to them
};

template <class Choice, std::size_t N>
void command_line::names(const std::string& flag, const std::array<Choice, N>& all,
                         std::vector<Choice>& chosen, const std::string& what) {
  word(flag, "NAME,...", what + "; default all", [flag, all, &chosen](const std::string& text) {
    std::vector<std::string> known;
    for (const Choice c : all) known.emplace_back(name_of(c));
    chosen.clear();
    for (const std::size_t at : checked_names(flag, text, known)) chosen.push_back(all[at]);
  });
}

}  // namespace measured
