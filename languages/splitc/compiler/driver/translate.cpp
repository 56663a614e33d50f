// SPDX-License-Identifier: Apache-2.0
#include "splitcc/driver/translate.hpp"

#include "splitcc/driver/dialect.hpp"
#include "splitcc/driver/object_note.hpp"
#include "splitcc/emit/emitter.hpp"
#include "splitcc/lex/lexer.hpp"
#include "splitcc/optimise/optimise.hpp"
#include "splitcc/parse/parser.hpp"
#include "splitcc/semantics/semantics.hpp"
#include "splitcc/semantics/traps.hpp"

namespace splitcc::driver {
namespace {

language_options language_of(const options& o) {
  const dialect d = dialect_of(o.standard);
  language_options language;
  language.gnu89 = d.gnu89;
  language.gnu89_inline = d.gnu89_inline;
  language.statement_blocks = d.statement_blocks;
  language.plain_char_is_unsigned = o.unsigned_char;
  language.pedantic = o.pedantic;
  return language;
}

}  // namespace

std::optional<std::string> translate(std::string_view text, const std::string& source,
                                     const options& asked, diagnostics& report) {
  const language_options language = language_of(asked);
  identifier_table identifiers(dialect_of(asked.standard).strict);
  const token_list tokens = lex(text, source, identifiers, report, language.splitc);
  report.look_in(tokens);
  arena memory;
  unit_context context(memory, tokens, report, language);
  semantics meaning(context);
  node* unit = parse(tokens, meaning, report, identifiers, language);
  if (report.errors() != 0) return std::nullopt;
  if (language.splitc) warn_of_traps(*unit, tokens, report);
  if (report.errors() != 0) return std::nullopt;  // -Werror
  if (asked.last == stage::syntax) return std::string();
  optimise(*unit, meaning.types(), tokens, report, asked.passes);
  emit_options how;
  how.line_marks = asked.line_marks;
  how.gnu89_inline = language.gnu89_inline;
  how.check = asked.check;
  return emit(*unit, tokens, meaning.types(), how) + object_note(source);
}

}  // namespace splitcc::driver
