// SPDX-License-Identifier: Apache-2.0
// What is known of all functions together: kinds of values, and strictness.
#include <algorithm>
#include <array>
#include <iterator>

#include "languages/id/graph/graph.hpp"

namespace idc::graph {

namespace {

char letter_of(const node& n, std::size_t operand) {
  std::string_view letters = about(n.op).operands;
  if (n.op == operation::compute) letters = tl0::operation_of(n.code).operands;
  if (letters.empty()) return '.';
  return letters[std::min(operand, letters.size() - 1)];
}

// Functions that are to be looked at again, as one that they call has changed.
class work_list {
 public:
  explicit work_list(program& p) : is_waiting_(p.functions.size()) {
    for (function& f : p.functions) add(f);
  }

  function* next() {
    function* const f = waiting_.back();
    waiting_.pop_back();
    is_waiting_[f->number] = false;
    return f;
  }
  void add_callers(const function& f) {
    for (function* caller : f.callers) add(*caller);
  }
  std::size_t size() const { return waiting_.size(); }

 private:
  void add(function& f) {
    if (is_waiting_[f.number]) return;
    is_waiting_[f.number] = true;
    waiting_.push_back(&f);
  }

  std::vector<bool> is_waiting_;
  std::vector<function*> waiting_;
};

// By operation: what a node gives, but for those that give what others give.
constexpr auto kResults = [] {
  std::array<kind, std::size(kAbout)> made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = kind_of(kAbout[i].result);
  return made;
}();

// Kinds go from what makes values to what takes them; only parameters learn theirs from uses.
class kinds {
 public:
  explicit kinds(program& p) : work_(p) {}

  std::size_t left() const { return work_.size(); }
  // left() > 0
  void step() {
    function& f = *work_.next();
    is_told_ = false;
    if (!f.is_code)
      while (learn(f)) continue;
    make(f);
    if (is_told_) work_.add_callers(f);
  }

 private:
  static bool set(kind& to, kind k) {
    if (to != kind::word || k == kind::word) return false;
    to = k;
    return true;
  }
  // Of what callers look at.
  bool tell(kind& to, kind k) {
    if (!set(to, k)) return false;
    return is_told_ = true;
  }

  // Whether it is to be done again: what a parameter has learned is news for a call of itself.
  bool learn(function& f) {
    if (std::none_of(f.parameters.begin(), f.parameters.end(),
                     [&f](value v) { return f.values[v].is == kind::word; }))
      return false;
    bool has_learned = false, calls_itself = false;
    for (const node* n : f.order) {
      if (n->op == operation::call && n->callee == &f) calls_itself = true;
      std::size_t i = 0;
      for (const value v : n->operands) {
        value_info& info = f.values[v];
        if (info.is == kind::word && info.by == value_info::made::parameter)
          has_learned |= tell(info.is, wanted(*n, i));
        ++i;
      }
    }
    return has_learned && calls_itself;
  }

  static kind wanted(const node& n, std::size_t operand) {
    if (n.op == operation::call) return n.callee->values[n.callee->parameters[operand]].is;
    return kind_of(letter_of(n, operand));
  }

  // What a node makes is known ahead of its uses: it comes before them in the order, and so do the
  // merges of what a choice gives. A function that calls itself is one of its callers.
  void make(function& f) {
    for (const node* each : f.order) {
      const node& n = *each;
      if (n.to != kNoValue) set(f.values[n.to].is, made_by(f, n));
      if (n.op == operation::merge && n.in->of->to != kNoValue)
        set(f.values[n.in->of->to].is, f.values[n.operands[0]].is);
      if (f.is_code) continue;
      if (n.op == operation::give) tell(f.result, f.values[n.operands[0]].is);
      if (n.op == operation::call && n.is_tail) tell(f.result, n.callee->result);
    }
  }

