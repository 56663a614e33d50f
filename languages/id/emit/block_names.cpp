// SPDX-License-Identifier: Apache-2.0
#include "languages/id/emit/block_names.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace idc::emit {

using tl0::index;

namespace {

// Words that TL0's grammar takes for something else.
constexpr std::string_view kWords[] = {
    "abs",    "again",      "and",          "as",     "at",     "block",   "bool",        "by",
    "ceil",   "choose",     "code",         "cos",    "count",  "counts",  "else",        "entry",
    "exit",   "exp",        "extent",       "fail",   "falloc", "false",   "ffree",       "float",
    "floor",  "fork",       "frame",        "ialloc", "ifetch", "in_turn", "inlet",       "int",
    "istore", "istructure", "least_loaded", "length", "local",  "log",     "malloc",      "max",
    "min",    "mput",       "mstructure",   "mtake",  "none",   "not",     "or",          "owner",
    "post",   "pow",        "print",        "rank",   "ranks",  "require", "round_robin", "rows",
    "self",   "send",       "sin",          "slot",   "spawn",  "sqrt",    "stop",        "switch",
    "thread", "true",       "word",         "write"};

// What code blocks call what has no name of its own; and i1, t1, v1, ...
constexpr std::string_view kLocalNames[] = {"args",    "callee", "cell",  "code",
                                            "code_is", "done",   "head",  "more",
                                            "result",  "side",   "start", "unused"};
constexpr std::string_view kNumbered = "itv";

std::string_view without_digits(std::string_view text) {
  return text.substr(0, text.find_last_not_of("0123456789") + 1);
}

}  // namespace

std::string readable(std::string_view text, std::string_view suffix) {
  std::string made(text);
  for (char& c : made)
    if (c == '.' || c == '\'' || c == '?') c = '_';
  made += suffix;
  if (made.empty() || std::find(std::begin(kWords), std::end(kWords), made) != std::end(kWords))
    made += "_";
  return made;
}

block_names::block_names(const graph::program& of) {
  for (const graph::function& f : of.functions) {
    of_function_.push_back(reserve(readable(f.name, "")));
    state& made = states_[of_function_.back()];
    if (without_digits(made.text).size() == 1 && made.text.size() > 1 &&
        kNumbered.find(made.text[0]) != std::string_view::npos)
      made.is_local = true;
  }
  for (const std::string_view each : kLocalNames) local(readable(each, ""));
  find_local(of);
}

index block_names::reserve(std::string&& text) {
  if (const index known = number_of(text); known != tl0::kNone) return known;
  const auto made = static_cast<index>(states_.size());
  reserved_.emplace(text, made);
  states_.emplace_back().text = std::move(text);
  return made;
}

// Of all values' names.
void block_names::find_local(const graph::program& of) {
  const bool has_is = std::any_of(states_.begin(), states_.end(),
                                  [](const state& s) { return s.text.ends_with("_is"); });
  std::unordered_set<std::string_view> known;
  for (const graph::function& f : of.functions)
    for (const graph::value_info& v : f.values) {
      const std::string_view name = v.name();
      if (name.empty() || !known.insert(name).second) continue;
      local(readable(name, ""));
      if (has_is) local(readable(name, "_is"));
    }
}

void block_names::local(std::string_view text) {
  if (const index known = number_of(text); known != tl0::kNone) states_[known].is_local = true;
  std::string_view before = without_digits(text);
  if (before.size() == text.size()) return;
  if (before.ends_with("b")) before.remove_suffix(1);
  if (!before.ends_with("_")) return;
  before.remove_suffix(1);
  if (is_reserved(before)) local_.emplace(text);
}

void block_names::name_found(const partition::plan& next) {
  for (partition::variant* v : next.found) v->block = take_one(of_function_[v->of->number]);
}

bool block_names::take(const std::string& text) {
  const index known = number_of(text);
  if (known == tl0::kNone) return !local_.contains(text) && made_.insert(text).second;
  return !std::exchange(states_[known].is_taken, true);
}

std::string block_names::take_one(index wanted) {
  state& known = states_[wanted];
  if (!std::exchange(known.is_taken, true)) return known.text;
  while (true) {
    const std::string made =
        known.text + (known.is_local ? "_b" : "_") + std::to_string(known.next++);
    if (take(made)) return made;
  }
}

}  // namespace idc::emit
