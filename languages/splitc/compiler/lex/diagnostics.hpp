// SPDX-License-Identifier: Apache-2.0
// Messages about the tokens of a translation unit.
#ifndef SPLITCC_LEX_DIAGNOSTICS_HPP
#define SPLITCC_LEX_DIAGNOSTICS_HPP

#include <string>
#include <string_view>

#include "languages/splitc/compiler/lex/token.hpp"
#include "languages/support/messages.hpp"

namespace splitcc {

using frontend::place;
using frontend::too_many_errors;
using diagnostic_options = frontend::message_options;

class diagnostics : public frontend::messages {
 public:
  using messages::messages;

  // Set once the tokens are there; the token forms below need it.
  void look_in(const token_list& tokens) { tokens_ = &tokens; }

  using messages::error;
  using messages::note;
  using messages::remark;
  using messages::warning;
  void error(token_index at, std::string_view text) { error(place_of(at), text); }
  void warning(token_index at, std::string_view name, std::string_view text);
  void note(token_index at, std::string_view text) { note(place_of(at), text); }
  void remark(token_index at, std::string_view text) { remark(place_of(at), text); }

  place place_of(token_index at) const;

 private:
  // The chain of #include lines to the file, once for as long as the file stays the same.
  std::string context_of(const place& where, bool color) override;

  const token_list* tokens_ = nullptr;
};

}  // namespace splitcc

#endif
