// SPDX-License-Identifier: Apache-2.0
#include "idc/emit/names.hpp"

#include <set>

namespace idc::emit {

using tl0::index;

namespace {

// Words that TL0's grammar takes for something else.
bool is_reserved(std::string_view word) {
  static const std::set<std::string_view> kWords = {
      "abs",   "again",  "and",     "as",          "at",           "block",      "bool",
      "by",    "ceil",   "choose",  "code",        "cos",          "count",      "counts",
      "else",  "entry",  "exit",    "exp",         "fail",         "falloc",     "false",
      "ffree", "float",  "floor",   "fork",        "frame",        "ialloc",     "ifetch",
      "inlet", "int",    "istore",  "istructure",  "least_loaded", "length",     "local",
      "log",   "malloc", "max",     "min",         "mput",         "mstructure", "mtake",
      "none",  "not",    "or",      "owner",       "post",         "pow",        "print",
      "rank",  "ranks",  "require", "round_robin", "rows",         "self",       "send",
      "sin",   "slot",   "spawn",   "sqrt",        "stop",         "switch",     "thread",
      "true",  "word",   "write"};
  return kWords.contains(word);
}

std::string readable(std::string_view text) {
  std::string made;
  for (const char c : text) made += c == '.' || c == '\'' || c == '?' ? '_' : c;
  if (made.empty() || is_reserved(made)) made += "_";
  return made;
}

}  // namespace

index names::add(std::string_view text) {
  const auto known = known_.find(text);
  if (known != known_.end()) return known->second;
  const auto added = static_cast<index>(texts_.size());
  texts_.emplace_back(text);
  states_.resize(texts_.size());
  known_.emplace(text, added);
  return added;
}

index names::identifier(std::string_view text) {
  const auto known = identifiers_.find(text);
  if (known != identifiers_.end()) return known->second;
  return identifiers_.emplace(text, add(readable(text))).first->second;
}

index names::identifier_is(std::string_view text) {
  const auto known = identifiers_is_.find(text);
  if (known != identifiers_is_.end()) return known->second;
  return identifiers_is_.emplace(text, add(readable(std::string(text) + "_is"))).first->second;
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
