// SPDX-License-Identifier: Apache-2.0
#include "languages/id/infer/types.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace idc {

namespace {

bool is_in(type_kind is, type_class of) {
  const bool number = is == type_kind::integer || is == type_kind::real;
  if (of == type_class::number) return number;
  return of == type_class::any || number || is == type_kind::boolean || is == type_kind::string;
}

}  // namespace

type* resolved(type* t) {
  while (t->bound) t = t->bound;
  return t;
}

type_store::type_store(frontend::arena& memory) : memory_(memory) {
  for (int i = 0; i <= static_cast<int>(type_kind::unit); ++i) {
    plain_.push_back(memory_.make<type>());
    plain_.back()->is = static_cast<type_kind>(i);
  }
}

type* type_store::of(type_kind is, std::span<type* const> parts, const datatype* data) {
  type* made = memory_.make<type>();
  made->is = is;
  made->of = data;
  made->parts = memory_.list(parts);
  return made;
}

type* type_store::fresh(type_class in) {
  type* made = memory_.make<type>();
  made->in = in;
  made->level = level;
  if (in != type_class::any) of_class_.push_back(made);
  return made;
}

type* type_store::generic(type_class in) {
  type* made = memory_.make<type>();
  made->in = in;
  made->level = kGeneric;
  return made;
}

template <class Visit>
void type_store::walk(type* t, Visit visit) {
  t = resolved(t);
  if (t->parts.empty()) return visit(*t);
  ++walks_;
  to_visit_.push_back(t);
  while (!to_visit_.empty()) {
    type* const now = resolved(to_visit_.back());
    to_visit_.pop_back();
    if (std::exchange(now->walked, walks_) == walks_) continue;
    visit(*now);
    to_visit_.insert(to_visit_.end(), now->parts.begin(), now->parts.end());
  }
}

bool type_store::admits(type* variable, type* to) {
  bool holds = false;
  walk(to, [&](type& part) {
    holds |= &part == variable;
    if (part.is == type_kind::variable) part.level = std::min(part.level, variable->level);
  });
  return !holds;
}

bool type_store::bind(type* variable, type* to) {
  if (to->is == type_kind::variable)
    to->in = std::max(to->in, variable->in);
  else if (!is_in(to->is, variable->in))
    return false;
  if (!admits(variable, to)) {
    is_infinite = true;
    return false;
  }
  if (to->is == type_kind::variable && to->in != type_class::any) of_class_.push_back(to);
  variable->bound = to;
  return true;
}

bool type_store::unify(type* a, type* b) {
  a = resolved(a);
  b = resolved(b);
  if (a == b) return true;
  if (a->is == type_kind::variable) return bind(a, b);
  if (b->is == type_kind::variable) return bind(b, a);
  if (a->is != b->is || a->of != b->of || a->parts.size() != b->parts.size()) return false;
  if (a->parts.empty()) return true;
  if (!begin_parts()) return false;
  bool are_same = true;
  for (std::size_t i = 0; i < a->parts.size() && are_same; ++i)
    are_same = unify(a->parts[i], b->parts[i]);
  --depth_;
  if (are_same) b->bound = a;  // whatever else leads there has been compared
  return are_same;
}

type* type_store::copied(type* t) {
  t = resolved(t);
  const bool is_variable = t->is == type_kind::variable;
  if (is_variable ? t->level != kGeneric : t->parts.empty()) return t;
  if (t->copy) return t->copy;
  type* made = t;
  if (is_variable) {
    made = fresh(t->in);
  } else {
    if (!begin_parts()) return t;
    std::vector<type*> parts;
    for (type* part : t->parts) parts.push_back(copied(part));
    --depth_;
    if (!std::ranges::equal(parts, t->parts)) made = of(t->is, {parts.data(), parts.size()}, t->of);
  }
  copies_.push_back(t);
  return t->copy = made;
}

type* type_store::instance(type* t) {
  is_too_deep = false;
  type* made = copied(t);
  for (type* each : copies_) each->copy = nullptr;
  copies_.clear();
  return made;
}

void type_store::leave_level(type* t, bool generalises) {
  walk(t, [&](type& part) {
    if (part.is == type_kind::variable && part.level > level && part.level != kGeneric)
      part.level = generalises && part.in == type_class::any ? kGeneric : level;
  });
}

void type_store::settle() {
  for (type* t : of_class_)
    if (type* v = resolved(t); v->is == type_kind::variable) v->bound = plain(type_kind::integer);
  of_class_.clear();
}

std::string type_words::operator()(type* t) {
  std::string text;
  write(text, t, false);
  return text;
}

// simple: as an argument, in parentheses where it has more than one word.
void type_words::write(std::string& to, type* t, bool simple) {
  t = resolved(t);
  if (t->is == type_kind::variable) {
    to += t->in == type_class::number
              ? "number"
              : "*" + std::to_string(numbers_.emplace(t, numbers_.size()).first->second);
    return;
  }
  if (++words_ > kWordsMax) {
    to += "...";
    return;
  }
  const bool is_enclosed = t->is == type_kind::tuple || (simple && !t->parts.empty());
  if (is_enclosed) to += "(";
  write_parts(to, *t);
  if (is_enclosed) to += ")";
}

void type_words::write_parts(std::string& to, const type& t) {
  static constexpr std::array<std::string_view, 14> kNames = {
      "",      "int",    "float",   "bool",     "string", "void", "list",
      "array", "matrix", "M_array", "M_matrix", "",       "",     ""};
  if (t.is == type_kind::tuple) {
    for (std::size_t i = 0; i < t.parts.size(); ++i) {
      if (i > 0) to += ", ";
      write(to, t.parts[i], false);
    }
  } else if (t.is == type_kind::arrow) {
    write(to, t.parts[0], resolved(t.parts[0])->is == type_kind::arrow);
    to += " -> ";
    write(to, t.parts[1], false);
  } else {
    to += t.of ? t.of->name : kNames[static_cast<std::size_t>(t.is)];
    for (type* part : t.parts) {
      to += " ";
      write(to, part, true);
    }
  }
}

}  // namespace idc
