// SPDX-License-Identifier: Apache-2.0
// Activations, their frames, and the messages to them. A word names a frame as in
// languages/tam/tl0/run: by its number (32 bits), the count of earlier uses of that number (16),
// and the number of an inlet in its block (16).
#include "papers/study/machine/state.hpp"

namespace study {
namespace {

constexpr index kNoInlet = 0xffff;
constexpr std::uint32_t kDescriptorsAt = kGlobalsAt + kGlobals * kWordBytes;

}  // namespace

// Entry 0 is the bottom.
std::uint32_t counted_machine::vector_at(const activation& f, std::size_t entry) const {
  return f.address + std::uint32_t(kVector + entry) * kWordBytes;
}

word counted_machine::name_of_inlet(const activation& f, index inlet) const {
  const index number = inlet == kNone ? kNoInlet : inlet - p_.blocks[f.block].inlets.first;
  return word{f.number} << 32 | word{f.given} << 16 | number;
}

counted_machine::activation& counted_machine::make_activation(index block, index at) {
  const tl0::code_block& of = p_.blocks[block];
  base(place::descriptor) = kDescriptorsAt + block * kDescriptorWords * kWordBytes;
  const bool is_new = free_[block].empty();
  if (is_new) {
    free_[block].push_back(index(activations_.size()));
    activations_.push_back(std::make_unique<activation>());
    activation& made = *activations_.back();
    made.number = free_[block].back();
    made.block = block;
    made.slots.resize(of.slots.count);
    made.left.resize(of.threads.count);
    made.address = break_;
    break_ += code_.blocks[block].frame_words * kWordBytes;
  }
  activation& made = *activations_[free_[block].back()];
  free_[block].pop_back();
  base(place::made) = made.address;
  charge(is_new ? cost::carve_frame : cost::reuse_frame);
  if (is_new && code_.how != discipline::md) {
    base(place::vector) = vector_at(made, 0);
    charge(cost::make_vector);
  }
  charge(code_.blocks[block].begins);
  made.lives = true;
  made.is_queued = false;
  made.made_by = at;
  made.serial = ++serial_;
  for (index t = 0; t < of.threads.count; ++t)
    made.left[t] = p_.threads[of.threads.first + t].entry_count;
  ++counts_.activations;
  ++lives_;
  return made;
}

// The new activation's name; of one made by code, that of its first inlet.
word counted_machine::activate(const tl0::instruction& it, index at, activation** made) {
  if (tl0::is_at(it.place) && get(it.b) != 0)
    wrong(at, "there is no rank " + std::to_string(static_cast<std::int64_t>(get(it.b))));
  const bool is_code = it.target == kNone;
  activation& f = make_activation(is_code ? index(get(it.a)) : it.target, at);
  if (made != nullptr) *made = &f;
  return name_of_inlet(f, is_code ? p_.blocks[f.block].inlets.first : kNone);
}

void counted_machine::free_activation() {
  activation& f = *now_;
  base(place::descriptor) = kDescriptorsAt + f.block * kDescriptorWords * kWordBytes;
  charge(cost::free_frame);
  f.lives = false;
  ++f.given;
  free_[f.block].push_back(f.number);
  is_freed_ = true;
  --lives_;
}

counted_machine::activation& counted_machine::activation_of(word name, index at) {
  const word number = name >> 32;
  if (number >= activations_.size()) wrong(at, "this names no frame");
  activation& f = *activations_[number];
  if (!f.lives || f.given != (name >> 16 & 0xffff))
    wrong(at, "a message to an activation of '" + p_.name(p_.blocks[f.block].name) +
                  "' that is freed already");
  return f;
}

void counted_machine::send_to(word name, const word* words, index count, index at,
                              message_kind kind) {
  activation& f = activation_of(name, at);
  const index number = name & 0xffff;
  const tl0::range inlets = p_.blocks[f.block].inlets;
  if (number >= inlets.count) wrong(at, "this names no inlet");
  send_inlet(f, inlets.first + number, words, count, at, kind);
}

void counted_machine::send_inlet(activation& to, index inlet, const word* words, index count,
                                 index at, message_kind kind) {
  message m{.to = message::handler::inlet,
            .inlet = inlet,
            .activation = to.number,
            .sent_by = at,
            .word_count = 2 + count};
  std::copy(words, words + count, m.words.begin());
  post_message(m, kind);
}

// The network writes it into the queue of its priority.
void counted_machine::post_message(message m, message_kind kind) {
  ++counts_.messages[static_cast<unsigned>(kind)];
  const bool is_low = m.to == message::handler::inlet && code_.how == discipline::md;
  const message& placed = (is_low ? low_ : high_).push(m);
  constexpr auto kWrites = static_cast<unsigned>(access::write);
  counts_.accesses[kWrites][static_cast<unsigned>(region::queue)] += placed.word_count;
  if (options_.sink == nullptr) return;
  for (std::uint32_t k = 0; k < placed.word_count; ++k)
    record({placed.address + k * kWordBytes, 1, access::write, region::queue});
}

void counted_machine::deadlock() {
  std::string text = "deadlock: nothing is left to execute, and " + std::to_string(lives_) +
                     (lives_ == 1 ? " activation waits" : " activations wait");
  wrong(kNone, text + " (`tl0 --run` says for what)");
}

}  // namespace study
