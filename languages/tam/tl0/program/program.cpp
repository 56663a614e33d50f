// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/program/program.hpp"

#include <algorithm>

namespace tl0 {
namespace {

std::string list(const program& p, const std::vector<index>& types) {
  std::string text;
  for (index t : types) text += (text.empty() ? "" : ", ") + spelling(p, t);
  return "(" + text + ")";
}

}  // namespace

kind kind_of(char letter) {
  return letter == 'i' ? kind::integer : letter == 'f' ? kind::real : kind::boolean;
}

index program::type_index(const type& wanted) {
  const auto found = std::find(types.begin(), types.end(), wanted);
  if (found == types.end()) {
    types.push_back(wanted);
    return static_cast<index>(types.size() - 1);
  }
  return static_cast<index>(found - types.begin());
}

operand program::constant(std::uint64_t word, index of_type) {
  constexpr std::size_t kSearched = 64;  // the last ones: a program may have very many
  for (std::size_t i = constants.size() - std::min(constants.size(), kSearched);
       i < constants.size(); ++i)
    if (constants[i] == word && constant_types[i] == of_type)
      return operand::in(space::constant, static_cast<index>(i));
  constants.push_back(word);
  constant_types.push_back(of_type);
  return operand::in(space::constant, static_cast<index>(constants.size() - 1));
}

const inlet* program::find_inlet(index block, std::string_view wanted) const {
  const range all = blocks[block].inlets;
  for (index i = all.first; i < all.end(); ++i)
    if (names[inlets[i].name] == wanted) return &inlets[i];
  return nullptr;
}

std::string spelling(const program& p, index t) {
  if (t == kNone) return "nothing";
  const type& shown = p.types[t];
  switch (shown.is) {
    case kind::none:
      return "nothing";
    case kind::integer:
      return "int";
    case kind::real:
      return "float";
    case kind::boolean:
      return "bool";
    case kind::word:
      return "word";
    case kind::frame:
      return "frame " + (shown.of == kNone ? "of no code block" : p.name(p.blocks[shown.of].name));
    case kind::inlet:
      return "inlet" + list(p, shown.arguments);
    case kind::istructure:
      return "istructure(" + spelling(p, shown.of) + ")";
    case kind::mstructure:
      return "mstructure(" + spelling(p, shown.of) + ")";
    case kind::code:
      return "code" + list(p, shown.arguments);
  }
  return "";
}

std::string unescaped(std::string_view written) {
  std::string text;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const bool is_escape = written[i] == '\\' && i + 1 < written.size();
    if (!is_escape) {
      text += written[i];
      continue;
    }
    ++i;
    text += written[i] == 'n' ? '\n' : written[i] == 't' ? '\t' : written[i];
  }
  return text;
}

std::string spelling(const program& p, const position& where) {
  return p.files[where.file] + ":" + std::to_string(where.line) +
         (where.column == 0 ? "" : ":" + std::to_string(where.column));
}

}  // namespace tl0
