// SPDX-License-Identifier: Apache-2.0
// How the result of main comes to be printed: a function for each type, whose pieces are written
// one after the other, as each waits for what the one before gave.
#include "languages/id/graph/builder.hpp"

namespace idc::graph {

using tl0::opcode;

kind builder::kind_of_argument(const type& t) const {
  switch (t.is) {
    case type_kind::integer:
      return kind::integer;
    case type_kind::real:
      return kind::real;
    case type_kind::boolean:
      return kind::boolean;
    default:
      throw unsupported{
          core_.main->where,
          "a main whose arguments are other than int, float and bool is not compiled"};
  }
}

// The first block: calls the program's main, prints what it gives.
void builder::make_main() {
  f_ = make("main", core_.main->where);
  out_.main = f_;
  out_.main_parameters = core_.main_parameters;
  now_ = f_->body;
  if (core_.main_parameters.size() > tl0::kWordsMax)
    throw unsupported{f_->where, "a main of more than 4 parameters is not compiled yet"};
  for (std::size_t i = 0; i < core_.main_parameters.size(); ++i) {
    const value made = add_parameter(*f_, core_.main->slots[core_.main->parameters[i]]);
    f_->values[made].is = kind_of_argument(*resolved(core_.main_parameters[i]));
  }
  const value_list arguments = f_->parameters;
  if (!globals_.empty()) {
    const auto count = static_cast<std::int64_t>(globals_.size());
    f_->globals = add(operation::allocate, {constant(count)}, f_->where);
    std::vector<const core::function*> in_order(globals_.size());
    for (const auto& [global, at] : globals_) in_order[static_cast<std::size_t>(at)] = global;
    for (const core::function* global : in_order) {
      const value made = fresh(global->name);
      add_call(of(*global), with_globals({}, *global), global->where, made);
      add(operation::store, {f_->globals, constant(globals_.at(global)), made}, global->where,
          kNoValue)
          .immediate = 1;
    }
  }
  function* const program_main = of(*core_.main);
  program_main->name = "main.main";
  const value result = fresh("result");
  add_call(program_main, with_globals(arguments, *core_.main), f_->where, result);
  const value printed = print(result, core_.main_result, false, constant(0));
  add(operation::write_line, {printed}, f_->where);
}

value builder::write(std::string_view text, value after) {
  if (text.empty()) return after;
  out_.texts.emplace_back(text);
  return add(operation::write_text, {after}, f_->where,
             static_cast<std::int64_t>(out_.texts.size() - 1));
}

// Gives what the next piece waits for.
value builder::print(value v, type* t, bool as_field, value after) {
  t = resolved(t);
  switch (t->is) {
    case type_kind::integer:
      return add(operation::write_int, {after, v}, f_->where);
    case type_kind::real:
      return add(operation::write_float, {after, v}, f_->where);
    case type_kind::boolean:
      return add(operation::write_bool, {after, v}, f_->where);
    case type_kind::list:
    case type_kind::tuple:
    case type_kind::data:
    case type_kind::array:
    case type_kind::matrix:
    case type_kind::m_array:
    case type_kind::m_matrix:
    case type_kind::string: {
      const value to = fresh();
      add_call(printer_of(t, as_field), {v, after}, f_->where, to);
      return to;
    }
    default: {
      // It is waited for, though nothing of it is seen.
      const value seen = compute(opcode::subtract_int, {v, v}, f_->where);
      const value both = compute(opcode::add_int, {seen, after}, f_->where);
      return write(t->is == type_kind::arrow ? "<function>" : "()", both);
    }
  }
}

function* builder::printer_of(type* t, bool as_field) {
  type_words spell;
  const std::string words = spell(t);
  if (!spell.is_whole())
    throw unsupported{f_->where, "a result whose type has more than " +
                                     std::to_string(type_words::kWordsMax) +
                                     " words is not compiled yet"};
  const bool matters = as_field && t->is == type_kind::data;
  draft*& made = printers_[words + (matters ? " field" : "")];
  if (made) return ask_for(made);
  draft* const added = made = make("print", f_->where);
  for (const char* name : {"what", "after"}) add_parameter(*added, name);
  later(added, [this, added, t, matters] { fill_printer(*added, t, matters); });
  return ask_for(added);
}

void builder::fill_printer(draft& made, type* t, bool as_field) {
  f_ = &made;
  now_ = made.body;
  const value v = made.parameters[0], after = made.parameters[1];
  switch (t->is) {
    case type_kind::list:
      return print_list(made, t, false);
    case type_kind::tuple:
      return print_tuple(t, v, after);
    case type_kind::data:
      return print_data(t, v, after, as_field);
    case type_kind::string:
      return print_string(v, after, 0, facts_.texts.size());
    default:
      return print_array(made, t);
  }
}

void builder::print_list(function& made, type* t, bool is_rest) {
  const value v = made.parameters[0], after = made.parameters[1];
  const std::string key = type_words()(t) + " rest";
  if (!printers_[key]) {
    draft* const rest = printers_[key] = make("print_rest", made.where);
    ask_for(rest);
    for (const char* name : {"what", "after"}) add_parameter(*rest, name);
    later(rest, [this, rest, t] {
      f_ = rest;
      now_ = rest->body;
      print_list(*rest, t, true);
    });
  }
  const value tag = add(operation::tag, {v}, made.where);
  const value is_cell = compute(opcode::equal_int, {tag, constant(1)}, made.where);
  node& choice = begin_choice(is_cell, made.where, kNoValue);
  in(*choice.yes, [&] {
    const value cell = add(operation::pointer, {v}, made.where);
    const value head = add(operation::fetch, {cell, constant(0)}, made.where);
    const value printed = print(head, t->parts[0], false, write(is_rest ? ", " : "{: ", after));
    const value tail = add(operation::fetch, {cell, constant(1)}, made.where);
    add_call(printers_[key], {tail, printed}, made.where, kNoValue).is_tail = true;
  });
  in(*choice.no, [&] { give(write(is_rest ? " :}" : "nil", after)); });
}

void builder::print_tuple(type* t, value v, value after) {
  const value whole = add(operation::pointer, {v}, f_->where);
  for (std::size_t i = 0; i < t->parts.size(); ++i) {
    const value part =
        add(operation::fetch, {whole, constant(static_cast<std::int64_t>(i))}, f_->where);
    after = print(part, t->parts[i], false, write(i == 0 ? "(" : ", ", after));
  }
  give(write(")", after));
}

void builder::print_data(type* t, value v, value after, bool as_field) {
  const value tag = add(operation::tag, {v}, f_->where);
  const std::size_t count = t->of->constructors.size();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const value is_this =
        compute(opcode::equal_int, {tag, constant(static_cast<std::int64_t>(i))}, f_->where);
    node& choice = begin_choice(is_this, f_->where, kNoValue);
    in(*choice.yes, [&] { print_constructor(t, i, v, after, as_field); });
    now_ = choice.no;
  }
  print_constructor(t, count - 1, v, after, as_field);
}

