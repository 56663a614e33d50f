// SPDX-License-Identifier: Apache-2.0
// A program for `ramjet run` from one unit in C over ramjet/tam.h.
#ifndef FRONTEND_TOOLCHAIN_TAM_PROGRAM_HPP
#define FRONTEND_TOOLCHAIN_TAM_PROGRAM_HPP

#include <string>
#include <string_view>
#include <vector>

#include "languages/support/toolchain/temporary_files.hpp"

namespace frontend {

struct tam_program_options {
  std::string scheduler = "am";
  std::string optimisation = "-O2";
  std::vector<std::string> compiler_words;  // -g, -DNAME
  bool verbose = false;                     // says the command on standard error
  std::string given;                        // the last option that was read
};

// The lines of a compiler's help about them.
extern const std::string_view kTamProgramHelp;

// Takes --scheduler=NAME, -O..., -g..., -D..., -v; false for other words. Throws usage_error
// for a scheduler that there is not.
bool read_option(const std::string& word, tam_program_options& to);
// As they are spelled, for suggestions.
const std::vector<std::string_view>& tam_program_option_names();

// False if the C compiler refused it, which says why. Throws failure. `source`: what the unit was
// made from, "-" for standard input; `tool`: the compiler's name, a literal.
bool make_tam_program(const char* tool, std::string_view unit, const std::string& source,
                      const tam_program_options& options, const std::string& output);
// The same, where there are temporary files already.
bool make_tam_program(const char* tool, std::string_view unit, const std::string& source,
                      const tam_program_options& options, const std::string& output,
                      temporary_files& temporaries);

}  // namespace frontend

#endif
