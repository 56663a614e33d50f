// SPDX-License-Identifier: Apache-2.0
// The parser's way through the tokens.
#include "languages/splitc/compiler/parse/parser.hpp"

#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

node* parse(const token_list& tokens, semantics& meaning, diagnostics& report,
            identifier_table& identifiers, const language_options& options) {
  return parser(tokens, meaning, report, identifiers, options).translation_unit();
}

parser::parser(const token_list& tokens, semantics& meaning, diagnostics& report,
               identifier_table& identifiers, const language_options& options)
    : tokens_(tokens.tokens.data()),
      end_(static_cast<token_index>(tokens.tokens.size() - 1)),
      unit_(tokens),
      meaning_(meaning),
      report_(report),
      options_(options),
      global_word_(identifiers.find("global")),
      spread_word_(identifiers.find("spread")) {
  stack_.reserve(1024);
  declare_type(identifiers.find("__int128_t"), type_kind::int128);
  declare_type(identifiers.find("__uint128_t"), type_kind::unsigned_int128);
}

// A typedef name that gcc knows without a declaration.
void parser::declare_type(identifier* name, type_kind kind) {
  declaration_request wanted{};
  wanted.name = name;
  wanted.type = {meaning_.types().basic(kind), 0};
  wanted.at = kNoToken;
  wanted.where = storage::typedef_;
  wanted.has_storage_class = true;
  meaning_.declarations.declare(wanted);
}

// translation-unit:
//   external-declaration*
node* parser::translation_unit() {
  node_list items(*this);
  if (now().pragma_before) pragmas();
  while (!at_end()) {
    const token_index first = at_;
    try {
      if (node* item = external_declaration()) items.add(item);
    } catch (const nesting_error&) {
      at_ = end_;
    }
    if (at_ == first) advance();
  }
  return meaning_.make(node_kind::translation_unit, from(0), items.all());
}

void parser::expect(punctuator p) {
  if (at(p)) return advance();
  fail("'" + std::string(spelling(p)) + "'");
}

void parser::expect(keyword k) {
  if (at(k)) return advance();
  fail(k == keyword::kw_while ? "'while'" : "keyword");
}

// A missing semicolon at the end of a line is reported, and taken as written.
void parser::expect_semicolon(std::string_view expected) {
  if (at(punctuator::semicolon)) return advance();
  if (!now().first_in_line && !at(punctuator::right_brace) && !at_end()) fail(expected);
  report_here(expected_text(expected));
}

bool parser::starts_type(const token& t) const {
  switch (t.word) {
    case keyword::none:
      return is_typedef_name(t);
    case keyword::kw_char:
    case keyword::kw_const:
    case keyword::kw_double:
    case keyword::kw_enum:
    case keyword::kw_float:
    case keyword::kw_int:
    case keyword::kw_long:
    case keyword::kw_restrict:
    case keyword::kw_short:
    case keyword::kw_signed:
    case keyword::kw_struct:
    case keyword::kw_union:
    case keyword::kw_unsigned:
    case keyword::kw_void:
    case keyword::kw_volatile:
    case keyword::kw_alignas:
    case keyword::kw_atomic:
    case keyword::kw_bool:
    case keyword::kw_complex:
    case keyword::kw_typeof:
    case keyword::kw_attribute:
    case keyword::kw_auto_type:
    case keyword::kw_int128:
    case keyword::kw_float16:
    case keyword::kw_float32:
    case keyword::kw_float64:
    case keyword::kw_float128:
    case keyword::kw_float32x:
    case keyword::kw_float64x:
    case keyword::kw_decimal32:
    case keyword::kw_decimal64:
    case keyword::kw_decimal128:
    case keyword::kw_builtin_va_list:
    case keyword::kw_seg_fs:
    case keyword::kw_seg_gs:
      return true;
    default:
      return false;
  }
}

bool parser::starts_declaration(const token& t) const {
  switch (t.word) {
    case keyword::kw_auto:
    case keyword::kw_extern:
    case keyword::kw_inline:
    case keyword::kw_noreturn:
    case keyword::kw_register:
    case keyword::kw_static:
    case keyword::kw_thread_local:
    case keyword::kw_typedef:
      return true;
    default:
      return starts_type(t);
  }
}

token_index parser::extensions() const {
  token_index n = 0;
  while (is(behind(n), keyword::kw_extension)) ++n;
  return n;
}
bool parser::at_declaration() const { return starts_declaration(behind(extensions())); }

parser::state parser::save() const {
  return {derivations_.size(),  pointers_.size(), function_parts_used_,
          open_records_.size(), cases_.size(),    default_at_,
          switch_sized_,        in_switch_,       in_loop_};
}

void parser::restore(const state& saved) {
  derivations_.resize(saved.derivations);
  pointers_.resize(saved.pointers);
  function_parts_used_ = saved.function_parts;
  open_records_.resize(saved.open_records);
  cases_.resize(saved.cases);
  default_at_ = saved.default_at;
  switch_sized_ = saved.switch_sized;
  in_switch_ = saved.in_switch;
  in_loop_ = saved.in_loop;
}

}  // namespace splitcc