void builder::print_constructor(type* t, std::size_t tag, value v, value after, bool as_field) {
  const constructor& made = *t->of->constructors[tag];
  type* fields = types_.instance(made.known_as);
  type* result = fields;
  while (resolved(result)->is == type_kind::arrow) result = resolved(result)->parts[1];
  types_.unify(result, t);
  const bool is_enclosed = as_field && !made.fields.empty();
  after = write((is_enclosed ? "(" : "") + std::string(made.name), after);
  const value whole = made.fields.empty() ? kNoValue : add(operation::pointer, {v}, f_->where);
  for (std::size_t i = 0; i < made.fields.size(); ++i) {
    fields = resolved(fields);
    const value part =
        add(operation::fetch, {whole, constant(static_cast<std::int64_t>(i))}, f_->where);
    after = print(part, fields->parts[0], true, write(" ", after));
    fields = fields->parts[1];
  }
  give(is_enclosed ? write(")", after) : after);
}

// By halves: the number of the text is between the two.
void builder::print_string(value v, value after, std::size_t first, std::size_t last) {
  if (last - first <= 1) {
    const value seen = compute(opcode::subtract_int, {v, v}, f_->where);
    const value both = compute(opcode::add_int, {seen, after}, f_->where);
    if (core_.texts.empty()) return give(both);
    give(add(operation::write_text, {both}, f_->where, static_cast<std::int64_t>(first)));
    return;
  }
  const std::size_t middle = first + (last - first) / 2;
  const value below =
      compute(opcode::less_int, {v, constant(static_cast<std::int64_t>(middle))}, f_->where);
  node& choice = begin_choice(below, f_->where, kNoValue);
  in(*choice.yes, [&] { print_string(v, after, first, middle); });
  in(*choice.no, [&] { print_string(v, after, middle, last); });
}

