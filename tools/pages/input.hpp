// SPDX-License-Identifier: Apache-2.0
// What our programs print with --json, read back from files that may be anything.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "tools/cli/json.hpp"

namespace pages {

// `programs` is what scripts/splitc-table prints.
enum class kind { bench, characterization, study, programs, model, app };

struct input {
  std::string name;  // of the file
  kind what = kind::app;
  std::vector<console::json> runs;  // one; of an app one for each line of the file, at least one

  std::string shown_name() const;  // without its folder
};

// One sentence that names the file and says what is wrong with it.
class input_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "-" is standard input. Throws input_error.
input read_input(const std::string& name);
// `text` is what the file has. Throws input_error.
input input_of(const std::string& name, const std::string& text);

// Throws input_error where the document's making met a value of the wrong kind.
[[noreturn]] void refuse_input(const input& file, const std::string& what);
// make(); throws input_error where that meets a value of another kind than it should have.
template <class Make>
auto guarded(const input& file, Make make) {
  try {
    return make();
  } catch (const console::json::wrong_kind& wrong) {
    refuse_input(file, wrong.what());
  }
}

}  // namespace pages
