// SPDX-License-Identifier: Apache-2.0
#include "idc/emit/names.hpp"

#include <set>
#include <utility>

namespace idc::emit {

using tl0::index;

namespace {

// Words that TL0's grammar takes for something else.
bool is_reserved(std::string_view word) {
  static const std::set<std::string_view> kWords = {
      "abs", "again", "and", "as", "at", "block", "bool", "by", "ceil", "choose", "code", "cos",
      "count", "counts", "else", "entry", "exit", "exp", "fail", "falloc", "false", "ffree",
      "float", "floor", "fork", "frame", "ialloc", "ifetch", "in_turn", "inlet", "int",
      "istore", "istructure", "least_loaded", "length", "local", "log", "malloc", "max", "min",
      "mput", "mstructure", "mtake", "none", "not", "or", "owner", "post", "pow", "print",
      "rank", "ranks", "require", "round_robin", "rows", "self", "send", "sin", "slot", "spawn",
      "sqrt", "stop", "switch", "thread", "true", "word", "write"};
  return kWords.contains(word);
}

std::string readable(std::string_view text, std::string_view suffix) {
  std::string made(text);
  for (char& c : made)
    if (c == '.' || c == '\'' || c == '?') c = '_';
  made += suffix;
  if (made.empty() || is_reserved(made)) made += "_";
  return made;
}

}  // namespace

void names::table::place(entry e) {
  std::size_t at = e.hash & mask();
  while (entries_[at].number != tl0::kNone) at = (at + 1) & mask();
  entries_[at] = e;
}

void names::table::add(std::string_view text, index number) {
  if (2 * ++count_ > entries_.size()) {
    const std::vector<entry> was = std::exchange(entries_, std::vector<entry>(2 * entries_.size()));
    for (const entry& e : was)
      if (e.number != tl0::kNone) place(e);
  }
  place({hash_of(text), number});
}

index names::add(std::string_view text) {
  const index known = known_.find(text, [this](index i) { return std::string_view(texts_[i]); });
  if (known != tl0::kNone) return known;
  const auto added = static_cast<index>(texts_.size());
  texts_.emplace_back(text);
  states_.emplace_back();
  known_.add(text, added);
  return added;
}

index names::find_or_make_slow(spelling& in, std::string_view text) {
  const index known = in.made.find(text, [this](index i) { return made_[i].from; });
  if (known != tl0::kNone) return made_[known].name;
  const index name = add(readable(text, in.suffix));
  in.made.add(text, static_cast<index>(made_.size()));
  made_.push_back({text, name});
  return name;
}

index names::numbered(char letter, std::size_t number) {
  std::vector<index>& known = numbered_[letter - 'a'];
  while (known.size() <= number) known.push_back(add(letter + std::to_string(known.size())));
  return known[number];
}

bool names::take_this(index name, index by) {
  state& now = states_[name];
  const bool is_free = by == kProgram ? now.by == kNobody || now.by == kReserved
                                      : now.by != kProgram && now.by != kReserved && now.by != by;
  if (!is_free) return false;
  now.by = by;
  return true;
}

index names::take(index wanted, index by) {
  if (take_this(wanted, by)) return wanted;
  if (states_[wanted].next_by != by) states_[wanted].next = 2;
  states_[wanted].next_by = by;
  while (true) {
    const index made = add(texts_[wanted] + "_" + std::to_string(states_[wanted].next++));
    if (take_this(made, by)) return made;
  }
}

}  // namespace idc::emit
