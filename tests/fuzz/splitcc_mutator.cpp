// SPDX-License-Identifier: Apache-2.0
// Changes a program for fuzz_splitcc.cpp by its tokens, so that most results get past the lexer:
// pieces between matching brackets and whole statements are moved, doubled and left out, names take
// each other's place, words of the language come in. libFuzzer calls it; a replay does not.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t bytes,
                                                              std::size_t bytes_max);

namespace {

using token_texts = std::vector<std::string>;
using random_source = std::minstd_rand;

constexpr std::array kWords = {
    "int",
    "char",
    "double",
    "void",
    "unsigned",
    "long",
    "short",
    "float",
    "_Bool",
    "_Complex",
    "struct s",
    "union u",
    "enum e",
    "typedef",
    "static",
    "extern",
    "inline",
    "const",
    "volatile",
    "register",
    "auto",
    "restrict",
    "_Atomic",
    "* global",
    "* spread",
    "global",
    "spread",
    "::",
    ":=",
    ":-",
    "[PROCS]::",
    "[PROCS]::[n]",
    "::[4]",
    "MYPROC",
    "PROCS",
    "(int *global)",
    "(int (*spread)[n])",
    "toglobal(0, &x)",
    "tolocal(g)",
    "barrier();",
    "sync();",
    "return",
    "if (x)",
    "else",
    "while (x)",
    "for (;;)",
    "do",
    "switch (x)",
    "case 1:",
    "default:",
    "break;",
    "continue;",
    "goto l;",
    "l:",
    "sizeof",
    "_Alignof",
    "_Generic(x, int: 1, default: 2)",
    "__typeof__(x)",
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "({",
    "})",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[*]",
    "[static 3]",
    "[1 ... 3] =",
    ".a =",
    ";",
    ",",
    "...",
    "->",
    ".",
    "++",
    "--",
    "&",
    "&&",
    "*",
    "!",
    "~",
    "?",
    ":",
    "=",
    "+=",
    "<<=",
    "==",
    "<",
    "%",
    "0",
    "1",
    "-1",
    "0x7fffffffffffffff",
    "1e400",
    "'a'",
    "'\\377'",
    "\"text\"",
    "L\"wide\"",
    "0b11",
    "1.5fi",
    "18446744073709551616",
    "asm(\"\" ::: \"memory\");",
    "__extension__",
    "__label__ l;",
    "__builtin_offsetof(struct s, a)",
    "__builtin_va_arg(v, int)",
    "__builtin_choose_expr(1, x, y)",
    "__auto_type",
    "_Static_assert(1, \"\");",
    "__int128",
    "_Float128",
    "x",
    "y",
    "g",
    "A",
    "n",
    "splitc_main()",
    "int x;",
    "int *global g;",
    "int A[PROCS]::;",
    "(0 ? 0 : 0)",
    "#pragma pack(1)",
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }

std::size_t length_of_literal(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != text[0]) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t length_of_token(std::string_view text) {
  if (text[0] == '#') return std::min(text.find('\n'), text.size());
  if (text[0] == '"' || text[0] == '\'') return length_of_literal(text);
  std::size_t n = 1;
  if (is_word(text[0])) {
    while (n < text.size() && (is_word(text[n]) || text[n] == '.')) ++n;
    return n;
  }
  for (std::string_view longer :
       {"<<=", ">>=", "...", "::", ":=", ":-", "->", "++", "--", "<<", ">>", "<=", ">=",
        "==",  "!=",  "&&",  "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="})
    if (text.starts_with(longer)) return longer.size();
  return 1;
}

token_texts tokens_of(std::string_view text) {
  token_texts tokens;
  while (!text.empty()) {
    if (std::isspace(static_cast<unsigned char>(text[0]))) {
      text.remove_prefix(1);
      continue;
    }
    const std::size_t n = length_of_token(text);
    tokens.emplace_back(text.substr(0, n));
    text.remove_prefix(n);
  }
  return tokens;
}

std::string joined(const token_texts& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    const bool own_line = token[0] == '#';
    if (own_line && !text.empty() && text.back() != '\n') text += '\n';
    text += token;
    text += own_line || token == ";" || token == "{" || token == "}" ? '\n' : ' ';
  }
  return text;
}

