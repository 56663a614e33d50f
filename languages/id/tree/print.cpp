// SPDX-License-Identifier: Apache-2.0
#include "languages/id/tree/print.hpp"

#include <charconv>

namespace idc {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts)
    text += (&part == &parts.front() ? "" : std::string(between)) + part;
  return text;
}

std::string real_text(double x) {
  char digits[40];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// Each prints itself as what may be an operand or argument.
class printer {
 public:
  std::string print(const program& p) {
    std::string out;
    for (const datatype* d : p.types) out += print(*d) + ";\n";
    for (const annotation& a : p.annotations)
      out += "typeof " + std::string(a.name) + " = " + text(*a.is) + ";\n";
    for (const function* f : p.functions) out += text(*f) + ";\n";
    return out;
  }

 private:
  template <class Range>
  std::string all(const Range& items, std::string_view between) {
    std::vector<std::string> parts;
    for (const auto* item : items) parts.push_back(text(*item));
    return joined(parts, between);
  }

  std::string print(const datatype& d) {
    std::string out = "type " + std::string(d.name);
    for (std::string_view name : d.parameters) out += " *" + std::string(name);
    for (const constructor* c : d.constructors) {
      out += (c->tag == 0 ? " = " : " | ") + std::string(c->name);
      for (const type_expression* field : c->fields) out += " " + text(*field);
    }
    return out;
  }

  std::string text(const type_expression& t) {
    switch (t.is) {
      case type_expression::kind::variable:
        return "*" + std::string(t.name);
      case type_expression::kind::tuple:
        return "(" + all(t.parts, ", ") + ")";
      case type_expression::kind::arrow:
        return "(" + all(t.parts, " -> ") + ")";
      default:
        if (t.parts.empty()) return std::string(t.name);
        return "(" + std::string(t.name) + " " + all(t.parts, " ") + ")";
    }
  }

  std::string text(const function& f) {
    std::string out = "def ";
    for (const clause* c : f.clauses)
      out += (c == f.clauses.front() ? "" : " | ") + std::string(f.name) + text(*c);
    return out;
  }

  std::string text(const clause& c) {
    return (c.parameters.empty() ? "" : " ") + all(c.parameters, " ") + " = " + text(*c.body);
  }

  std::string text(const pattern& p) {
    switch (p.is) {
      case pattern::kind::wildcard:
        return "_";
      case pattern::kind::integer:
        return std::to_string(p.integer);
      case pattern::kind::boolean:
        return p.integer != 0 ? "true" : "false";
      case pattern::kind::nil:
        return "nil";
      case pattern::kind::tuple:
        return "(" + all(p.parts, ", ") + ")";
      case pattern::kind::cons:
        return "(" + all(p.parts, " : ") + ")";
      case pattern::kind::constructor:
        if (!p.parts.empty()) return "(" + std::string(p.name) + " " + all(p.parts, " ") + ")";
        return std::string(p.name);
      default:
        return std::string(p.name);
    }
  }

  std::string indices(std::span<expression* const> of) { return "[" + all(of, ", ") + "]"; }

  std::string text(const statement& s) {
    switch (s.is) {
      case statement_kind::bind:
        return text(*s.target) + " = " + text(*s.value);
      case statement_kind::define:
        return text(*s.defined);
      case statement_kind::next:
        return "next " + std::string(s.name) + " = " + text(*s.value);
      case statement_kind::effect:
        return text(*s.value);
      default:
        return text(*s.array) + (s.is == statement_kind::put ? "!" : "") + indices(s.indices) +
               " = " + text(*s.value);
    }
  }

  std::string text(const generator& g) {
    if (g.is == generator::kind::condition) return "when " + text(*g.first);
    std::string out = text(*g.target) + " <- " + text(*g.first);
    if (g.last) out += (g.downwards ? " downto " : " to ") + text(*g.last);
    return g.step ? out + " by " + text(*g.step) : out;
  }

  std::string after_bars(std::span<generator* const> generators) {
    std::string out;
    for (const generator* g : generators) {
      const bool is_condition = g->is == generator::kind::condition;
      out += (g == generators.front() ? " || " : is_condition ? " " : " & ") + text(*g);
    }
    return out;
  }

  std::string text(const region& r) {
    return "| " + indices(r.indices) + " = " + text(*r.value) + after_bars(r.generators);
  }

  std::string text(const expression& e) {
    switch (e.is) {
      case expression_kind::integer:
        return std::to_string(e.integer);
      case expression_kind::real:
        return real_text(e.real);
      case expression_kind::boolean:
        return e.integer != 0 ? "true" : "false";
      case expression_kind::nil:
        return "nil";
      case expression_kind::unit:
        return "()";
      case expression_kind::string:
      case expression_kind::name:
      case expression_kind::constructor:
        return std::string(e.text);
      case expression_kind::tuple:
        return "(" + all(e.parts, ", ") + ")";
      case expression_kind::apply:
        return "(" + all(e.parts, " ") + ")";
      case expression_kind::unary:
        return "(" + std::string(spelling(e.op)) + " " + text(*e.parts[0]) + ")";
      case expression_kind::binary:
        return "(" + all(e.parts, " " + std::string(spelling(e.op)) + " ") + ")";
      case expression_kind::choice:
        return "(if " + text(*e.parts[0]) + " then " + text(*e.parts[1]) + " else " +
               text(*e.parts[2]) + ")";
      case expression_kind::index:
      case expression_kind::take:
      case expression_kind::examine:
        return text(*e.parts[0]) +
               (e.is == expression_kind::take      ? "!"
                : e.is == expression_kind::examine ? "!!"
                                                   : "") +
               indices(e.parts.subspan(1));
      default:
        return braces(e);
    }
  }

  std::string braces(const expression& e) {
    switch (e.is) {
      case expression_kind::case_: {
        std::string out = "{case " + text(*e.parts[0]) + " of";
        for (const clause* c : e.inside->clauses) out += " |" + text(*c);
        return out + "}";
      }
      case expression_kind::lambda:
        return "{fun" + text(*e.made->clauses[0]) + "}";
      case expression_kind::for_loop:
        return "{for " + text(*e.inside->generators[0]) + loop_body(e, 0);
      case expression_kind::while_loop:
        return "{while " + text(*e.parts[0]) + loop_body(e, 1);
      case expression_kind::list:
        return "{: " + all(e.parts, ", ") + after_bars(e.inside->generators) + " :}";
      case expression_kind::array:
        return (e.inside->is_matrix ? "{matrix " : "{array ") + text(*e.parts[0]) + " " +
               all(e.inside->regions, " ") + "}";
      default:
        return "{" + all(e.inside->statements, "; ") +
               (e.parts.empty() ? "" : " in " + all(e.parts, "")) + "}";
    }
  }

  std::string loop_body(const expression& e, std::size_t result) {
    return " do " + all(e.inside->statements, "; ") +
           (e.parts.size() > result ? " finally " + text(*e.parts[result]) : "") + "}";
  }
};

}  // namespace

std::string print(const program& p) { return printer().print(p); }

}  // namespace idc