  static kind made_by(const function& f, const node& n) {
    switch (n.op) {
      case operation::compute:
        return kind_of(tl0::operation_of(n.code).result);
      case operation::move:
        return f.values[n.operands[0]].is;
      case operation::call:
        return n.callee->result;
      case operation::choice:
        return kind::word;  // its merges tell
      default:
        return kResults[static_cast<std::size_t>(n.op)];
    }
  }

  work_list work_;
  bool is_told_ = false;  // something new that callers look at
};

// By operation: whether it has an effect, besides giving the result.
constexpr auto kEffects = [] {
  std::array<bool, std::size(kAbout)> made{};
  for (const operation op : {operation::call, operation::apply, operation::put, operation::take,
                             operation::write_text, operation::write_int, operation::write_float,
                             operation::write_bool, operation::write_line, operation::store})
    made[static_cast<std::size_t>(op)] = true;
  return made;
}();

bool is_effect(const node& n) {
  if (!kEffects[static_cast<std::size_t>(n.op)]) return false;
  // Immediate: a store in a structure that nothing else has yet.
  return n.op != operation::store || n.immediate == 0;
}

// Which parameters a value waits for. From "all are strict" down, until nothing changes any more.
class strictness {
 public:
  explicit strictness(program& p) : work_(p) {
    for (function& f : p.functions)
      for (auto& strict : f.strict) strict.add_below(count_of(f));
  }

  std::size_t left() const { return work_.size(); }
  // left() > 0
  void step() {
    function& f = *work_.next();
    if (pass(f)) work_.add_callers(f);
  }

 private:
  // Two sets of parameters: for a call whose result is wanted, and for one whose is not.
  using sets = std::uint64_t;
  static constexpr std::size_t kParameters = 32;  // that one word has bits for
  static constexpr sets kAll = ~sets{0};
  static constexpr sets kHalf[] = {kAll >> 32, kAll << 32};

  static std::size_t count_of(const function& f) { return f.parameters.size() + f.packed; }

  // What is found of a parameter does not depend on the others, so they are taken some at a time.
  bool pass(function& f) {
    bool is_changed = false;
    for (first_ = 0; first_ < count_of(f); first_ += kParameters) is_changed |= pass_some(f);
    return is_changed;
  }

  // Of a parameter, or of an element behind them, if it is one of those that are looked at.
  sets bits_of(std::size_t parameter) const {
    const std::size_t i = parameter - first_;
    return i < kParameters ? sets{1} << i | sets{1} << (i + kParameters) : 0;
  }

  bool pass_some(function& f) {
    if (f.strict[0].empty() && f.strict[1].empty()) return false;
    const std::size_t first = first_, count = std::min(count_of(f) - first, kParameters);
    needs_.assign(f.values.size(), 0);
    control_.assign(f.nodes.size(), 0);
    entered_.assign(f.regions.size(), 0);
    for (std::size_t i = 0; i < f.parameters.size(); ++i) needs_[f.parameters[i]] = bits_of(i);
    const sets strict = strict_in(f);
    bool is_changed = false;
    for (const std::size_t unwanted : {0, 1})
      for (std::size_t i = 0; i < count; ++i)
        if ((strict >> (i + unwanted * kParameters) & 1) == 0)
          is_changed |= f.strict[unwanted].remove(first + i);
    return is_changed;
  }

  sets strict_in(const function& f) {
    sets strict = kAll;
    for (const node* n : f.order) {  // in which calls wait for nothing
      sets needed = entered_[n->in->number];
      needed |= n->op == operation::call ? call_needs(*n) : operands_need(*n);
      if (n->op == operation::give)
        strict &= needed | kHalf[1];
      else if (is_effect(*n))
        strict &= needed;
      if (f.packed != 0)
        if (const std::size_t element = packed_element(f, *n); element < f.packed)
          needed |= bits_of(f.parameters.size() + element);
      if (n->op == operation::fail) needed = kAll;
      control_[n->number] = needed;
      if (n->to != kNoValue) needs_[n->to] = needed;
      if (n->op == operation::choice)
        entered_[n->yes->number] = entered_[n->no->number] = needed;
      else if (n->op == operation::merge)
        merge(*n->in->of);
    }
    return strict;
  }

