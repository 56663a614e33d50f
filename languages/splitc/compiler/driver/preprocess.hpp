// SPDX-License-Identifier: Apache-2.0
// The system preprocessor (`cc -E`), and strings that go on over ends of lines, which it does not
// know: those are rewritten for it first.
#ifndef SPLITCC_DRIVER_PREPROCESS_HPP
#define SPLITCC_DRIVER_PREPROCESS_HPP

#include <optional>
#include <string>

#include "languages/splitc/compiler/driver/command_line.hpp"
#include "languages/splitc/compiler/driver/toolchain.hpp"

namespace splitcc::driver {

struct preprocessing {
  const options& asked;
  const installation& places;
  temporary_files& temporaries;
  std::string source;     // "-": standard input
  std::string object;     // the target of dependencies, unless they name others
  diagnostics& report;
};

enum class kind_of_run {
  as_asked,
  look,  // for missing quotes: with places in bytes, and with #define lines; writes no dependencies
};
command preprocessor_command(const preprocessing& p, const std::string& source, kind_of_run kind);

// The preprocessed text; of -M the dependencies. Nothing if there were errors, which are printed.
std::optional<std::string> preprocess(const preprocessing& p);

}  // namespace splitcc::driver

#endif
