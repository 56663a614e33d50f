// SPDX-License-Identifier: Apache-2.0
// What comes after what, and values that wait for themselves.
#include <algorithm>

#include "languages/id/graph/graph.hpp"

namespace idc::graph {

namespace {

// Depth first, on a stack of its own: a function may be very long.
class search {
 public:
  explicit search(const function& f) : f_(f), state_(f.nodes.size()) {
    order.reserve(f.nodes.size());
    stack_.reserve(kDepthExpected);
  }

  // What closes a cycle: the node, and which of its operands.
  struct back {
    node* from;
    std::size_t operand;
  };

  void run() {
    for (const node& n : f_.nodes) visit(const_cast<node*>(&n));
  }

  std::vector<node*> order;
  std::vector<back> cycles;

 private:
  static constexpr std::size_t kDepthExpected = 16;
  enum class state : std::uint8_t { fresh, open, done };
  struct step {
    node* at;
    std::size_t operand = 0;
    node* merge = nullptr;  // of the operand's: the one that was looked at last
  };

  void visit(node* first) {
    open(first);
    while (!stack_.empty()) {
      step& s = stack_.back();
      node* const next = next_of(s);
      if (next) {
        open(next);
        continue;
      }
      state_[stack_.back().at->number] = state::done;
      order.push_back(stack_.back().at);
      stack_.pop_back();
    }
  }

  void open(node* n) {
    if (state_[n->number] != state::fresh) return;
    state_[n->number] = state::open;
    stack_.push_back({n});
  }

  // What the node comes after and is not done; null: all is.
  node* next_of(step& s) {
    if (node* const around = s.at->in->of; around && state_[around->number] == state::fresh)
      return around;
    for (; s.operand < s.at->operands.size(); ++s.operand, s.merge = nullptr) {
      if (!waits_for(*s.at, s.operand)) continue;
      const value_info& v = f_.values[s.at->operands[s.operand]];
      if (!v.from) continue;
      if (!s.merge && !leads_to(s, v.from)) return v.from;
      if (v.by != value_info::made::by_choice) continue;
      for (s.merge = s.merge ? s.merge : v.from->merge; s.merge; s.merge = s.merge->merge)
        if (!leads_to(s, s.merge)) return s.merge;
    }
    return nullptr;
  }

  // Whether nothing is to be done for the operand; it is noted if it closes a cycle.
  bool leads_to(const step& s, const node* n) {
    const state is = state_[n->number];
    if (is == state::open &&
        (cycles.empty() || cycles.back().from != s.at || cycles.back().operand != s.operand))
      cycles.push_back({s.at, s.operand});
    return is != state::fresh;
  }

  const function& f_;
  std::vector<state> state_;
  std::vector<step> stack_;
};

node& add(function& f, region& in, operation op, value_list operands, position where) {
  node& made = f.nodes.emplace_back();
  made.op = op;
  made.operands = std::move(operands);
  made.where = where;
  made.in = &in;
  made.number = static_cast<std::uint32_t>(f.nodes.size() - 1);
  in.nodes.push_back(&made);
  return made;
}

value constant(function& f, std::int64_t bits) {
  f.values.emplace_back(bits);
  return static_cast<value>(f.values.size() - 1);
}

value result(function& f, node& of, kind is, std::string_view name) {
  f.values.emplace_back(value_info::made::by_node, is, &of, name);
  return of.to = static_cast<value>(f.values.size() - 1);
}

// Whether the calls' strict operands, too, are there before what waits for them.
bool is_in_order(const function& f) {
  std::vector<char> is_there(f.nodes.size());
  const auto is_made = [&](value v) {
    const value_info& info = f.values[v];
    if (!info.from) return true;
    if (is_there[info.from->number] == 0) return false;
    if (info.by != value_info::made::by_choice) return true;
    for (const node* m = info.from->merge; m; m = m->merge)
      if (is_there[m->number] == 0) return false;
    return true;
  };
  for (const node* n : f.order) {
    if (n->op == operation::call)
      for (std::size_t i = 0; i < n->operands.size(); ++i)
        if (waits_for(*n, i) && !is_made(n->operands[i])) return false;
    is_there[n->number] = 1;
  }
  return true;
}

}  // namespace

// A search would find the order that is there already where it holds: calls come behind nothing but
// the choice around them until it is known what they wait for.
void order_calls(function& f) {
  if (f.has_calls && !is_in_order(f)) cut_cycles(f);
}

void cut_cycles(function& f) {
  // What nothing makes waits for ever, in a structure that nothing writes.
  for (value v = 0; v < f.values.size(); ++v) {
    if (f.values[v].by != value_info::made::nothing) continue;
    bool is_used = false;
    for (const node& n : f.nodes)
      is_used |= std::find(n.operands.begin(), n.operands.end(), v) != n.operands.end();
    if (!is_used) continue;
    const value cell = result(f, add(f, *f.body, operation::allocate, {constant(f, 1)}, f.where),
                              kind::structure, "");
    node& got = add(f, *f.body, operation::fetch, {cell, constant(f, 0)}, f.where);
    got.to = v;
    f.values[v].by = value_info::made::by_node;
    f.values[v].from = &got;
  }
  search s(f);
  s.run();
  for (const search::back& b : s.cycles) {
    const value late = b.from->operands[b.operand];
    region& home = *f.values[late].from->in;
    const position where = b.from->where;
    const value cell =
        result(f, add(f, home, operation::allocate, {constant(f, 1)}, where), kind::structure, "");
    add(f, home, operation::store, {cell, constant(f, 0), late}, where).immediate = 1;
    node& got = add(f, home, operation::fetch, {cell, constant(f, 0)}, where);
    b.from->operands[b.operand] = result(f, got, kind::word, f.values[late].name());
  }
  if (!s.cycles.empty()) {
    search again(f);
    again.run();
    s.order = std::move(again.order);
  }
  f.order = std::move(s.order);
}

}  // namespace idc::graph