  sets operands_need(const node& n) const {
    if (n.op == operation::apply) return needs_[n.operands[0]];
    sets needed = 0;
    for (const value v : n.operands) needed |= needs_[v];
    return needed;
  }

  sets call_needs(const node& n) const {
    sets needed = 0;
    std::size_t i = 0;
    const auto add = [&](value v) {
      if (const sets mask = call_waits(n, i++); mask != 0) needed |= needs_[v] & mask;
    };
    for (const value v : n.operands) add(v);
    if (n.callee->packed != 0)
      for (const value v : packed_by(n)) add(v);
    return needed;
  }

  // The last call of a function whose result nobody wants is one of these, too.
  static sets call_waits(const node& n, std::size_t parameter) {
    if (!n.is_tail) return waits_for(n, parameter) ? kAll : 0;
    sets mask = 0;
    for (const std::size_t unwanted : {0, 1})
      if (n.callee->strict[unwanted].contains(parameter)) mask |= kHalf[unwanted];
    return mask;
  }

  // What a choice gives waits for what both sides wait for: known when all merges have been seen.
  void merge(const node& choice) {
    if (choice.to == kNoValue || !choice.merge->merge) return;
    sets both = kAll;
    for (const node* m = choice.merge; m; m = m->merge) both &= control_[m->number];
    needs_[choice.to] |= both;
  }

  work_list work_;
  // Of the function that is looked at.
  std::size_t first_ = 0;  // of the parameters that are looked at
  std::vector<sets> needs_;  // of each value
  std::vector<sets> control_;  // of each node; none before it is looked at
  std::vector<sets> entered_;  // of each region: of its choice
};

}  // namespace

void find_kinds_and_strict(program& p) {
  for (kinds known(p); known.left() != 0;) known.step();
  for (strictness strict(p); strict.left() != 0;) strict.step();
}

namespace {

// The condition, ahead of the choice, as a bool.
void make_condition(function& f, node& choice) {
  node& made = f.nodes.emplace_back();
  f.values.emplace_back(0);
  made.op = operation::compute;
  made.code = tl0::opcode::unequal_int;
  made.operands = {choice.operands[0], static_cast<value>(f.values.size() - 1)};
  f.values.emplace_back(value_info::made::by_node, kind::boolean, &made, std::string_view());
  made.to = choice.operands[0] = static_cast<value>(f.values.size() - 1);
  made.where = choice.where;
  made.in = choice.in;
  made.number = static_cast<std::uint32_t>(f.nodes.size() - 1);
  auto& nodes = choice.in->nodes;
  nodes.insert(std::find(nodes.begin(), nodes.end(), &choice), &made);
  f.order.insert(std::find(f.order.begin(), f.order.end(), &choice), &made);
}

}  // namespace

void make_conditions(function& f) {
  for (const region& side : f.regions) {
    if (!side.of || &side != side.of->yes) continue;  // a choice once
    const value_info& condition = f.values[side.of->operands[0]];
    if (condition.is != kind::boolean && condition.by != value_info::made::constant)
      make_condition(f, *side.of);
  }
}

std::size_t packed_element(const function& f, const node& n) {
  if (f.packed == 0 || n.op != operation::fetch || n.operands[0] != f.parameters[0])
    return f.packed;
  return static_cast<std::size_t>(f.values[n.operands[1]].bits);
}

value_list packed_by(const node& call) {
  value_list made;
  for (const node* n : call.in->nodes)
    if (n->op == operation::store && n->operands[0] == call.operands[0])
      made.push_back(n->operands[2]);
  return made;
}

}  // namespace idc::graph
