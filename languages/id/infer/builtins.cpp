// SPDX-License-Identifier: Apache-2.0
// The types of the builtin functions, read from their table.
#include "languages/id/infer/infer.hpp"

namespace idc {
namespace {

// type = simple [ "->" type ]; simple = "(" type { "," type } ")" | word [ simple ] | "#" | "*0".
class reader {
 public:
  reader(std::string_view text, type_store& types)
      : text_(text),
        types_(types),
        any_(types.generic()),
        number_(types.generic(type_class::number)) {}

  type* read() {
    type* from = simple();
    return accept("->") ? types_.arrow(from, read()) : from;
  }

 private:
  bool accept(std::string_view word) {
    text_.remove_prefix(std::min(text_.find_first_not_of(' '), text_.size()));
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  type* simple() {
    if (accept("#")) return number_;
    if (accept("*0")) return any_;
    if (accept("(")) {
      std::vector<type*> parts = {read()};
      while (accept(",")) parts.push_back(read());
      accept(")");
      return types_.of(type_kind::tuple, std::move(parts));
    }
    if (accept("int")) return types_.plain(type_kind::integer);
    if (accept("float")) return types_.plain(type_kind::real);
    if (accept("array")) return types_.of(type_kind::array, {simple()});
    if (accept("matrix")) return types_.of(type_kind::matrix, {simple()});
    if (accept("M_array")) return types_.of(type_kind::m_array, {simple()});
    accept("M_matrix");
    return types_.of(type_kind::m_matrix, {simple()});
  }

  std::string_view text_;
  type_store& types_;
  type* any_;
  type* number_;
};

struct builtin {
  std::string_view name;
  std::string_view type;
};

constexpr builtin kBuiltins[] = {
#define IDC_BUILTIN(name, type) {#name, type},
#include "languages/id/infer/builtins.def"
#undef IDC_BUILTIN
};

}  // namespace

void add_builtins(environment& to, type_store& types, frontend::arena& memory) {
  int number = 0;
  for (const auto& [name, words] : kBuiltins) {
    variable* v = memory.make<variable>();
    v->is = variable_kind::builtin;
    v->name = name;
    v->builtin = number++;
    v->known_as.body = reader(words, types).read();
    to.values[name] = v;
  }
}

}  // namespace idc
