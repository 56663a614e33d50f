// SPDX-License-Identifier: Apache-2.0
// I-structures and M-structures.
#include <algorithm>
#include <new>
#include <utility>

#include "languages/tam/tl0/run/state.hpp"

namespace tl0 {
namespace {

constexpr word kElementsMax = word{1} << 32;
// The lowest bits of a structure's word are 0.
constexpr unsigned kKindBits = 4;

}  // namespace

// element 3 of the I-structure of 10 made at FILE:LINE; element [1, 2], if it has bounds
std::string machine::said(const structure& s, word which) const {
  const index dimensions = p_.instructions[s.made_by].other;
  std::string name = std::to_string(static_cast<std::int64_t>(which));
  const auto text = [](word i) { return std::to_string(static_cast<std::int64_t>(i)); };
  if (dimensions != kNone && which >= 2 * dimensions) {
    const word at = which - 2 * dimensions;
    const auto bound = [&](std::size_t i) { return s.elements[i].value; };
    if (dimensions == 1) name = "[" + text(bound(0) + at) + "]";
    if (dimensions == 2) {
      const word columns = std::max<word>(bound(3) - bound(2) + 1, 1);
      name = "[" + text(bound(0) + at / columns) + ", " + text(bound(2) + at % columns) + "]";
    }
  }
  return "element " + name + " of the " + (s.is_m ? "M" : "I") + "-structure of " +
         std::to_string(s.elements.size()) + " elements made at " +
         spelling(p_, p_.positions[s.made_by]);
}

word machine::make_structure(const instruction& it, index at) {
  const word count = get(it.a);
  if (count >= kElementsMax) wrong(at, "there can be no structure of that many elements");
  auto made = std::make_unique<structure>();
  made->is_m = it.op == opcode::malloc;
  made->made_by = at;
  made->number = static_cast<index>(structures_.size());
  try {
    made->elements.resize(count);
  } catch (const std::bad_alloc&) {
    wrong(at, "no memory for a structure of " + std::to_string(count) + " elements");
  }
  structures_.push_back(std::move(made));
  return (structures_.size() - 1) << kKindBits;
}

machine::element& machine::element_of(const instruction& it, index at, structure*& of) {
  const word name = get(it.a) >> kKindBits, which = get(it.b);
  if (name >= structures_.size()) wrong(at, "this names no structure");
  of = structures_[name].get();
  if (of->is_m != (it.op == opcode::mtake || it.op == opcode::mput))
    wrong(at, "this structure is of the other kind");
  if (which >= of->elements.size()) wrong(at, "there is no " + said(*of, which));
  return of->elements[which];
}

word machine::length_of(const instruction& it, index at) const {
  const word name = get(it.a) >> kKindBits;
  if (name >= structures_.size()) wrong(at, "this names no structure");
  return structures_[name]->elements.size();
}

// To an inlet of the activation that runs, or to the one in the instruction's argument.
void machine::answer(const instruction& it, index own_inlet, index at, word value) {
  if (own_inlet != kNone) return deliver(*now_, own_inlet, &value, at);
  send_to(get(p_.arguments[it.first_argument]), &value, at);
}

void machine::fetch(const instruction& it, index at) {
  structure* of = nullptr;
  element& e = element_of(it, at, of);
  if (e.is == element::state::present) {
    if (of->is_m) e.is = element::state::empty;
    return answer(it, it.target, at, e.value);
  }
  index made = free_reader_;
  if (made == kNone) {
    made = static_cast<index>(readers_.size());
    readers_.emplace_back();
  } else {
    free_reader_ = readers_[made].next;
  }
  const word to =
      it.target == kNone ? get(p_.arguments[it.first_argument]) : name_of(*now_, it.target);
  readers_[made] = {to, at, kNone};
  if (e.is == element::state::empty) {
    e.is = element::state::deferred;
    e.first = made;
  } else {
    readers_[e.last].next = made;
  }
  e.last = made;
}

// An I-structure's element answers all its readers, an M-structure's the first.
void machine::store(const instruction& it, index at) {
  structure* of = nullptr;
  element& e = element_of(it, at, of);
  const word value = get(p_.arguments[it.first_argument]);
  if (e.is == element::state::present)
    wrong(at, (of->is_m ? "a put into the full " : "a second write: ") + said(*of, get(it.b)));
  const bool was_deferred = e.is == element::state::deferred;
  e.value = value;
  e.is = element::state::present;
  if (!was_deferred) return;
  for (index r = e.first; r != kNone;) {
    const reader taken = readers_[r];
    readers_[r].next = free_reader_;
    free_reader_ = r;
    r = taken.next;
    if (of->is_m) {
      e.is = r == kNone ? element::state::empty : element::state::deferred;
      e.first = r;
      return send_to(taken.to, &value, taken.asked_by);
    }
    send_to(taken.to, &value, taken.asked_by);
  }
}

// The elements that are waited for.
std::string machine::outstanding(std::size_t most) const {
  std::string text;
  std::size_t found = 0;
  for (const auto& s : structures_)
    for (std::size_t i = 0; i < s->elements.size(); ++i) {
      const element& e = s->elements[i];
      if (e.is != element::state::deferred) continue;
      for (index r = e.first; r != kNone; r = readers_[r].next) {
        if (++found > most) continue;
        const frame& f = *frames_[readers_[r].to >> 32];
        const index number = readers_[r].to & 0xffff;
        text += "\n  " + said(*s, i) + " is not " + (s->is_m ? "put" : "written") + "; inlet '" +
                p_.name(p_.inlets[p_.blocks[f.block].inlets.first + number].name) + "' of frame " +
                std::to_string(f.number) + " waits for it since " +
                spelling(p_, p_.positions[readers_[r].asked_by]);
      }
    }
  if (found > most) text += "\n  and " + std::to_string(found - most) + " more fetches";
  return text;
}

}  // namespace tl0
