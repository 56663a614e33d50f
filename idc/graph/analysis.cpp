// SPDX-License-Identifier: Apache-2.0
// What is known of all functions together: kinds of values, and strictness.
#include <algorithm>

#include "idc/graph/graph.hpp"

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

  // Null: nothing is left.
  function* next() {
    if (waiting_.empty()) return nullptr;
    function* const f = waiting_.back();
    waiting_.pop_back();
    is_waiting_[f->number] = false;
    return f;
  }
  void add_callers(const function& f) {
    for (function* caller : f.callers) add(*caller);
  }

 private:
  void add(function& f) {
    if (is_waiting_[f.number]) return;
    is_waiting_[f.number] = true;
    waiting_.push_back(&f);
  }

  std::vector<bool> is_waiting_;
  std::vector<function*> waiting_;
};

// Kinds go from what makes values to what takes them; only parameters learn theirs from uses.
class kinds {
 public:
  explicit kinds(program& p) : p_(p) {}

  void run() {
    work_list work(p_);
    while (function* f = work.next()) {
      bool is_changed = false;
      do {
        changed_ = learned_ = false;
        pass(*f);
        is_changed = is_changed || changed_;
      } while (learned_);
      if (is_changed) work.add_callers(*f);
    }
  }

 private:
  bool set(kind& to, kind k) {
    if (to != kind::word || k == kind::word) return false;
    to = k;
    return changed_ = true;
  }

  // What a node makes is known ahead of its uses: it comes before them in the order, and so do the
  // merges of what a choice gives. A function that calls itself is one of its callers.
  void pass(function& f) {
    for (const node* each : f.order) {
      const node& n = *each;
      for (std::size_t i = 0; i < n.operands.size(); ++i) learn(f, n, i);
      if (n.to != kNoValue) set(f.values[n.to].is, made_by(f, n));
      if (n.op == operation::merge && n.in->of->to != kNoValue)
        set(f.values[n.in->of->to].is, f.values[n.operands[0]].is);
      if (n.op == operation::give && !f.is_code) set(f.result, f.values[n.operands[0]].is);
      if (n.op == operation::call && n.is_tail && !f.is_code) set(f.result, n.callee->result);
    }
  }

  void learn(function& f, const node& n, std::size_t i) {
    value_info& v = f.values[n.operands[i]];
    if (v.by != value_info::made::parameter || f.is_code) return;
    const char letter = letter_of(n, i);
    if (letter != '.' && letter != 'w')
      learned_ |= set(v.is, kind_of(letter));
    else if (n.op == operation::call)
      learned_ |= set(v.is, n.callee->values[n.callee->parameters[i]].is);
  }

  kind made_by(const function& f, const node& n) const {
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
        return kind_of(about(n.op).result);
    }
  }

  program& p_;
  bool changed_ = false;
  bool learned_ = false;  // of a parameter, which nodes that were looked at already may have used
};

// Besides giving the result.
bool is_effect(const node& n) {
  switch (n.op) {
    case operation::call:
    case operation::apply:
    case operation::put:
    case operation::take:
    case operation::write_text:
    case operation::write_int:
    case operation::write_float:
    case operation::write_bool:
    case operation::write_line:
      return true;
    case operation::store:
      return n.immediate == 0;  // else of a structure that nothing else has yet
    default:
      return false;
  }
}

// Which parameters a value waits for. From "all are strict" down, until nothing changes any more.
class strictness {
 public:
  explicit strictness(program& p) : p_(p) {}

  void run() {
    for (function& f : p_.functions)
      for (auto& strict : f.strict) strict.add_below(f.parameters.size());
    work_list work(p_);
    while (function* f = work.next())
      if (pass(*f)) work.add_callers(*f);
  }

 private:
  // Two sets of parameters, for a call whose result is wanted and for one whose is not, are a row
  // of bits.
  using word = std::uint64_t;

