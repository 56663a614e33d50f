// SPDX-License-Identifier: Apache-2.0
// Functions: what is made of each, and the small steps by which bindings are made.
#include "idc/core/lowering.hpp"

namespace idc::core {

program lower(const idc::program& of) { return lowering(of).run(); }

program lowering::run() {
  for (idc::function* f : tree_.functions) {
    if (f->name != "main") continue;
    out_.main = of(*f);
    type* t = resolved(f->named->known_as.body);
    for (std::size_t i = 0; i < f->arity(); ++i, t = resolved(t->parts[1]))
      out_.main_parameters.push_back(t->parts[0]);
    out_.main_result = t;
  }
  while (!waiting_.empty()) {
    idc::function* f = waiting_.back();
    waiting_.pop_back();
    lower_body(*f);
  }
  return std::move(out_);
}

function* lowering::make_function(std::string name, position where) {
  auto made = std::make_unique<function>();
  made->name = std::move(name);
  made->where = where;
  made->number = static_cast<std::uint32_t>(out_.functions.size());
  made->body = made->regions.emplace_back(std::make_unique<region>()).get();
  out_.functions.push_back(std::move(made));
  return out_.functions.back().get();
}

// Local functions bear the names of those around them, so that names are not the same.
function* lowering::of(idc::function& f) {
  function*& made = functions_[&f];
  if (made) return made;
  std::string name = f.name.empty() ? "fun" : std::string(f.name);
  for (const idc::function* around = f.owner; around; around = around->owner)
    name = (around->name.empty() ? "fun" : std::string(around->name)) + "." + name;
  made = make_function(std::move(name), f.where);
  waiting_.push_back(&f);
  return made;
}

void lowering::lower_body(idc::function& f) {
  builder mine;
  mine.made = functions_[&f];
  mine.now = mine.made->body;
  b_ = &mine;
  for (const variable* v : f.captured) {
    mine.slots[v] = fresh(v->name);
    mine.made->parameters.push_back(mine.slots[v]);
  }
  slot_list values;
  for (const pattern* p : f.clauses.front()->parameters) {
    values.push_back(fresh(p->is == pattern::kind::variable ? p->name : ""));
    mine.made->parameters.push_back(values.back());
  }
  lower_clauses(f.clauses, 0, values, {}, f.where);
  b_ = nullptr;
}

// The first clause whose patterns all match.
void lowering::lower_clauses(const std::vector<clause*>& clauses, std::size_t from,
                             const slot_list& values, target to, position where) {
  if (from == clauses.size()) {
    emit(operation::no_match, to.to, {}, where);
    return;
  }
  const clause& c = *clauses[from];
  const auto body = [&] {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const pattern& p = *c.parameters[i];
      if (p.is == pattern::kind::variable) {
        b_->slots[p.bound] = values[i];
        continue;
      }
      declare(p);
      bind(p, values[i]);
    }
    lower(*c.body, to);
  };
  const slot matches = test_all(c.parameters, 0, [&](std::size_t i) { return values[i]; }, c.where);
  if (matches == kNoSlot) return body();
  choose(
      matches, to.to, body, [&] { lower_clauses(clauses, from + 1, values, to, where); }, c.where);
}

// A constructor as a function.
function* lowering::of_constructor(const constructor& c) {
  function*& made = wrappers_[std::string(c.name)];
  if (made) return made;
  made = make_function(std::string(c.name), c.where);
  builder mine{made, made->body, nullptr, {}, {}, {}};
  builder* const was = std::exchange(b_, &mine);
  for (std::size_t i = 0; i < c.fields.size(); ++i) made->parameters.push_back(fresh());
  constructed(c, made->parameters, {}, c.where);
  b_ = was;
  return made;
}

// A builtin as a function; what it works on tells which one.
function* lowering::of_builtin(const expression& e) {
  type* t = resolved(e.has);
  function*& made = wrappers_[std::string(e.refers->name) + " " + type_words()(t)];
  if (made) return made;
  made = make_function(std::string(e.refers->name), e.where);
  builder mine{made, made->body, nullptr, {}, {}, {}};
  builder* const was = std::exchange(b_, &mine);
  for (type* part = t; part->is == type_kind::arrow; part = resolved(part->parts[1]))
    made->parameters.push_back(fresh());
  const slot_list arguments = made->parameters;
  lower_builtin(*e.refers, arguments, resolved(t->parts[0]), {}, e.where);
  b_ = was;
  return made;
}

slot lowering::fresh(std::string_view name) {
  b_->made->slots.push_back(name);
  return static_cast<slot>(b_->made->slots.size() - 1);
}

// A variable of around a loop becomes a parameter of the loop.
slot lowering::slot_of(const variable& v) {
  const auto found = b_->slots.find(&v);
  if (found != b_->slots.end()) return found->second;
  b_->needed.push_back(&v);
  return b_->slots[&v] = fresh(v.name);
}

binding& lowering::emit(operation op, slot to, slot_list operands, position where) {
  binding& made = b_->now->bindings.emplace_back();
  made.op = op;
  made.to = to;
  made.operands = std::move(operands);
  made.where = where;
  return made;
}

slot lowering::value(operation op, slot_list operands, position where,
                     std::int64_t immediate) {
  const slot to = fresh();
  emit(op, to, std::move(operands), where).immediate = immediate;
  return to;
}

void lowering::deliver(slot s, target to, position where) {
  if (s == to.to) return;
  emit(to.is_result() ? operation::give : operation::move, to.to, {s}, where);
}

void lowering::choose(slot condition, slot to, const action& yes, const action& no,
                      position where) {
  const auto side = [&](const action& make) {
    region* made = b_->made->regions.emplace_back(std::make_unique<region>()).get();
    region* const was = std::exchange(b_->now, made);
    make();
    b_->now = was;
    return made;
  };
  region* const yes_side = side(yes);
  region* const no_side = side(no);
  binding& made = emit(operation::choice, to, {condition}, where);
  made.yes = yes_side;
  made.no = no_side;
}

}  // namespace idc::core
