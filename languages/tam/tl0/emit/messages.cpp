// SPDX-License-Identifier: Apache-2.0
// Sends, activations on other ranks, structures, lines that are printed.
#include "languages/tam/tl0/emit/body_emitter.hpp"
#include "languages/tam/tl0/emit/names.hpp"

namespace tl0 {

std::string body_emitter::words(const instruction& it) const { return words_from(it, 0); }

std::string body_emitter::words_from(const instruction& it, index first) const {
  std::string text;
  for (index k = first; k < it.argument_count; ++k)
    text += ", " + as_word_of(p_.arguments[it.first_argument + k]);
  return text;
}

std::string body_emitter::four_words(const instruction& it) const {
  std::string text = ", " + std::to_string(it.argument_count) + words(it);
  for (unsigned k = it.argument_count; k < kWordsMax; ++k) text += ", 0";
  return text;
}

// To this activation in place; to one that this body has made by its inlet's body; else by name.
void body_emitter::send(const instruction& it) {
  const std::string count = std::to_string(it.argument_count);
  if (it.target == kNone)
    return line("tam_send" + count + "(lcv, " + name_of(it.a) + words(it) + ");");
  const index made = maker(it.a);
  const std::string inlet = inlet_name(p_, it.target);
  if (made == kNone)
    return line("tam_send" + count + "(lcv, " + name_of(it.a) + " + " +
                std::to_string(number_of(it.target)) + " * TAM_INLET_UNIT" + words(it) + ");");
  if (p_.instructions[made].op == opcode::own_frame)
    return line("lcv = " + inlet + "(f, lcv, TAM_BY_LCV" + words(it) + ");");
  line("TAM_PASS" + count + "(" + inlet + ", p" + std::to_string(made) + ", lcv" + words(it) +
       ");");
}

std::string body_emitter::rank(const instruction& it, index at) const {
  switch (it.place) {
    case placement::local:
      return "tam_rank_of(tam_here.own)";
    case placement::round_robin:
    case placement::round_robin_in_turn:
      return "tam_next_rank()";
    case placement::least_loaded:
      return "TAM_LEAST_LOADED";
    case placement::at:
    case placement::at_in_turn:
      return "tl0_rank(" + name_of(it.b) + ", " + site(p_, p_.positions[at]) + ")";
    case placement::by:
      return "tam_rank_of_key(" + as_word_of(it.b) + ")";
  }
  return "";
}

std::string body_emitter::block_address(const instruction& it) const {
  return it.target == kNone ? "tl0_blocks[" + name_of(it.a) + "]"
                            : "&" + block_name(p_, it.target) + "_block.block";
}

index body_emitter::reply_of(const instruction& call) const {
  if (!is_thread_ || call.target == kNone || call.argument_count == 0) return kNone;
  const operand first = p_.arguments[call.first_argument];
  if (!first.is_temporary()) return kNone;
  const range code = body_->instructions;
  for (index i = code.first; i < code.end(); ++i) {
    const instruction& it = p_.instructions[i];
    if (it.to == first)
      return it.op == opcode::own_inlet && p_.inlets[it.target].parameters.count == 1 ? it.target
                                                                                      : kNone;
  }
  return kNone;
}

// The answer of a call comes in place, if it can.
bool body_emitter::call(const instruction& it, index at) {
  const index reply = reply_of(it);
  if (reply == kNone || (it.place != placement::local && it.place != placement::least_loaded))
    return false;
  line(std::string(it.place == placement::local ? "TAM_CALL" : "TAM_SHARE_CALL") +
       std::to_string(it.argument_count) + (is_last(at) ? "(TAM_RETURN, " : "(TAM_GO_ON, ") +
       block_name(p_, it.target) + ", " + inlet_name(p_, p_.blocks[it.target].inlets.first) +
       ", f, lcv, " + inlet_name(p_, reply) + ", " + std::to_string(number_of(reply)) +
       words_from(it, 1) + ");");
  return true;
}

void body_emitter::spawn(const instruction& it, index at) {
  if (call(it, at)) return;
  if (it.place == placement::least_loaded && it.target != kNone && it.argument_count > 0)
    return line("TAM_SHARE" + std::to_string(it.argument_count) + "(" + block_name(p_, it.target) +
                ", " + inlet_name(p_, p_.blocks[it.target].inlets.first) + ", lcv" + words(it) +
                ");");
  if (it.place != placement::local)
    return line(std::string(is_in_turn(it.place) ? "tam_spawn_in_turn" : "tam_spawn") + "(lcv, " +
                rank(it, at) + ", " + block_address(it) + four_words(it) + ");");
  const std::string count = std::to_string(it.argument_count);
  if (it.target == kNone)
    return line("tam_send" + count + "(lcv, tam_name_of(tl0_falloc(" + block_address(it) + "), 0)" +
                words(it) + ");");
  const std::string made = "p" + std::to_string(at);
  line("struct " + block_name(p_, it.target) + "* const " + made + " = TAM_FALLOC(" +
       block_name(p_, it.target) + ");");
  line("TAM_PASS" + count + "(" + inlet_name(p_, p_.blocks[it.target].inlets.first) + ", " + made +
       ", lcv" + words(it) + ");");
}

std::string body_emitter::answer(const instruction& it, index own_inlet) const {
  return own_inlet == kNone ? name_of(p_.arguments[it.first_argument]) : inlet_value(own_inlet);
}

void body_emitter::falloc_at(const instruction& it, index at) {
  line("tam_falloc_at(lcv, " + rank(it, at) + ", " + block_address(it) + ", " +
       answer(it, it.other) + ");");
}

// An answer to this activation comes in place, if it can.
void body_emitter::structure(const instruction& it, index at) {
  const std::string where = site(p_, p_.positions[at]);
  const std::string element =
      name_of(it.a) + (it.b.is_none() ? "" : ", (tam_word)" + name_of(it.b));
  const bool is_put = it.op == opcode::istore || it.op == opcode::mput;
  if (is_put)
    return line(std::string(it.op == opcode::istore ? "tam_istore" : "tam_mput") + "(lcv, " +
                element + words(it) + ", " + where + ");");
  const std::string own = it.target == kNone ? ""
                                             : "(" + inlet_name(p_, it.target) + ", " +
                                                   std::to_string(number_of(it.target)) +
                                                   ", f, lcv, " + element + ");";
  const std::string slow =
      "_slow(lcv, " + element + ", " + answer(it, it.target) + ", " + where + ");";
  if (it.op == opcode::length) return line(own.empty() ? "tam_length" + slow : "TAM_LENGTH" + own);
  if (it.op == opcode::ifetch) return line(own.empty() ? "tam_ifetch" + slow : "TAM_IFETCH" + own);
  line(own.empty() ? "tam_mtake" + slow : "TAM_MTAKE" + own);
}

void body_emitter::add_items(const instruction& it, const std::string& margin) {
  for (unsigned k = 0; k < it.argument_count; ++k) {
    const operand item = p_.arguments[it.first_argument + k];
    if (item.where() == space::string) {
      line(margin + "tl0_add(\"" + p_.strings[item.at()] + "\");");
      continue;
    }
    const kind is = p_.types[type_of(item)].is;
    const std::string suffix = is == kind::real ? "float" : is == kind::boolean ? "bool" : "int";
    line(margin + "tl0_add_" + suffix + "(" + name_of(item) + ");");
  }
}

void body_emitter::print_items(const instruction& it) {
  add_items(it, "");
  if (it.op == opcode::print) line("tl0_end_line();");
}

}  // namespace tl0
