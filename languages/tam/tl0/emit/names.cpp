// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/emit/names.hpp"

namespace tl0 {

std::string block_name(const program& p, index block) {
  return "b" + std::to_string(block) + "_" + p.name(p.blocks[block].name);
}

std::string inlet_name(const program& p, index inlet) {
  return "i" + std::to_string(inlet) + "_" + p.name(p.inlets[inlet].name);
}

std::string thread_name(const program& p, index thread) {
  return "t" + std::to_string(thread) + "_" + p.name(p.threads[thread].name);
}

std::string slot_name(const program& p, index slot) { return "s_" + p.name(p.slots[slot].name); }

std::string count_name(const program& p, index thread) {
  return "c_" + p.name(p.threads[thread].name);
}

std::string c_type(const program& p, index type) {
  switch (p.types[type].is) {
    case kind::integer:
      return "int64_t";
    case kind::real:
      return "double";
    case kind::boolean:
      return "_Bool";
    case kind::frame:
    case kind::inlet:
      return "tam_name";
    case kind::istructure:
    case kind::mstructure:
      return "tam_array";
    default:
      return "tam_word";
  }
}

std::string as_word(const program& p, index type, const std::string& value) {
  return p.types[type].is == kind::real ? "tam_of_double(" + value + ")"
                                        : "(tam_word)(" + value + ")";
}

std::string from_word(const program& p, index type, const std::string& word) {
  switch (p.types[type].is) {
    case kind::integer:
      return "(int64_t)(" + word + ")";
    case kind::real:
      return "tam_to_double(" + word + ")";
    case kind::boolean:
      return "(" + word + ") != 0";
    default:
      return word;
  }
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string site(const program& p, const position& where) { return quoted(spelling(p, where)); }

}  // namespace tl0