std::size_t below(random_source& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

int depth_of(const std::string& token) {
  if (token == "(" || token == "[" || token == "{") return 1;
  return token == ")" || token == "]" || token == "}" ? -1 : 0;
}

struct piece {
  std::size_t first, last;
};

// From a token on: what stands between it and its partner, or to the end of the statement.
piece piece_at(const token_texts& tokens, std::size_t at, bool whole_statement) {
  std::size_t last = at;
  int depth = 0;
  while (last < tokens.size()) {
    depth += depth_of(tokens[last]);
    if (depth < 0) break;
    ++last;
    if (depth == 0 && (!whole_statement || tokens[last - 1] == ";" || tokens[last - 1] == "}"))
      break;
  }
  return {at, std::max(last, std::min(at + 1, tokens.size()))};
}

std::size_t start_of_statement(const token_texts& tokens, std::size_t at) {
  while (at > 0 && tokens[at - 1] != ";" && tokens[at - 1] != "{" && tokens[at - 1] != "}") --at;
  return at;
}

piece some_piece(const token_texts& tokens, random_source& random) {
  const std::size_t at = below(random, tokens.size());
  switch (below(random, 3)) {
    case 0:
      return {at, std::min(tokens.size(), at + 1 + below(random, 3))};
    case 1:
      return piece_at(tokens, at, false);
    default:
      return piece_at(tokens, start_of_statement(tokens, at), true);
  }
}

void insert(token_texts& tokens, std::size_t at, const token_texts& more) {
  tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
}

token_texts take(const token_texts& tokens, piece p) {
  return {tokens.begin() + static_cast<std::ptrdiff_t>(p.first),
          tokens.begin() + static_cast<std::ptrdiff_t>(p.last)};
}

void leave_out(token_texts& tokens, piece p) {
  tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(p.first),
               tokens.begin() + static_cast<std::ptrdiff_t>(p.last));
}

// A place of the same kind as the piece's: before a statement for statements, else anywhere.
std::size_t some_place(const token_texts& tokens, random_source& random, bool statement) {
  const std::size_t at = below(random, tokens.size() + 1);
  return statement ? start_of_statement(tokens, std::min(at, tokens.size())) : at;
}

void replace_name(token_texts& tokens, random_source& random) {
  const std::size_t at = below(random, tokens.size());
  for (std::size_t n = 0; n < tokens.size(); ++n) {
    std::string& target = tokens[(at + n) % tokens.size()];
    if (!is_word(target[0])) continue;
    const std::size_t from = below(random, tokens.size());
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const std::string& source = tokens[(from + k) % tokens.size()];
      if (!is_word(source[0]) || source == target) continue;
      target = source;
      return;
    }
  }
}

// Brackets or stars, many: what recursion makes of them.
void nest(token_texts& tokens, random_source& random) {
  const std::size_t at = below(random, tokens.size());
  const std::size_t count = std::size_t{1} << below(random, 9);
  constexpr std::array kOpen = {"(", "*", "[", "{", "- ", "if (x)", "(int)", "x ?", "x = ", "&"};
  insert(tokens, at, token_texts(count, kOpen[below(random, kOpen.size())]));
}

void change(token_texts& tokens, random_source& random) {
  if (tokens.empty()) tokens.emplace_back(";");
  const piece p = some_piece(tokens, random);
  const bool statement = tokens[p.last - 1] == ";" || tokens[p.last - 1] == "}";
  const auto word = [&] { return std::string(kWords[below(random, kWords.size())]); };
  switch (below(random, 12)) {
    case 0:
      return leave_out(tokens, p);
    case 1:
      return insert(tokens, some_place(tokens, random, statement), take(tokens, p));
    case 2: {
      const token_texts moved = take(tokens, p);
      leave_out(tokens, p);
      return insert(tokens, some_place(tokens, random, statement), moved);
    }
    case 3:
      return replace_name(tokens, random);
    case 4:
    case 5:
      return insert(tokens, below(random, tokens.size() + 1), {word()});
    case 6:
    case 7:
      tokens[p.first] = word();
      return;
    case 8:
      return std::swap(tokens[p.first], tokens[below(random, tokens.size())]);
    case 9: {
      const token_texts source = take(tokens, some_piece(tokens, random));
      leave_out(tokens, p);
      return insert(tokens, std::min(p.first, tokens.size()), source);
    }
    case 10:
      insert(tokens, p.last, {")"});
      return insert(tokens, p.first, {below(random, 2) == 0 ? "(" : word(), "("});
    default:
      return nest(tokens, random);
  }
}

std::size_t write(const std::string& text, std::uint8_t* data, std::size_t bytes_max) {
  const std::size_t bytes = std::min(text.size(), bytes_max);
  std::memcpy(data, text.data(), bytes);
  return bytes;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t bytes,
                                               std::size_t bytes_max, unsigned seed) {
  random_source random(seed);
  if (LLVMFuzzerMutate && below(random, 20) == 0) return LLVMFuzzerMutate(data, bytes, bytes_max);
  token_texts tokens = tokens_of({reinterpret_cast<const char*>(data), bytes});
  for (std::size_t n = 1 + below(random, 4); n > 0; --n) change(tokens, random);
  return write(joined(tokens), data, bytes_max);
}

// Pieces of the second program come into the first.
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_bytes,
                                                 const std::uint8_t* second,
                                                 std::size_t second_bytes, std::uint8_t* out,
                                                 std::size_t bytes_max, unsigned seed) {
  random_source random(seed);
  token_texts tokens = tokens_of({reinterpret_cast<const char*>(first), first_bytes});
  const token_texts others = tokens_of({reinterpret_cast<const char*>(second), second_bytes});
  if (others.empty()) return write(joined(tokens), out, bytes_max);
  for (std::size_t n = 1 + below(random, 3); n > 0; --n) {
    const token_texts source = take(others, some_piece(others, random));
    const bool statement = source.back() == ";" || source.back() == "}";
    insert(tokens, some_place(tokens, random, statement), source);
  }
  return write(joined(tokens), out, bytes_max);
}
