// SPDX-License-Identifier: Apache-2.0
// I-structures and M-structures, and the handlers that serve requests for their elements.
#include "papers/study/machine/state.hpp"

namespace study {

using tl0::opcode;

namespace {

constexpr word kElementsMax = word{1} << 28;
constexpr std::uint32_t kReaderWords = 3;
// The lowest bits of a structure's word are 0.
constexpr unsigned kKindBits = 4;

}  // namespace

word counted_machine::make_structure(const tl0::instruction& it, index at) {
  const word count = get(it.a);
  if (count >= kElementsMax)
    wrong(at, "there can be no structure of " + std::to_string(static_cast<std::int64_t>(count)) +
                  " elements");
  const structure made{it.op == opcode::malloc, at, break_, elements_.size(), count};
  elements_.resize(elements_.size() + count);
  break_ += std::uint32_t(count + 1) * kWordBytes;
  base(place::element) = made.address;
  charge(cost::allocate);
  for (std::size_t i = 0; i < count; ++i) {
    base(place::element) = made.address_of(i);
    charge(cost::empty_element);
  }
  structures_.push_back(made);
  return (structures_.size() - 1) << kKindBits;
}

// A thread asks the system.
void counted_machine::request(const tl0::instruction& it, index at) {
  message m{.inlet = 0, .activation = now_->number, .sent_by = at};
  m.words[0] = get(it.a);
  m.words[1] = it.b.is_none() ? 0 : get(it.b);
  const bool stores = it.op == opcode::istore || it.op == opcode::mput;
  m.words[2] = stores || it.target == kNone ? get(p_.arguments[it.first_argument])
                                            : name_of_inlet(*now_, it.target);
  m.word_count = stores ? 3 : 4;
  switch (it.op) {
    case opcode::ifetch:
      m.to = message::handler::fetch;
      break;
    case opcode::mtake:
      m.to = message::handler::take;
      break;
    case opcode::istore:
      m.to = message::handler::store;
      break;
    case opcode::mput:
      m.to = message::handler::put;
      break;
    default:
      m.to = message::handler::length;
  }
  post_message(m, stores                             ? message_kind::store_request
                  : m.to == message::handler::length ? message_kind::other
                                                     : message_kind::fetch_request);
}

counted_machine::structure& counted_machine::structure_of(const message& m) {
  const word name = m.words[0] >> kKindBits;
  if (name >= structures_.size()) wrong(m.sent_by, "this names no structure");
  structure& s = structures_[name];
  const bool wants_m = m.to == message::handler::take || m.to == message::handler::put;
  if (m.to != message::handler::length && s.is_m != wants_m)
    wrong(m.sent_by, "this structure is of the other kind");
  return s;
}

counted_machine::element& counted_machine::element_of(const message& m, structure& s) {
  if (m.words[1] >= s.count)
    wrong(m.sent_by,
          "there is no element " + std::to_string(static_cast<std::int64_t>(m.words[1])) + " of " +
              std::to_string(s.count) + " made at " + spelling(p_, p_.positions[s.made_by]));
  base(place::element) = s.address_of(m.words[1]);
  return elements_[s.first + m.words[1]];
}

void counted_machine::serve_request(const message& m) {
  structure& s = structure_of(m);
  switch (m.to) {
    case message::handler::fetch:
      return serve_fetch(m, s, element_of(m, s), false);
    case message::handler::take:
      return serve_fetch(m, s, element_of(m, s), true);
    case message::handler::length:
      base(place::element) = s.address;
      charge(cost::length_of);
      return send_to(m.words[2], &(words_[0] = s.count), 1, m.sent_by, message_kind::other);
    default:
      return serve_store(m, s, element_of(m, s));
  }
}

void counted_machine::answer(word to, word value, index at) {
  send_to(to, &value, 1, at, message_kind::fetch_reply);
}

void counted_machine::serve_fetch(const message& m, structure&, element& e, bool takes) {
  if (e.is == element::state::present) {
    charge(takes ? cost::take_word : cost::fetch_present);
    if (takes) e.is = element::state::empty;
    return answer(m.words[2], e.value, m.sent_by);
  }
  index made = free_reader_;
  if (made == kNone) {
    made = index(readers_.size());
    readers_.push_back({.address = break_});
    break_ += kReaderWords * kWordBytes;
    base(place::node) = readers_[made].address;
    charge(cost::more_nodes);
  } else {
    free_reader_ = readers_[made].next;
  }
  base(place::node) = readers_[made].address;
  charge(cost::fetch_absent);
  ++counts_.deferred_fetches;
  reader& r = readers_[made];
  r.to = m.words[2];
  r.asked_by = m.sent_by;
  r.next = e.is == element::state::deferred ? e.first : kNone;
  e.first = made;
  e.is = element::state::deferred;
}

// An I-structure's element answers all that wait, an M-structure's one of them.
void counted_machine::serve_store(const message& m, structure& s, element& e) {
  if (e.is == element::state::present)
    wrong(m.sent_by, std::string(s.is_m ? "a put where there is a value" : "a second write") +
                         ": element " + std::to_string(m.words[1]) + " of the structure made at " +
                         spelling(p_, p_.positions[s.made_by]));
  charge(cost::store_word);
  const bool was_deferred = e.is == element::state::deferred;
  const index first = e.first;
  e.value = m.words[2];
  e.is = element::state::present;
  if (!was_deferred) return;
  for (index r = first; r != kNone;) {
    const reader taken = readers_[r];
    base(place::node) = taken.address;
    charge(cost::answer_reader);
    readers_[r].next = free_reader_;
    free_reader_ = r;
    r = taken.next;
    if (s.is_m) {
      e.is = r == kNone ? element::state::empty : element::state::deferred;
      e.first = r;
      r = kNone;
    }
    answer(taken.to, m.words[2], taken.asked_by);
  }
}

}  // namespace study
