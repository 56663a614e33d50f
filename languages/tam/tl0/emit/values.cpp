// SPDX-License-Identifier: Apache-2.0
// Operands, and instructions whose only effect is a value.
#include <array>
#include <bit>
#include <cstdio>

#include "languages/tam/tl0/emit/body_emitter.hpp"
#include "languages/tam/tl0/emit/names.hpp"

namespace tl0 {

std::string body_emitter::constant(index c) const {
  const std::uint64_t bits = p_.constants[c];
  switch (p_.types[p_.constant_types[c]].is) {
    case kind::real: {
      std::array<char, 40> text{};
      std::snprintf(text.data(), text.size(), "%a", std::bit_cast<double>(bits));
      return text.data();
    }
    case kind::integer:
      if (bits == std::uint64_t{1} << 63) return "INT64_MIN";
      return "INT64_C(" + std::to_string(static_cast<std::int64_t>(bits)) + ")";
    default:
      return std::to_string(bits);
  }
}

index body_emitter::type_of(operand o) const {
  if (o.where() == space::constant) return p_.constant_types[o.at()];
  if (o.where() == space::slot) return p_.slots[p_.blocks[block_].slots.first + o.at()].type;
  return p_.temporaries[body_->temporaries.first + o.at()].type;
}

std::string body_emitter::name_of(operand o) const {
  if (o.where() == space::constant) return constant(o.at());
  if (o.where() == space::slot)
    return "f->" + slot_name(p_, p_.blocks[block_].slots.first + o.at());
  const index name = p_.temporaries[body_->temporaries.first + o.at()].name;
  return "v" + std::to_string(o.at()) + (name == kNone ? "" : "_" + p_.name(name));
}

std::string body_emitter::as_word_of(operand o) const {
  return as_word(p_, type_of(o), name_of(o));
}

void body_emitter::assign(operand to, const std::string& text) {
  const std::string type = to.is_slot() ? "" : "const " + c_type(p_, type_of(to)) + " ";
  line(type + name_of(to) + " = " + text + ";");
  if (!to.is_slot()) line("(void)" + name_of(to) + ";");
}

index body_emitter::number_of(index inlet) const {
  return inlet - p_.blocks[p_.inlets[inlet].block].inlets.first;
}

std::string body_emitter::inlet_value(index own_inlet) const {
  return "tam_name_of(&f->head, " + std::to_string(number_of(own_inlet)) + ")";
}

index body_emitter::maker(operand o) const {
  if (!o.is_temporary()) return kNone;
  const range code = body_->instructions;
  for (index i = code.first; i < code.end(); ++i) {
    const instruction& it = p_.instructions[i];
    if (it.to == o &&
        (it.op == opcode::own_frame || (it.op == opcode::falloc && it.target != kNone)))
      return i;
  }
  return kNone;
}

void body_emitter::value(const instruction& it, index at) {
  if (is_operation(it.op)) {
    const operation& about = operation_of(it.op);
    std::string list = name_of(it.a) + (it.b.is_none() ? "" : ", " + name_of(it.b));
    constexpr std::string_view kChecked = "checked_";
    if (!about.value.starts_with(kChecked))
      return assign(it.to, "tl0_op_" + std::string(about.name) + "(" + list + ")");
    const std::string function(
        about.value.substr(kChecked.size(), about.value.find('(') - kChecked.size()));
    return assign(it.to, "tl0_" + function + "(" + list + ", " + site(p_, p_.positions[at]) + ")");
  }
  switch (it.op) {
    case opcode::move:
      return assign(it.to, name_of(it.a));
    case opcode::retype:
      return assign(it.to, from_word(p_, type_of(it.to), as_word_of(it.a)));
    case opcode::own_frame:
      return assign(it.to, "tam_name_of(&f->head, 0)");
    case opcode::own_inlet:
      return assign(it.to, inlet_value(it.target));
    case opcode::rank:
      return assign(it.to, "tam_rank_of(tam_here.own)");
    case opcode::rank_count:
      return assign(it.to, "ramjet_size()");
    case opcode::room:
      return assign(it.to, "tam_here.pool_room != 0");
    case opcode::owner:
      return assign(it.to, "tam_rank_of_row(" + name_of(it.a) + ", " + name_of(it.b) + ")");
    case opcode::choose:
      return assign(it.to, name_of(it.a) + " ? " + name_of(it.b) + " : " +
                               name_of(p_.arguments[it.first_argument]));
    case opcode::falloc:
      if (it.target == kNone)
        return assign(it.to, "tam_name_of(tl0_falloc(tl0_blocks[" + name_of(it.a) + "]), 0)");
      line("struct " + block_name(p_, it.target) + "* const p" + std::to_string(at) +
           " = TAM_FALLOC(" + block_name(p_, it.target) + ");");
      return assign(it.to, "tam_name_of(&p" + std::to_string(at) + "->head, 0)");
    default: {
      const std::string where = site(p_, p_.positions[at]);
      const std::string kind = it.argument_count == 0 ? "tam_ialloc" : "tam_ialloc_shared";
      const bool is_m = it.op == opcode::malloc;
      const std::string bounds = std::to_string(it.other == kNone ? 0 : it.other);
      const std::string bounded = is_m                ? "TAM_M_BOUNDS" + bounds + " "
                                  : it.other == kNone ? ""
                                                      : "TAM_BOUNDS" + bounds + " ";
      return assign(it.to, kind + "(tl0_elements(" + name_of(it.a) + ", " + where + ")" +
                               words(it) + ", " + bounded + where + ")");
    }
  }
}

}  // namespace tl0
