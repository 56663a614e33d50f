// SPDX-License-Identifier: Apache-2.0
// What the code blocks declare.
#include <algorithm>

#include "idc/emit/emitter.hpp"

namespace idc::emit {

using graph::operation;
using graph::value_info;
using partition::input;
using partition::step;

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

std::string identifier(std::string_view text) {
  std::string made;
  for (const char c : text) made += c == '.' || c == '\'' || c == '?' ? '_' : c;
  if (made.empty() || is_reserved(made)) made += "_";
  return made;
}

}  // namespace

index emitter::name(std::string_view text) {
  const auto [found, is_new] =
      names_.emplace(std::string(text), static_cast<index>(p_.names.size()));
  if (is_new) p_.names.emplace_back(text);
  return found->second;
}

index emitter::type_of(kind k) { return kinds_[static_cast<std::size_t>(k)]; }
index emitter::inlet_of(kind k) { return inlets_[static_cast<std::size_t>(k)]; }

tl0::position emitter::place(position p) {
  const line_of_source found = lines_(p);
  const auto known = files_.find(found.file);
  if (known != files_.end()) return {known->second, found.line, found.column};
  p_.files.emplace_back(found.file);
  const auto added = static_cast<index>(p_.files.size() - 1);
  files_.emplace(std::string(found.file), added);
  return {added, found.line, found.column};
}

std::string emitter::unique(block& b, std::string_view wanted) const {
  const std::string base = identifier(wanted);
  std::string made = base;
  for (int i = 2; block_names_.contains(made) || !b.names.insert(made).second; ++i)
    made = base + "_" + std::to_string(i);
  return made;
}

index emitter::add_slot(block& b, std::string_view wanted, index type, position where) {
  const auto number = static_cast<index>(p_.slots.size()) - p_.blocks[b.number].slots.first;
  p_.slots.push_back({name(unique(b, wanted)), type, place(where)});
  ++p_.blocks[b.number].slots.count;
  return number;
}

index emitter::add_inlet(block& b, std::string_view wanted, const std::vector<operand>& to,
                         const std::vector<index>& types, position where) {
  tl0::inlet made;
  made.name = name(unique(b, wanted));
  made.block = b.number;
  made.where = place(where);
  made.parameters = {static_cast<index>(p_.parameters.size()), static_cast<index>(to.size())};
  made.code.temporaries.first = static_cast<index>(p_.temporaries.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    operand at = to[i];
    if (at.is_none()) {  // nobody looks at it
      at = operand::in(tl0::space::temporary, made.code.temporaries.count++);
      p_.temporaries.push_back({name(unique(b, "unused")), types[i]});
    }
    p_.parameters.push_back({at, types[i]});
  }
  p_.inlets.push_back(made);
  ++p_.blocks[b.number].inlets.count;
  return static_cast<index>(p_.inlets.size() - 1);
}

index emitter::add_thread(block& b, std::string_view wanted, index count, position where) {
  tl0::thread made;
  made.name = name(unique(b, wanted));
  made.block = b.number;
  made.entry_count = count;
  made.where = place(where);
  p_.threads.push_back(made);
  ++p_.blocks[b.number].threads.count;
  return static_cast<index>(p_.threads.size() - 1);
}

void emitter::name_block(block& b) {
  const graph::function& f = *b.plan->of.of;
  std::string wanted = b.plan == plans_.main ? "main" : identifier(f.name);
  const std::string base = wanted;
  for (int i = 2; !block_names_.insert(wanted).second; ++i) wanted = base + "_" + std::to_string(i);
  p_.blocks[b.number].name = name(wanted);
}

void emitter::declare(block& b) {
  const graph::function& f = *b.plan->of.of;
  tl0::code_block& made = p_.blocks[b.number];
  made.where = place(f.where);
  made.slots.first = static_cast<index>(p_.slots.size());
  made.inlets.first = static_cast<index>(p_.inlets.size());
  made.threads.first = static_cast<index>(p_.threads.size());
  declare_slots(b);
  declare_inlets(b);
  declare_threads(b);
}

// Those that are made in one thread, or by a message, and read in another one.
std::set<value> emitter::values_in_slots(const block& b) const {
  const graph::function& f = *b.plan->of.of;
  std::map<value, const partition::thread*> made;
  for (const partition::thread& t : b.plan->threads)
    for (const step& s : t.steps)
      if (s.is == step::kind::node && s.of->to != graph::kNoValue && s.of->op != operation::fetch &&
          s.of->op != operation::take && s.of->op != operation::call &&
          s.of->op != operation::choice)
        made[s.of->to] = &t;
  std::set<value> found(f.parameters.begin(), f.parameters.end());
  const auto read = [&](value v, const partition::thread& t) {
    if (f.values[v].by == value_info::made::constant) return;
    const auto at = made.find(v);
    if (at == made.end() || at->second != &t) found.insert(v);
  };
  for (const partition::thread& t : b.plan->threads) {
    for (const step& s : t.steps)
      for (const value v : s.of->operands) read(v, t);
    for (const partition::switching& s : t.switches) read(s.choice->operands[0], t);
  }
  for (const input& in : b.plan->inputs)
    if (in.is == input::kind::choice && !in.posts.empty()) found.insert(in.to);
  return found;
}

