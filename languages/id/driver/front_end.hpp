// SPDX-License-Identifier: Apache-2.0
// A program on its way through the stages of the front end.
#ifndef IDC_DRIVER_FRONT_END_HPP
#define IDC_DRIVER_FRONT_END_HPP

#include <string>

#include "languages/id/core/core.hpp"
#include "languages/id/emit/emit.hpp"
#include "languages/id/infer/infer.hpp"
#include "languages/id/parse/parser.hpp"
#include "languages/support/source_text.hpp"

namespace idc::driver {

extern const char* const kPrelude;

class front_end {
 public:
  front_end(std::string name, std::string text, frontend::message_options options);

  // Parses, resolves and types. False: there were errors, which are reported.
  bool check();
  // After check(): to the kernel language. False: there is no main. The tree is gone then.
  bool lower();

  const program& tree() const { return user_; }
  const core::program& core() const { return core_; }
  type_store& types() { return types_; }
  frontend::messages& report() { return report_; }
  frontend::place place_of(position p) const;
  emit::line_of_source line_of(position p) const;  // the same, soon

 private:
  bool check(program& p);

  frontend::source_text prelude_text_;
  frontend::source_text user_text_;
  frontend::messages report_;
  frontend::arena tree_memory_;  // until lower()
  frontend::arena memory_;       // types and what they name
  type_store types_;
  environment known_;
  program prelude_;
  program user_;
  core::program core_;
};

}  // namespace idc::driver

#endif
