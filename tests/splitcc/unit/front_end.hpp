// SPDX-License-Identifier: Apache-2.0
// The front end over a text, for tests: the tree, what names mean, and the messages.
#ifndef SPLITCC_TESTS_UNIT_FRONT_END_HPP
#define SPLITCC_TESTS_UNIT_FRONT_END_HPP

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "languages/splitc/compiler/parse/parser.hpp"
#include "languages/splitc/compiler/semantics/traps.hpp"
#include "languages/support/arena.hpp"

namespace splitcc::test {

// What <split-c/split-c.h> declares, as far as the tests need it; on one line, which is line 1.
inline constexpr std::string_view kLibrary =
    "\n#pragma splitc library begin\n"
    "extern const int MYPROC __asm__(\"splitc_myproc()\");"
    "extern const int PROCS __asm__(\"splitc_procs()\");"
    "void barrier(void) __asm__(\"splitc_barrier\"); void sync(void) __asm__(\"splitc_sync\");"
    "void all_store_sync(void) __asm__(\"splitc_all_store_sync\");"
    "void store_sync(int bytes) __asm__(\"splitc_store_sync\");"
    "int all_reduce_to_all_add(int value) __asm__(\"splitc_all_reduce_to_all_add\");"
    "void all_gather(int *v) __asm__(\"splitc_all_gather\");"
    "void exit(int status) __asm__(\"splitc_exit_job\");"
    "void bulk_get(void *to, const void *global from, int n) __asm__(\"splitc_bulk_get\");"
    "void *global toglobal(int processor, void *p) __asm__(\"splitc_pair\");"
    "void *tolocal(void *global p) __asm__(\"splitc_local_part\");\n"
    "#pragma splitc library end\n# 1 \"test.sc\"\n";

class front_end {
 public:
  explicit front_end(std::string_view program, bool with_library = false)
      : text_(std::string(with_library ? kLibrary : "") + std::string(program)),
        report_(all_errors()),
        tokens_(lexed()),
        context_(memory_, tokens_, report_, {}),
        meaning_(context_) {
    report_.look_in(tokens_);
    testing::internal::CaptureStderr();
    unit_ = parse(tokens_, meaning_, report_, identifiers_, {});
    if (report_.errors() == 0) warn_of_traps(*unit_, tokens_, report_);
    messages_ = testing::internal::GetCapturedStderr();
  }

  const entity* find(std::string_view name) {
    return meaning_.scopes.look_up(identifiers_.find(name));
  }
  const identifier* name(std::string_view text) { return identifiers_.find(text); }
  std::string type_of(std::string_view name) { return describe(find(name)->type); }
  const type* tagged(std::string_view tag) {
    return meaning_.scopes.look_up_tag(identifiers_.find(tag));
  }
  // Of a variable's initializer.
  std::optional<long long> value_of(std::string_view name) {
    const auto value = meaning_.fold(find(name)->initializer);
    return value ? std::optional(static_cast<long long>(*value)) : std::nullopt;
  }
  bool says(std::string_view text) const { return messages_.find(text) != std::string::npos; }
  const std::string& messages() const { return messages_; }
  int errors() const { return report_.errors(); }
  int warnings() const { return report_.warnings(); }
  node& unit() { return *unit_; }

 private:
  static diagnostic_options all_errors() {
    diagnostic_options options;
    options.errors_max = 0;
    return options;
  }
  token_list lexed() { return lex(text_, "test.sc", identifiers_, report_); }

  std::string text_;
  arena memory_;
  identifier_table identifiers_;
  diagnostics report_;
  token_list tokens_;
  unit_context context_;
  semantics meaning_;
  node* unit_ = nullptr;
  std::string messages_;
};

}  // namespace splitcc::test

#endif
