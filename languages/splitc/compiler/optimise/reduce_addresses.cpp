// SPDX-License-Identifier: Apache-2.0
// -freduce-addresses: in a counted loop with step 1, A[i] of a spread array or pointer is reached
// by a pointer that walks along, without a division in each round.
#include "languages/splitc/compiler/optimise/passes.hpp"

namespace splitcc {
namespace {

struct walker {
  const entity* variable;
  node* first;  // A[i], as it stood
  entity* at;
};

class reduction {
 public:
  reduction(counted_loop& loop, const pass& p) : loop_(loop), pass_(p) {
    around_ = loop.body;
    around_.written.insert(loop.index);
  }

  node* turn() {
    if (loop_.step) return nullptr;
    replace(loop_.statement());
    if (walkers_.empty()) return nullptr;
    pass_.tell(loop_.loop->at, "addresses of spread elements advance with this loop");
    std::string text = "{ ", init, advance;
    std::vector<node*> children;
    std::vector<entity*> variables;
    const auto hole = [&](node* child) {
      children.push_back(child);
      return "%" + std::to_string(children.size() - 1);
    };
    text += hole(loop_.initial());
    text += loop_.declares_index ? " " : "; ";
    for (const walker& w : walkers_) {
      const std::string number = std::to_string(variables.size());
      variables.push_back(w.at);
      text += "@" + number + " = " +
              hole(pass_.unary(punctuator::ampersand, w.first, w.at->type, false, reach::local)) +
              "; ";
      const std::string name = text_of(w.at);
      advance += ", " + name + " = splitc_next_spread(" + name + ", #" + number + ")";
    }
    text += "for (; " + hole(loop_.condition()) + "; " + hole(loop_.advance()) + advance + ") ";
    text += hole(loop_.statement()) + " }";
    return pass_.made(text, children, variables);
  }

 private:
  void replace(node*& n) {
    if (node* instead = walking(n)) {
      n = instead;
      return;
    }
    for_each_child(n, [this](node*& child) { replace(child); });
  }

  // *at for A[i]; null for others.
  node* walking(node* e) {
    if (e->kind != node_kind::index || !is_global_lvalue(e) || e->children.size() != 2 ||
        e->type->kind == type_kind::spread_array)
      return nullptr;
    node* pointer = e->children[0];
    if (!is_pointer(pointer->type.of, reach::spread)) return nullptr;
    if (variable_of(plain(e->children[1])) != loop_.index) return nullptr;
    const node* named = bare(pointer);
    if (named->kind == node_kind::convert && named->converts == conversion::decay_to_spread)
      named = bare(named->children[0]);
    const entity* v = variable_of(named);
    if (!v || !is_invariant(named, around_)) return nullptr;
    entity* at = walker_for(v, e, pointer->type);
    if (!at) return nullptr;
    node* made = pass_.unary(punctuator::star, pass_.use(at), e->type, true, reach::global);
    made->at = e->at;
    return made;
  }

  entity* walker_for(const entity* v, node* e, qualified_type pointer) {
    for (const walker& w : walkers_)
      if (w.variable == v) return w.at;
    if (walkers_.size() == kWalkersMax || !is_complete(pointer->target.of)) return nullptr;
    walkers_.push_back({v, pass_.copy(e), pass_.variable({pointer.of, 0})});
    return walkers_.back().at;
  }

  static constexpr std::size_t kWalkersMax = 2;  // each is a hole more in the text

  counted_loop& loop_;
  const pass& pass_;
  effects around_;
  std::vector<walker> walkers_;
};

}  // namespace

void reduce_addresses(node& function, const pass& p) {
  node* body = &function;
  turn_loops(body, p, [&](counted_loop& l) { return reduction(l, p).turn(); });
}

}  // namespace splitcc