void emitter::declare_slots(block& b) {
  const graph::function& f = *b.plan->of.of;
  b.slots.assign(f.values.size(), tl0::kNone);
  for (const value v : values_in_slots(b)) {
    const std::string_view known = f.values[v].name;
    const position where = f.values[v].from ? f.values[v].from->where : f.where;
    b.slots[v] = add_slot(b, known.empty() ? "v" + std::to_string(v) : std::string(known),
                          type_of(f.values[v].is), where);
  }
  if (b.plan->of.wants_result) b.result = add_slot(b, "result", inlet_of(f.result), f.where);
  for (const partition::thread& t : b.plan->threads)
    for (const step& s : t.steps) {
      if (s.is == step::kind::pass && !b.frames.contains(s.of))
        b.frames[s.of] = add_slot(
            b, "callee", p_.type_index({tl0::kind::frame, b.plan->callees.at(s.of)->number, {}}),
            s.of->where);
      if (s.is == step::kind::apply_pass && !b.cells.contains(s.of))
        b.cells[s.of] = add_slot(b, "cell", type_of(kind::structure), s.of->where);
      if (s.is == step::kind::apply_code)
        b.codes[s.of] = add_slot(b, "code", type_of(kind::word), s.of->where);
    }
}

void emitter::declare_inlets(block& b) {
  const graph::function& f = *b.plan->of.of;
  std::vector<operand> to;
  std::vector<index> types;
  b.messages.emplace_back();
  const auto flush = [&] {
    const bool is_first = b.messages.size() == 1;
    add_inlet(b, is_first ? "args" : "more", to, types, f.where);
    to.clear();
    types.clear();
  };
  if (b.plan->of.wants_result) {
    to.push_back(slot(b.result));
    types.push_back(inlet_of(f.result));
  }
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    if (!b.plan->of.by_value[i]) continue;
    if (to.size() == tl0::kWordsMax) {
      flush();
      b.messages.emplace_back();
    }
    const value v = f.parameters[i];
    to.push_back(slot(b.slots[v]));
    types.push_back(type_of(f.values[v].is));
    b.messages.back().push_back(v);
  }
  flush();
  b.inputs.push_back(p_.blocks[b.number].inlets.first);
  for (std::size_t i = 1; i < b.plan->inputs.size(); ++i) {
    const input& in = b.plan->inputs[i];
    const position where = in.from ? in.from->where : f.where;
    const index at = in.to == graph::kNoValue ? tl0::kNone : b.slots[in.to];
    const operand kept = at == tl0::kNone ? operand{} : slot(at);
    const kind is = in.to == graph::kNoValue ? kind::word : f.values[in.to].is;
    const std::string_view known = in.to == graph::kNoValue ? "" : f.values[in.to].name;
    std::string wanted = known.empty() ? "i" + std::to_string(i) : std::string(known) + "_is";
    if (in.is == input::kind::choice)
      b.inputs.push_back(tl0::kNone);
    else if (in.is == input::kind::code)
      b.inputs.push_back(
          add_inlet(b, "code_is", {slot(b.codes.at(in.from))}, {type_of(kind::word)}, where));
    else
      b.inputs.push_back(add_inlet(b, wanted, {kept}, {type_of(is)}, where));
  }
}

position emitter::where_of(const partition::thread& t, const block& b) const {
  return t.steps.empty() ? b.plan->of.of->where : t.steps.front().of->where;
}

void emitter::declare_threads(block& b) {
  const graph::function& f = *b.plan->of.of;
  if (b.messages.size() > 1)
    b.start = add_thread(b, "start", static_cast<index>(b.messages.size()), f.where);
  for (const partition::thread& t : b.plan->threads) {
    const bool is_used = t.count != 0;
    const std::string wanted = t.frees && t.steps.empty() ? "done"
                               : t.is_head                ? "head"
                                                          : "t" + std::to_string(t.number);
    b.threads.push_back(is_used ? add_thread(b, wanted, t.count, where_of(t, b)) : tl0::kNone);
  }
  for (const partition::thread& t : b.plan->threads)
    for (const partition::switching& s : t.switches)
      for (const auto* side : {&s.yes, &s.no}) {
        if (side->size() < 2) continue;
        const std::vector<const partition::thread*> group(side->begin(), side->end());
        if (!b.groups.contains(group)) b.groups[group] = add_thread(b, "side", 1, s.choice->where);
      }
}

}  // namespace idc::emit
