// SPDX-License-Identifier: Apache-2.0
// A command line of numbers and flags. Numbers are typed as 1000000 or 1e6. What is wrong is thrown
// as one line that names the option and what it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "console/command_line.hpp"
#include "program.hpp"

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

}  // namespace measured
