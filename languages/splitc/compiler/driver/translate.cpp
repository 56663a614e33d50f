// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/translate.hpp"

#include "languages/splitc/compiler/driver/dialect.hpp"
#include "languages/splitc/compiler/driver/object_note.hpp"
#include "languages/splitc/compiler/emit/emitter.hpp"
#include "languages/splitc/compiler/lex/lexer.hpp"
#include "languages/splitc/compiler/optimise/optimise.hpp"
#include "languages/splitc/compiler/parse/parser.hpp"
#include "languages/splitc/compiler/semantics/semantics.hpp"
#include "languages/splitc/compiler/semantics/traps.hpp"

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
