// SPDX-License-Identifier: Apache-2.0
// A program's command line: its options, its help, and what is wrong with what was typed, in one
// sentence. Options are read by CLI11, which only command_line.cpp includes: it costs a source that
// sees it more to compile than all else in it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace console {

// What is wrong with the command line: one sentence that names the option.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// The command line asks for the help that this carries.
class help_wanted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class command_line {
 public:
  // `usage` is the first line of the help, after `about`; `footer` its end.
  command_line(const std::string& name, const std::string& about, const std::string& usage,
               const std::string& footer);
  ~command_line();

  // `type` stands for the value in the help. Values are kept as they were typed, for checks that
  // say in the program's own words what is wrong; an empty one is none, and is refused. Of an
  // option that is repeated the last counts.
  void word(const std::string& option, const char* type, const std::string& what,
            std::string& value);
  // An option that may be repeated, for one value each.
  void words(const std::string& option, const char* type, const std::string& what,
             std::vector<std::string>& values);
  // What is typed without an option.
  void positional(const std::string& name, const std::string& what,
                  std::vector<std::string>& values);
  void flag(const std::string& name, const std::string& what, bool& value);

  // Fills in the values. Throws usage_error or help_wanted. argv[0] is not read.
  void read(int argc, const char* const* argv);

  // Whether the option was among the words, once they are read.
  bool is_given(const std::string& option) const;
  // The index of the first word that is not an option, nor the value of one, or that is "--"; argc
  // if there is none. argv[0] is not read.
  int first_of_program(int argc, const char* const* argv) const;

 private:
  struct parser;

  std::unique_ptr<parser> parser_;
};

// The number that all of the word stands for; false if it stands for none, or is out of range.
bool read_number(const std::string& word, long long& value);
bool read_number(const std::string& word, double& value);

}  // namespace console