// elements(structure, number, count, columns, ahead, after): from the number on, and the end.
function* builder::elements_of(type* t) {
  const bool is_m = t->is == type_kind::m_array || t->is == type_kind::m_matrix;
  draft* const made = make("print_elements", f_->where);
  ask_for(made);
  for (const char* name : {"elements", "number", "count", "columns", "ahead", "after"})
    add_parameter(*made, name);
  later(made, [this, made, t, is_m] {
    f_ = made;
    now_ = made->body;
    const auto& p = made->parameters;
    const value more = compute(opcode::less_int, {p[1], p[2]}, made->where);
    node& choice = begin_choice(more, made->where, kNoValue);
    in(*choice.yes, [&] {
      const value at = compute(opcode::add_int, {p[1], p[4]}, made->where);
      const value element = add(is_m ? operation::take : operation::fetch, {p[0], at}, made->where);
      const value is_first = compute(opcode::equal_int, {p[1], constant(0)}, made->where);
      const value column = compute(opcode::remainder_int, {p[1], p[3]}, made->where);
      const value begins = compute(opcode::equal_int, {column, constant(0)}, made->where);
      const value marked = fresh(), other = fresh();
      node& mark = begin_choice(is_first, made->where, marked);
      in(*mark.yes, [&] { merge(mark, p[5], made->where); });
      in(*mark.no, [&] {
        node& row = begin_choice(begins, made->where, other);
        in(*row.yes, [&] { merge(row, write("; ", p[5]), made->where); });
        in(*row.no, [&] { merge(row, write(", ", p[5]), made->where); });
        merge(mark, other, made->where);
      });
      const value printed = print(element, t->parts[0], false, marked);
      const value next = compute(opcode::add_int, {p[1], constant(1)}, made->where);
      add_call(made, {p[0], next, p[2], p[3], p[4], printed}, made->where, kNoValue).is_tail = true;
    });
    in(*choice.no, [&] { give(write("]", p[5])); });
  });
  return made;
}

void builder::print_array(function& made, type* t) {
  const bool is_m = t->is == type_kind::m_array || t->is == type_kind::m_matrix;
  const std::int64_t dimensions =
      t->is == type_kind::matrix || t->is == type_kind::m_matrix ? 2 : 1;
  const value v = made.parameters[0];
  value_list bounds;
  for (std::int64_t i = 0; i < 2 * dimensions; ++i) bounds.push_back(bound(v, i, made.where));
  const value count = add(operation::extent, bounds, made.where);
  // A vector has one row, which is longer than it is.
  const value columns =
      dimensions == 1
          ? compute(opcode::add_int, {count, constant(1)}, made.where)
          : compute(opcode::maximum_int,
                    {add(operation::extent, {bounds[2], bounds[3]}, made.where), constant(1)},
                    made.where);
  const value elements = data_of(v, is_m, dimensions, made.where);
  const value begun = write("[", made.parameters[1]);
  add_call(elements_of(t), {elements, constant(0), count, columns, constant(2 * dimensions), begun},
           made.where, kNoValue)
      .is_tail = true;
}

}  // namespace idc::graph
