// SPDX-License-Identifier: Apache-2.0
// -fpipeline-reads, outside loops: several blocking reads whose order nobody can tell are issued
// together, before their statement. Those of one expression: C leaves open which is evaluated
// first. Those of statements one behind the other that go through one pointer: a processor serves
// the accesses of another one in their order.
#include <algorithm>

#include "languages/splitc/compiler/optimise/passes.hpp"
#include "languages/splitc/compiler/optimise/reads.hpp"

namespace splitcc {
namespace {

// A statement with an expression in it that is evaluated first, and once.
struct evaluation {
  std::vector<node**> values;  // the expression; of a call its arguments
  const entity* target = nullptr;  // a private scalar that the statement gives the value, if that
      // is all it does
};

bool is_pure(const node* e) { return changes_nothing(effects_of(e)); }

const entity* private_scalar(const entity* e) {
  return e && is_private(e) && is_scalar(e->type.of) ? e : nullptr;
}

evaluation of_expression(node*& e) {
  node* n = bare(e);
  if (n->kind == node_kind::call) {
    const node* callee = plain(n->children[0]);
    evaluation arguments;
    if (callee->kind == node_kind::name && callee->referred && !callee->referred->is_library)
      for (node*& argument : n->children.subspan(1)) arguments.values.push_back(&argument);
    return arguments;
  }
  if (n->kind != node_kind::assignment || n->op == punctuator::split_phase ||
      n->op == punctuator::store || !is_pure(n->children[0]))
    return {};
  evaluation found = of_expression(n->children[1]);
  if (found.values.empty() && bare(n->children[1])->kind != node_kind::call)
    found.values = {&n->children[1]};
  const bool is_whole =
      n->op == punctuator::assign && bare(n->children[1])->kind != node_kind::call;
  found.target = is_whole ? private_scalar(variable_of(n->children[0])) : nullptr;
  return found;
}

evaluation of_statement(node* n) {
  switch (n->kind) {
    case node_kind::expression:
      return of_expression(n->children[0]);
    case node_kind::if_:
    case node_kind::switch_:
      return {.values = {&n->children[0]}};
    case node_kind::return_:
      return n->children[0] ? evaluation{.values = {&n->children[0]}} : evaluation{};
    case node_kind::declaration: {
      auto& declarators = n->declared->declarators;
      if (declarators.size() != 1 || !declarators[0].declared || !declarators[0].initializer)
        return {};
      const entity* v = private_scalar(declarators[0].declared);
      return v ? evaluation{.values = {&declarators[0].initializer}, .target = v} : evaluation{};
    }
    default:
      return {};
  }
}

struct site {
  node** slot;
  node* lvalue;
  qualified_type type;
};

// The pointer that names the object, if it is a private variable; null otherwise.
const entity* pointer_behind(const node* lvalue) {
  for (const node* e = bare(lvalue);; e = bare(e->children[0])) {
    const bool is_part =
        e->kind == node_kind::member ||
        (e->kind == node_kind::index && e->children[0]->type->kind != type_kind::pointer);
    if (is_part) continue;
    const bool is_end =
        e->kind == node_kind::arrow || (e->kind == node_kind::unary && e->op == punctuator::star) ||
        (e->kind == node_kind::index && is_pointer(e->children[0]->type.of, reach::global));
    if (!is_end) return nullptr;
    const entity* v = variable_of(e->children[0]);
    return v && is_private(v) ? v : nullptr;
  }
}

// Statements in a row whose reads are issued before the first of them.
struct group {
  std::vector<site> sites;
  std::set<const entity*> written;
  const entity* through = nullptr;  // all reads go through it
  std::size_t count = 0;  // statements
  bool may_grow = false;
};

class pipeline {
 public:
  explicit pipeline(const pass& p) : pass_(p) {}

  void statement(node*& n) {
    if (n->kind == node_kind::compound) return block(n);
    if (n->kind == node_kind::function_definition) return statement(n->children.back());
    if (!is_statement(n)) return;
    for (node*& child : n->children)
      if (child && is_statement(child)) {
        statement(child);
        if (child->kind != node_kind::compound && n->kind != node_kind::compound) alone(child);
      }
  }

 private:
  static constexpr std::size_t kReadsMax = 16;

