// SPDX-License-Identifier: Apache-2.0
// Definitions, scopes, and what functions capture.
#include <algorithm>
#include <unordered_set>

#include "languages/id/names/resolver.hpp"
#include "languages/support/groups.hpp"
#include "languages/support/suggestions.hpp"

namespace idc {

void resolve(program& of, environment& known, frontend::arena& memory, frontend::messages& report,
             const place_finder& place_of) {
  resolver(known, of, memory, report, place_of).run();
}

resolver::scope::~scope() {
  auto& list = of_.shadowed_;
  for (; list.size() > first_; list.pop_back())
    of_.known_.values[list.back().name] = list.back().was;
}

void resolver::run() {
  declare_types();
  group all{++known_.groups, {}, -1};
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    function& f = *program_.functions[i];
    if (!seen.insert(f.name).second)
      error(f.where, "'" + std::string(f.name) + "' is defined twice");
    known_.values[f.name] = declare(f, &all, static_cast<int>(i));
  }
  for (annotation& a : program_.annotations) {
    check(*a.is, nullptr);
    if (!seen.contains(a.name)) {
      error(a.where, "'" + std::string(a.name) + "' is not defined in this program");
      continue;
    }
    known_.values[a.name]->defined_by->annotation = a.is;
  }
  all.needs.resize(program_.functions.size());
  open_.push_back(&all);
  for (function* f : program_.functions) {
    ++all.current;
    walk(*f);
  }
  open_.pop_back();
  for (const std::vector<int>& members : frontend::groups_of(all.needs)) {
    program_.groups.emplace_back();
    for (int i : members) program_.groups.back().push_back(program_.functions[i]);
  }
  complete_captures();
}

namespace {

constexpr std::string_view kOwn[] = {"int",  "float", "bool",   "string",  "void",
                                     "list", "array", "matrix", "M_array", "M_matrix"};

bool is_own_type(std::string_view name) { return std::ranges::find(kOwn, name) != std::end(kOwn); }

}  // namespace

void resolver::declare_types() {
  for (datatype* d : program_.types)
    if (is_own_type(d->name))
      error(d->where, "the type '" + std::string(d->name) + "' is there in every program");
    else if (!known_.types.emplace(d->name, d).second)
      error(d->where, "the type '" + std::string(d->name) + "' is defined twice");
  for (datatype* d : program_.types)
    for (constructor* c : d->constructors) declare(*c);
}

void resolver::declare(constructor& c) {
  if (!known_.constructors.emplace(c.name, &c).second)
    error(c.where, "the constructor '" + std::string(c.name) + "' is defined twice");
  for (const type_expression* field : c.fields) check(*field, c.of);
}

// The type's names are known; `of`: its variables are those of this type.
void resolver::check(const type_expression& t, const datatype* of) {
  if (t.is == type_expression::kind::name) {
    const auto found = known_.types.find(t.name);
    const bool is_own = is_own_type(t.name);
    if (found == known_.types.end() && !is_own) {
      std::vector<std::string_view> names(std::begin(kOwn), std::end(kOwn));
      for (const auto& [name, type] : known_.types) names.push_back(name);
      return unknown(t.where, "type", t.name, names);
    }
    const std::size_t wanted =
        is_own ? std::ranges::find(kOwn, t.name) - kOwn >= 5 : found->second->parameters.size();
    if (wanted != t.parts.size())
      error(t.where, "the type '" + std::string(t.name) + "' takes " + std::to_string(wanted) +
                         " parameters, not " + std::to_string(t.parts.size()));
  }
  if (t.is == type_expression::kind::variable && of &&
      std::ranges::find(of->parameters, t.name) == of->parameters.end())
    error(t.where, "'*" + std::string(t.name) + "' is not a parameter of the type '" +
                       std::string(of->name) + "'");
  for (const type_expression* part : t.parts) check(*part, of);
}

variable* resolver::declare(function& f, group* in, int member) {
  f.named = memory_.make<variable>();
  f.named->is = variable_kind::function;
  f.named->name = f.name;
  f.named->where = f.where;
  f.named->defined_by = &f;
  f.named->owner = here_;
  f.named->group = in->number;
  f.named->member = member;
  return f.named;
}

void resolver::bind(variable* v) {
  variable*& now = known_.values[v->name];
  shadowed_.push_back({v->name, now});
  now = v;
}

variable* resolver::bind_local(std::string_view name, position where, group* in, int member) {
  variable* v = memory_.make<variable>();
  v->name = name;
  v->where = where;
  v->owner = here_;
  v->group = in ? in->number : 0;
  v->member = member;
  bind(v);
  return v;
}

// The name is used here: by the definitions around this place that see it, and by all functions
// between here and where it is local.
void resolver::use(variable& v) {
  for (group* g : open_)
    if (g->number == v.group && g->current >= 0) g->needs[g->current].push_back(v.member);
  const bool is_local_function = v.is == variable_kind::function && v.owner;
  if (v.is != variable_kind::local && !is_local_function) return;
  for (function* f = here_; f && f != v.owner; f = f->owner) {
    if (is_local_function)
      f->uses.push_back(v.defined_by);
    else if (std::ranges::find(f->captured, &v) == f->captured.end())
      f->captured.push_back(&v);
  }
}

// A function captures what the local functions capture that it uses.
void resolver::complete_captures() {
  for (function* f : program_.all) {
    std::ranges::sort(f->uses);
    f->uses.erase(std::unique(f->uses.begin(), f->uses.end()), f->uses.end());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (function* f : program_.all)
      for (const function* used : f->uses)
        for (std::size_t i = 0; i < used->captured.size(); ++i) {
          variable* v = used->captured[i];
          if (std::ranges::find(f->captured, v) != f->captured.end()) continue;
          f->captured.push_back(v);
          changed = true;
        }
  }
}

void resolver::unknown(position where, std::string_view what, std::string_view name,
                       const std::vector<std::string_view>& candidates) {
  const std::string_view meant = frontend::nearest(name, candidates);
  std::string text = "there is no " + std::string(what) + " '" + std::string(name) + "'";
  if (!meant.empty()) text += "; did you mean '" + std::string(meant) + "'?";
  error(where, text);
}

}  // namespace idc
