// SPDX-License-Identifier: Apache-2.0
// The lexer's main loop, identifiers and numbers.
#include "languages/splitc/compiler/lex/lexer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "languages/splitc/compiler/lex/scanner.hpp"
#include "languages/support/hash.hpp"

namespace splitcc {

using characters::is;
using characters::is_beyond_ascii;
using characters::kBlank;
using characters::kDigit;
using characters::kStart;
using characters::kWord;

namespace {

constexpr std::size_t kBytesPerToken = 4;  // of preprocessed C, rather too few than too many
constexpr std::size_t kPadding = 4;        // NULs: how far a mark looks ahead

// Room for the tokens, in large pages where there are some: to touch small ones would take longer
// than to lex.
void reserve(std::vector<token>& tokens, std::size_t count) {
  tokens.reserve(count);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(tokens.data()) + page - 1) & ~(page - 1);
  const auto end = reinterpret_cast<std::uintptr_t>(tokens.data() + count) & ~(page - 1);
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

std::shared_ptr<const char[]> padded(std::string_view text) {
  auto copy = std::make_unique_for_overwrite<char[]>(text.size() + 1 + kPadding);
  std::memcpy(copy.get(), text.data(), text.size());
  copy[text.size()] = '\n';
  std::memset(copy.get() + text.size() + 1, 0, kPadding);
  return copy;
}

}  // namespace

scanner::scanner(std::string_view text, std::string_view main_file, identifier_table& identifiers,
                 diagnostics& report, bool language_is_splitc)
    : identifiers_(identifiers), report_(report), splitc_(language_is_splitc) {
  list_.buffer = padded(text);
  list_.text = {list_.buffer.get(), text.size() + 1};
  at_ = line_start_ = list_.buffer.get();
  end_ = at_ + list_.text.size();
  reserve(list_.tokens, text.size() / kBytesPerToken);
  enter_file(main_file, false, false, 1);
  if (text.starts_with("\xEF\xBB\xBF")) at_ += 3;  // a byte order mark
}

token_list scanner::run() {
  for (skip_blanks(); at_ != end_; skip_blanks()) step();
  token t = begin();
  t.kind = token_kind::end;
  push(t, at_);
  return std::move(list_);
}

void scanner::step() {
  const char c = *at_;
  if (is(c, kStart)) return identifier_or_prefix();
  if (is(c, kDigit) || (c == '.' && is(at_[1], kDigit))) return number();
  if (c == '"') return literal(begin(), at_, token_kind::string);
  if (c == '\'') return literal(begin(), at_, token_kind::character);
  if (c == '#' && first_in_line_) return directive();
  if (is_beyond_ascii(c) || c == '\\') return identifier_beyond_ascii(at_);
  punctuation();
}

void scanner::new_line(const char* next) {
  ++line_;
  line_start_ = next;
}

void scanner::skip_blanks() {
  for (;;) {
    const char c = *at_;
    if (is(c, kBlank)) {
      ++at_;
    } else if (c == '\n') {
      new_line(++at_);
      first_in_line_ = true;
    } else if (c == '/' && (at_[1] == '*' || at_[1] == '/')) {
      skip_comment();
    } else if (c == '\\' && at_[1] == '\n') {
      at_ += 2;
      new_line(at_);
    } else {
      return;
    }
    space_ = true;
  }
}

// The preprocessor takes comments away; text that did not go through it may have some.
void scanner::skip_comment() {
  if (at_[1] == '/') {
    while (*at_ != '\n') ++at_;
    return;
  }
  const place start = here(at_, 2);
  for (at_ += 2; at_ != end_; ++at_) {
    if (*at_ == '\n') new_line(at_ + 1);
    if (*at_ != '*' || at_[1] != '/') continue;
    at_ += 2;
    return;
  }
  report_.error(start, "unterminated comment");
}

token scanner::begin() const {
  token t;
  t.text = {at_, 0};
  t.line = line_;
  const std::ptrdiff_t column = at_ - line_start_ + 1;
  t.column = column > UINT16_MAX ? 0 : static_cast<std::uint16_t>(column);
  t.file = file_;
  t.first_in_line = first_in_line_;
  t.space_before = space_;
  return t;
}

void scanner::push(token t, const char* end) {
  t.text = {t.text.data(), static_cast<std::size_t>(end - t.text.data())};
  if (!pragmas_.empty()) {
    t.pragma_before = true;
    list_.pragmas.emplace(list_.tokens.size(), std::move(pragmas_));
    pragmas_.clear();
  }
  list_.tokens.push_back(t);
  at_ = end;
  first_in_line_ = space_ = false;
}

place scanner::here(const char* at, std::uint32_t width) const {
  const source_file& file = list_.files[file_];
  const char* line_end = at;
  while (*line_end != '\n') ++line_end;
  place where;
  where.file = file.name;
  where.line = line_;
  where.column = static_cast<std::uint32_t>(at - line_start_ + 1);
  where.width = width;
  where.in_system_header = file.is_system;
  if (at >= line_start_)
    where.source = {line_start_, static_cast<std::size_t>(line_end - line_start_)};
  return where;
}

// identifier: [A-Za-z_$][A-Za-z0-9_$]*, or a prefix of a literal: L u U u8, R behind each.
void scanner::identifier_or_prefix() {
  const char* p = at_;
  frontend::spelling_hash hash;
  do hash.add(*p++);
  while (is(*p, kWord));
  if (is_beyond_ascii(*p) || *p == '\\') return identifier_beyond_ascii(p);
  const std::string_view text{at_, static_cast<std::size_t>(p - at_)};
  if (*p == '"' || *p == '\'') {
    const bool is_string = *p == '"';
    std::string_view prefix = text;
    if (is_string && prefix.ends_with('R')) prefix.remove_suffix(1);
    const bool is_prefix = prefix == "L" || prefix == "u" || prefix == "U" ||
                           (is_string && (prefix == "u8" || prefix.empty()));
    if (is_prefix)
      return literal(begin(), p, is_string ? token_kind::string : token_kind::character);
  }
  word(begin(), identifiers_.find(text, hash.value()), p);
}

void scanner::word(token t, identifier* name, const char* end) {
  t.name = name;
  t.word = name->word;
  t.kind = t.word == keyword::none ? token_kind::identifier : token_kind::keyword;
  push(t, end);
}

// An identifier with letters beyond ASCII, its ASCII part read up to `p`. `\u00e9` and the letter
// itself are the same identifier.
void scanner::identifier_beyond_ascii(const char* p) {
  std::string name(at_, p);
  for (;;) {
    if (is(*p, kWord)) {
      name += *p++;
    } else if (const auto letter = characters::in_identifier(p, name.empty()); letter.bytes != 0) {
      characters::append_utf8(name, letter.value);
      p += letter.bytes;
    } else {
      break;
    }
  }
  if (name.empty()) return stray();
  word(begin(), identifiers_.find(name), p);
}

// pp-number: .? digit (digit | letter | _ | . | e sign | E sign | p sign | P sign)*
void scanner::number() {
  token t = begin();
  t.kind = token_kind::number;
  const char* p = at_ + 1;
  for (;; ++p) {
    const bool signed_exponent =
        (*p == '+' || *p == '-') && (p[-1] == 'e' || p[-1] == 'E' || p[-1] == 'p' || p[-1] == 'P');
    if (!is(*p, kWord) && *p != '.' && !signed_exponent) break;
  }
  push(t, p);
}

void scanner::stray() {
  std::string shown(1, *at_);
  if (!(*at_ > ' ' && *at_ < 0x7f)) {
    constexpr char kOctal[] = "01234567";
    const auto byte = static_cast<unsigned char>(*at_);
    shown = {'\\', kOctal[byte >> 6], kOctal[(byte >> 3) & 7], kOctal[byte & 7]};
  }
  report_.error(here(at_), "stray '" + shown + "' in program");
  const bool lead = is_beyond_ascii(*at_);
  do ++at_;
  while (lead && (*at_ & 0xC0) == 0x80);  // the rest of the code point
  space_ = true;
}

token_list lex(std::string_view text, std::string_view main_file, identifier_table& identifiers,
               diagnostics& report, bool language_is_splitc) {
  return scanner(text, main_file, identifiers, report, language_is_splitc).run();
}

}  // namespace splitcc