  void block(node* compound) {
    const std::span<node*> items = compound->children;
    for (node*& item : items)
      if (item) statement(item);
    for (std::size_t i = 0; i < items.size();) {
      const group g = group_from(items, i);
      if (g.sites.size() >= 2) issue(items[i], g);
      i += std::max<std::size_t>(g.count, 1);
    }
  }

  // The body of a loop, a branch, what a label stands before.
  void alone(node*& n) {
    const group g = group_from({&n, 1}, 0);
    if (g.sites.size() >= 2) issue(n, g);
  }

  group group_from(std::span<node*> items, std::size_t first) const {
    group g;
    while (first + g.count < items.size()) {
      node* n = items[first + g.count];
      if (!n || !join(g, n)) break;
      ++g.count;
      if (!g.may_grow) break;
    }
    return g;
  }

  bool join(group& g, node* statement) const {
    const evaluation e = of_statement(statement);
    std::vector<site> sites;
    for (node** value : e.values) {
      const auto note = [&](node*& slot, node* lvalue, qualified_type t) {
        sites.push_back({&slot, lvalue, t});
        return &slot != &lvalue && slot->kind == node_kind::convert &&
               is_fetched_by_get(lvalue, t) && !reads_below(lvalue);
      };
      if (!is_pure(*value) || pass_.defines_types(*value) || !take_reads(*value, note))
        return false;
    }
    if (sites.empty() || g.sites.size() + sites.size() > kReadsMax) return false;
    const entity* through = common_pointer(sites);
    if (g.count > 0 && (through != g.through || !is_in_order(g, e, sites))) return false;
    g.through = through;
    g.sites.insert(g.sites.end(), sites.begin(), sites.end());
    g.may_grow = through && e.target && e.target != through && touches_nothing_else(e);
    if (e.target) g.written.insert(e.target);
    return true;
  }

  static const entity* common_pointer(const std::vector<site>& sites) {
    const entity* first = pointer_behind(sites[0].lvalue);
    const bool is_common = std::ranges::all_of(
        sites, [&](const site& s) { return pointer_behind(s.lvalue) == first; });
    return is_common ? first : nullptr;
  }

  // The statement may have its reads done before those in front of it.
  static bool is_in_order(const group& g, const evaluation& e, const std::vector<site>& sites) {
    return e.target && touches_nothing_else(e) && std::ranges::all_of(sites, [&](const site& s) {
             return std::ranges::none_of(effects_of(s.lvalue).read,
                                         [&](const entity* v) { return g.written.contains(v); });
           });
  }

  // Beside what it fetches it reads private variables only, none through a local pointer.
  static bool touches_nothing_else(const evaluation& e) {
    return std::ranges::all_of(e.values, [](node** value) {
      const effects found = effects_of(*value);
      return !found.reads_through_pointers && !reads_shared(found);
    });
  }

  void issue(node*& statement, const group& g) {
    const bool needs_scope = g.count == 1 && statement->kind != node_kind::declaration;
    std::string declares, reads, gets;
    std::vector<node*> children = {statement};
    std::vector<entity*> variables;
    for (const site& s : g.sites) {
      entity* v = pass_.variable({s.type.of, 0});
      declares += hole('@', variables.size()) + "; ";
      variables.push_back(v);
      reads += hole('%', children.size()) + "; ";
      children.push_back(pass_.assignment(punctuator::assign, pass_.use(v), *s.slot));
      gets += hole('%', children.size()) + "; ";
      children.push_back(pass_.followed_get(pass_.use(v), pass_.copy(s.lvalue)));
      *s.slot = pass_.use(v);
    }
    pass_.tell(statement, g.count == 1 ? "the reads of this expression are pipelined gets"
                                       : "the reads from here on are pipelined gets");
    const std::string text = declares + "if (splitc_all_near()) { " + reads + "} else { " + gets +
                             "splitc_sync_or_end(); } %0";
    statement = pass_.made(needs_scope ? "{ " + text + " }" : text, children, variables);
  }

  static std::string hole(char kind, std::size_t which) {
    return {kind, static_cast<char>(which < 10 ? '0' + which : 'a' + (which - 10))};
  }

  const pass& pass_;
};

}  // namespace

void pipeline_expressions(node& function, const pass& p) {
  node* body = &function;
  pipeline(p).statement(body);
}

}  // namespace splitcc