  void unite(word* to, const word* from) const {
    for (std::size_t w = 0; w < words_; ++w) to[w] |= from[w];
  }
  void intersect(word* to, const word* from) const {
    for (std::size_t w = 0; w < words_; ++w) to[w] &= from[w];
  }
  void unite(word* to, const word* from, const word* mask) const {
    for (std::size_t w = 0; w < words_; ++w) to[w] |= from[w] & mask[w];
  }
  void copy(word* to, const word* from) const {
    for (std::size_t w = 0; w < words_; ++w) to[w] = from[w];
  }
  word* needs(value v) { return needs_.data() + v * words_; }
  word* control(const node& n) { return control_.data() + n.number * words_; }
  static void add(word* to, std::size_t bit) { to[bit / 64] |= word{1} << (bit % 64); }

  void begin(const function& f) {
    const std::size_t count = f.parameters.size();
    words_ = (2 * count + 63) / 64;
    needs_.assign(f.values.size() * words_, 0);
    control_.assign(f.nodes.size() * words_, 0);
    all_.assign(words_, ~word{0});
    for (auto& half : half_) half.assign(words_, 0);
    for (std::size_t i = 0; i < count; ++i)
      for (const std::size_t unwanted : {0, 1}) {
        add(needs(f.parameters[i]), i + unwanted * count);
        add(half_[unwanted].data(), i + unwanted * count);
      }
    strict_ = all_;
  }

  bool pass(function& f) {
    const std::size_t count = f.parameters.size();
    if (count == 0) return false;
    begin(f);
    for (const node* n : f.order) {  // in which calls wait for nothing
      word* const needed = control(*n);
      if (n->in->of) copy(needed, control(*n->in->of));
      for (std::size_t i = 0; i < n->operands.size(); ++i) add_operand(f, *n, i, needed);
      if (n->op == operation::give)
        for (std::size_t w = 0; w < words_; ++w) strict_[w] &= needed[w] | half_[1][w];
      else if (is_effect(*n))
        intersect(strict_.data(), needed);
      if (n->op == operation::fail) copy(needed, all_.data());
      if (n->to != kNoValue) copy(needs(n->to), needed);
    }
    bool is_changed = false;
    for (const std::size_t unwanted : {0, 1}) {
      frontend::bit_set& known = f.strict[unwanted];
      frontend::bit_set left;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t bit = i + unwanted * count;
        if (known.contains(i) && (strict_[bit / 64] >> (bit % 64) & 1) != 0) left.add(i);
      }
      if (left == known) continue;
      known = std::move(left);
      is_changed = true;
    }
    return is_changed;
  }

  // The last call of a function whose result nobody wants is one of these, too.
  void add_operand(const function& f, const node& n, std::size_t i, word* needed) {
    if (n.op != operation::call || !n.is_tail) {
      if (waits_for(n, i)) unite(needed, of(f, n.operands[i]));
      return;
    }
    for (const std::size_t unwanted : {0, 1})
      if (n.callee->strict[unwanted].contains(i))
        unite(needed, of(f, n.operands[i]), half_[unwanted].data());
  }

  // What a choice gives waits for what both sides wait for.
  const word* of(const function& f, value v) {
    const value_info& info = f.values[v];
    if (info.by != value_info::made::by_choice || !info.from->merge || !info.from->merge->merge)
      return needs(v);
    both_ = all_;
    for (const node* m = info.from->merge; m; m = m->merge) intersect(both_.data(), control(*m));
    unite(both_.data(), needs(v));
    return both_.data();
  }

  program& p_;
  // Of the function that is looked at: of each value, of each node.
  std::size_t words_ = 0;
  std::vector<word> needs_, control_, all_, strict_, both_;
  std::vector<word> half_[2];  // the bits for calls whose result is wanted, and the other ones
};

}  // namespace

void find_kinds(program& p) { kinds(p).run(); }
void find_strict(program& p) { strictness(p).run(); }

namespace {

// The condition, ahead of the choice, as a bool.
void make_condition(function& f, node& choice) {
  node& made = f.nodes.emplace_back();
  f.values.push_back({value_info::made::constant, kind::word, 0, nullptr, {}});
  made.op = operation::compute;
  made.code = tl0::opcode::unequal_int;
  made.operands = {choice.operands[0], static_cast<value>(f.values.size() - 1)};
  f.values.push_back({value_info::made::by_node, kind::boolean, 0, &made, {}});
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

}  // namespace idc::graph
