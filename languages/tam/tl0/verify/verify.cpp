// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/verify/verify.hpp"

#include <algorithm>

#include "languages/tam/tl0/verify/block_check.hpp"

namespace tl0 {
namespace {

// What is referred to from anywhere in the program.
struct uses {
  std::vector<bool> activated, as_code;  // blocks
  std::vector<bool> sent_to;             // inlets
};

uses find_uses(const program& p) {
  uses found;
  found.activated.resize(p.blocks.size());
  found.as_code.resize(p.blocks.size());
  found.sent_to.resize(p.inlets.size());
  for (const instruction& i : p.instructions) {
    const bool activates =
        i.op == opcode::falloc || i.op == opcode::falloc_at || i.op == opcode::spawn;
    if (activates && i.target != kNone) {
      found.activated[i.target] = true;
      if (i.op == opcode::spawn) found.sent_to[p.blocks[i.target].inlets.first] = true;
      if (i.op == opcode::falloc_at && i.other != kNone) found.sent_to[i.other] = true;
      continue;
    }
    const bool names_inlet = i.op == opcode::send || i.op == opcode::own_inlet ||
                             i.op == opcode::ifetch || i.op == opcode::mtake ||
                             i.op == opcode::length;
    if (names_inlet && i.target != kNone) found.sent_to[i.target] = true;
  }
  for (std::size_t c = 0; c < p.constants.size(); ++c)
    if (p.types[p.constant_types[c]].is == kind::code)
      found.activated[p.constants[c]] = found.as_code[p.constants[c]] = true;
  if (p.main != kNone) {
    found.activated[p.main] = true;
    if (const inlet* args = p.find_inlet(p.main, kMainInlet))
      found.sent_to[static_cast<std::size_t>(args - p.inlets.data())] = true;
  }
  return found;
}

void check_inlets(const program& p, frontend::messages& report) {
  const uses found = find_uses(p);
  for (index b = 0; b < p.blocks.size(); ++b) {
    const code_block& block = p.blocks[b];
    if (!found.activated[b]) {
      report.warning(place_of(p, block.where, report), "unused",
                     "nothing makes an activation of the code block '" + p.name(block.name) + "'");
      continue;
    }
    for (index i = block.inlets.first; i < block.inlets.end(); ++i) {
      if (found.sent_to[i] || (found.as_code[b] && i == block.inlets.first)) continue;
      report.error(place_of(p, p.inlets[i].where, report),
                   "inlet '" + p.name(p.inlets[i].name) + "' of '" + p.name(block.name) +
                       "' never gets a message: nothing sends to it, and nothing names it");
    }
  }
}

}  // namespace

frontend::place place_of(const program& p, const position& where, frontend::messages& report) {
  frontend::place shown;
  shown.file = p.files[where.file];
  shown.line = where.line;
  shown.column = 1;
  if (const auto line = report.lines().line(shown.file, shown.line)) {
    const std::size_t first = std::min(line->find_first_not_of(" \t"), line->size());
    const std::size_t last = line->find_last_not_of(" \t\r");
    shown.column = static_cast<std::uint32_t>(first + 1);
    shown.width = last == line->npos ? 1 : static_cast<std::uint32_t>(last + 1 - first);
  }
  if (where.column != 0) {
    shown.column = where.column;
    shown.width = 1;
  }
  return shown;
}

bool verify(const program& p, frontend::messages& report) {
  const int before = report.errors();
  check_inlets(p, report);
  conditions numbers;
  for (index b = 0; b < p.blocks.size(); ++b) {
    try {
      block_check(p, b, numbers, report).run();
    } catch (const conditions::too_many&) {
      report.warning(place_of(p, p.blocks[b].where, report), "unchecked",
                     "the switches of this code block have too many outcomes to be checked");
    }
  }
  return report.errors() == before;
}

}  // namespace tl0
