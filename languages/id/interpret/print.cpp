// SPDX-License-Identifier: Apache-2.0
// Values as text. What is still to be printed stands on a stack of its own: lists and trees are as
// deep as the program makes them.
#include <bit>

#include "languages/id/interpret/machine.hpp"
#include "languages/support/number_text.hpp"

namespace idc::interpret {
namespace {

// A piece of text, or a cell with its type.
struct piece {
  std::string text;
  const cell* what = nullptr;
  type* is = nullptr;
  bool as_field = false;  // in parentheses where it has more than one word
  bool as_rest = false;   // of a list that is begun
};

class value_printer {
 public:
  value_printer(type_store& types, std::string& to) : types_(types), to_(to) {}

  bool run(const cell& c, type* t) {
    left_.push_back({"", &c, t, false, false});
    while (!left_.empty()) {
      const piece p = left_.back();
      left_.pop_back();
      to_ += p.text;
      if (!p.what) continue;
      if (!p.what->is_present()) return false;
      print(p, p.what->holds, *resolved(p.is));
    }
    return true;
  }

 private:
  void print(const piece& p, value v, const type& t) {
    switch (t.is) {
      case type_kind::integer:
        to_ += std::to_string(static_cast<std::int64_t>(v));
        return;
      case type_kind::real:
        to_ += frontend::number_text(std::bit_cast<double>(v));
        return;
      case type_kind::boolean:
        to_ += v != 0 ? "true" : "false";
        return;
      case type_kind::string:
        to_ += *std::bit_cast<const std::string*>(v);
        return;
      case type_kind::list:
        return print_list(p, *std::bit_cast<const object*>(v), t);
      case type_kind::tuple:
        return print_tuple(*std::bit_cast<const object*>(v), t);
      case type_kind::data:
        return print_data(p, *std::bit_cast<const object*>(v), t);
      case type_kind::array:
      case type_kind::matrix:
      case type_kind::m_array:
      case type_kind::m_matrix:
        return print_array(*std::bit_cast<const array*>(v), t);
      case type_kind::arrow:
        to_ += "<function>";
        return;
      default:
        to_ += "()";
    }
  }

  // Pieces come off the stack in the order of `pieces`.
  void push(std::vector<piece> pieces) {
    for (auto p = pieces.rbegin(); p != pieces.rend(); ++p) left_.push_back(std::move(*p));
  }

  void print_list(const piece& p, const object& o, const type& t) {
    if (o.tag == 0) {
      to_ += p.as_rest ? " :}" : "nil";
      return;
    }
    push({{p.as_rest ? ", " : "{: ", &o.fields[0], t.parts[0], false, false},
          {"", &o.fields[1], p.is, false, true}});
  }

  void print_tuple(const object& o, const type& t) {
    std::vector<piece> pieces;
    for (std::size_t i = 0; i < o.fields.size(); ++i)
      pieces.push_back({i == 0 ? "(" : ", ", &o.fields[i], t.parts[i], false, false});
    pieces.push_back({")"});
    push(std::move(pieces));
  }

  void print_data(const piece& p, const object& o, const type& t) {
    const constructor& made = *t.of->constructors[static_cast<std::size_t>(o.tag)];
    type* fields = types_.instance(made.known_as);
    type* result = fields;
    while (resolved(result)->is == type_kind::arrow) result = resolved(result)->parts[1];
    types_.unify(result, p.is);
    const bool is_enclosed = p.as_field && !o.fields.empty();
    std::vector<piece> pieces = {{(is_enclosed ? "(" : "") + std::string(made.name)}};
    for (cell& field : o.fields) {
      fields = resolved(fields);
      pieces.push_back({" ", &field, fields->parts[0], true, false});
      fields = fields->parts[1];
    }
    if (is_enclosed) pieces.push_back({")"});
    push(std::move(pieces));
  }

  void print_array(const array& a, const type& t) {
    std::vector<piece> pieces = {{"["}};
    const std::int64_t columns =
        a.dimensions == 1 ? 0 : std::max<std::int64_t>(a.bounds[3] - a.bounds[2] + 1, 0);
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
      const bool begins_row = columns != 0 && i % static_cast<std::size_t>(columns) == 0;
      pieces.push_back({i == 0       ? ""
                        : begins_row ? "; "
                                     : ", ",
                        &a.cells[i], t.parts[0], false, false});
    }
    pieces.push_back({"]"});
    push(std::move(pieces));
  }

  type_store& types_;
  std::string& to_;
  std::vector<piece> left_;
};

}  // namespace

bool print(const cell& c, type* t, type_store& types, std::string& to) {
  return value_printer(types, to).run(c, t);
}

}  // namespace idc::interpret
