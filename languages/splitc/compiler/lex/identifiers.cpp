// SPDX-License-Identifier: Apache-2.0
// The table of identifiers: open addressing, linear probing, a power of two of slots. Identifiers
// and their spellings never move.
#include <cstring>
#include <deque>
#include <vector>

#include "languages/splitc/compiler/lex/lexer.hpp"
#include "languages/support/hash.hpp"

namespace splitcc {
namespace {

struct slot {
  std::uint32_t hash = 0;
  identifier* is = nullptr;
};

struct keyword_spelling {
  keyword word;
  std::string_view text;
};

constexpr std::size_t kSlotsAtFirst = 1 << 14;
constexpr std::size_t kSpellingBytes = 64 * 1024;

// `asm` and `typeof` without underscores are not keywords of ISO C before C23.
bool is_of_gnu_alone(std::string_view text) { return text == "asm" || text == "typeof"; }

void list(std::vector<keyword_spelling>& all, keyword word,
          std::initializer_list<std::string_view> spellings) {
  for (std::string_view text : spellings) all.push_back({word, text});
}

std::vector<keyword_spelling> keyword_spellings() {
  std::vector<keyword_spelling> all;
#define SPLITCC_KEYWORD(name, ...) list(all, keyword::name, {__VA_ARGS__});
#include "languages/splitc/compiler/lex/keywords.def"
#undef SPLITCC_KEYWORD
  return all;
}

}  // namespace

// Invariant: used <= slots.size() / 2.
struct identifier_table::contents {
  std::vector<slot> slots = std::vector<slot>(kSlotsAtFirst);
  std::size_t used = 0;
  std::deque<identifier> identifiers;
  std::vector<std::unique_ptr<char[]>> spellings;
  std::size_t bytes_left = 0;

  std::string_view keep(std::string_view text);
  void grow();
};

std::string_view identifier_table::contents::keep(std::string_view text) {
  if (text.size() > kSpellingBytes) {  // one of its own, below the block that is being filled
    auto own = std::make_unique_for_overwrite<char[]>(text.size());
    std::memcpy(own.get(), text.data(), text.size());
    const std::string_view kept{own.get(), text.size()};
    spellings.insert(spellings.begin(), std::move(own));
    return kept;
  }
  if (text.size() > bytes_left) {
    spellings.push_back(std::make_unique_for_overwrite<char[]>(kSpellingBytes));
    bytes_left = kSpellingBytes;
  }
  char* here = spellings.back().get() + (kSpellingBytes - bytes_left);
  std::memcpy(here, text.data(), text.size());
  bytes_left -= text.size();
  return {here, text.size()};
}

void identifier_table::contents::grow() {
  std::vector<slot> larger(slots.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const slot& s : slots) {
    if (!s.is) continue;
    std::size_t i = s.hash & mask;
    while (larger[i].is) i = (i + 1) & mask;
    larger[i] = s;
  }
  slots.swap(larger);
}

identifier_table::identifier_table(bool strict) : contents_(std::make_unique<contents>()) {
  for (const auto& [word, text] : keyword_spellings())
    if (!strict || !is_of_gnu_alone(text)) find(text)->word = word;
}

identifier_table::~identifier_table() = default;

identifier* identifier_table::find(std::string_view text) {
  frontend::spelling_hash hash;
  for (char c : text) hash.add(c);
  return find(text, hash.value());
}

identifier* identifier_table::find(std::string_view text, std::uint32_t hash) {
  contents& c = *contents_;
  const std::size_t mask = c.slots.size() - 1;
  std::size_t i = hash & mask;
  for (; c.slots[i].is; i = (i + 1) & mask)
    if (c.slots[i].hash == hash && c.slots[i].is->text == text) return c.slots[i].is;
  identifier* made = &c.identifiers.emplace_back();
  made->text = c.keep(text);
  c.slots[i] = {hash, made};
  if (++c.used > c.slots.size() / 2) c.grow();
  return made;
}

}  // namespace splitcc
