// SPDX-License-Identifier: Apache-2.0
// Functions: what is made of each, and the small steps by which bindings are made.
#include "languages/id/core/lowering.hpp"

#include <cassert>

namespace idc::core {
program lower(const idc::program& of) {
  lowering all;
  for (const idc::function* f : of.functions) all.run(*f);
  for (const idc::function* f : of.functions)
    if (f->name == "main") return all.finish(*f);
  return {};
}

void lowering::run(const idc::function& f) {
  now_ = nullptr;
  of(f);
  while (!waiting_.empty()) {
    draft* const next = waiting_.back();
    waiting_.pop_back();
    lower_body(*next);
  }
}

program lowering::finish(const idc::function& main) {
  program made;
  type* t = resolved(main.named->known_as.body);
  for (std::size_t i = 0; i < main.arity(); ++i, t = resolved(t->parts[1]))
    made.main_parameters.push_back(t->parts[0]);
  made.main_result = t;
  draft* const first = &functions_.at(&main);
  made.main = first->known;
  number(made, std::move(first->made));
  waiting_ = {first};
  while (!waiting_.empty()) {
    draft* const next = waiting_.back();
    waiting_.pop_back();
    number_used(made, *next);
  }
  return made;
}

void lowering::number(program& to, std::unique_ptr<function> made) {
  made->number = static_cast<std::uint32_t>(to.functions.size());
  to.functions.push_back(std::move(made));
}

void lowering::number_used(program& to, draft& by) {
  const auto texts_before = static_cast<std::int64_t>(to.texts.size());
  const auto number_texts = [&](const function& in) {
    if (by.texts.empty()) return;
    each_binding(*in.body, [&](binding& b) {
      if (b.op == operation::text) b.immediate += texts_before;
    });
  };
  number_texts(*by.known);
  for (draft::use& each : by.uses) {
    if (each.loop) {
      each.loop->name =
          each.around->name + "." + std::string(each.kind) + std::to_string(to.functions.size());
      number_texts(*each.loop);
      number(to, std::move(each.loop));
      continue;
    }
    draft& used = *each.of;
    if (!used.made) continue;
    if (used.is_builtin) {
      used.made->where = each.where;
      each_binding(*used.made->body, [&](binding& b) { b.where = each.where; });
    }
    number(to, std::move(used.made));
    if (used.from) waiting_.push_back(&used);
  }
  for (std::string& text : by.texts) to.texts.push_back(std::move(text));
}

std::unique_ptr<function> lowering::make_function(std::string name, position where) {
  auto made = std::make_unique<function>();
  made->name = std::move(name);
  made->where = where;
  made->body = made->regions.emplace_back(std::make_unique<region>()).get();
  return made;
}

// Local functions bear the names of those around them, so that names are not the same.
function* lowering::of(const idc::function& f) {
  draft* const found = find(functions_, &f, [&](draft& d) {
    std::string name = f.name.empty() ? "fun" : std::string(f.name);
    for (const idc::function* around = f.owner; around; around = around->owner)
      name = (around->name.empty() ? "fun" : std::string(around->name)) + "." + name;
    begin(d, std::move(name), f.where);
    d.from = &f;
    waiting_.push_back(&d);
  });
  if (now_) now_->uses.push_back({found, nullptr, nullptr, {}, {}});
  return found->known;
}

void lowering::begin(draft& d, std::string name, position where) {
  d.made = make_function(std::move(name), where);
  d.known = d.made.get();
}

void lowering::lower_body(draft& to) {
  const idc::function& f = *to.from;
  now_ = &to;
  builder mine;
  mine.made = to.known;
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
  draft* const found = find(wrappers_, std::string(c.name), [&](draft& d) {
    begin(d, std::string(c.name), c.where);
    builder mine{d.known, d.known->body, nullptr, {}, {}, {}, {}};
    builder* const was = std::exchange(b_, &mine);
    for (std::size_t i = 0; i < c.fields.size(); ++i) d.known->parameters.push_back(fresh());
    constructed(c, d.known->parameters, {}, c.where);
    b_ = was;
  });
  now_->uses.push_back({found, nullptr, nullptr, {}, {}});
  return found->known;
}

// A builtin as a function; what it works on tells which one.
function* lowering::of_builtin(const expression& e) {
  type* t = resolved(e.has);
  const std::string key = std::string(e.refers->name) + " " + type_words()(t);
  draft* const found = find(wrappers_, key, [&](draft& d) {
    begin(d, std::string(e.refers->name), e.where);
    d.is_builtin = true;
    builder mine{d.known, d.known->body, nullptr, {}, {}, {}, {}};
    builder* const was = std::exchange(b_, &mine);
    for (type* part = t; part->is == type_kind::arrow; part = resolved(part->parts[1]))
      d.known->parameters.push_back(fresh());
    const slot_list arguments = d.known->parameters;
    lower_builtin(*e.refers, arguments, resolved(t->parts[0]), {}, e.where);
    b_ = was;
  });
  now_->uses.push_back({found, nullptr, nullptr, {}, e.where});
  return found->known;
}

slot lowering::fresh(std::string_view name, builder& in) {
  in.made->slots.push_back(name);
  return static_cast<slot>(in.made->slots.size() - 1);
}

// A variable of around a loop becomes a parameter of the loop; one for all that are the same there.
slot lowering::slot_of(const variable& v, builder& in) {
  const auto found = in.slots.find(&v);
  if (found != in.slots.end()) return found->second;
  assert(in.around);
  const slot outer = slot_of(v, *in.around);
  for (const auto& [known, here] : in.kept)
    if (known == outer) return in.slots[&v] = here;
  in.needed.push_back(&v);
  const slot here = fresh(v.name, in);
  in.kept.emplace_back(outer, here);
  return in.slots[&v] = here;
}

binding& lowering::emit(operation op, slot to, slot_list operands, position where) {
  std::vector<binding>& all = b_->now->bindings;
  binding& made = all.emplace_back();
  made.op = op;
  made.to = to;
  made.operands = std::move(operands);
  made.where = where;
  return made;
}

slot lowering::value(operation op, slot_list operands, position where, std::int64_t immediate) {
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
