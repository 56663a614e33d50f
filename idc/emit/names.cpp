// SPDX-License-Identifier: Apache-2.0
#include "idc/emit/names.hpp"

namespace idc::emit {

using tl0::index;

index names::add(std::string_view text) {
  const index known = known_.find(text, [this](index i) { return std::string_view(texts_[i]); });
  if (known != tl0::kNone) return known;
  const auto added = static_cast<index>(texts_.size());
  texts_.emplace_back(text);
  states_.emplace_back().is_reserved = blocks_.is_reserved(text);
  known_.add(text, added);
  return added;
}

index names::find_or_make_slow(spelling& in, std::string_view text) {
  const index known = in.made.find(text, [this](index i) { return made_[i].from; });
  if (known != tl0::kNone) return made_[known].name;
  const index name = add(readable(text, in.suffix));
  in.made.add(text, static_cast<index>(made_.size()));
  made_.push_back({text, name});
  return name;
}

index names::numbered(char letter, std::size_t number) {
  std::vector<index>& known = numbered_[letter - 'a'];
  while (known.size() <= number) known.push_back(add(letter + std::to_string(known.size())));
  return known[number];
}

index names::take_slow(index wanted) {
  if (states_[wanted].next_by != now_) states_[wanted].next = 2;
  states_[wanted].next_by = now_;
  while (true) {
    const index made = add(texts_[wanted] + "_" + std::to_string(states_[wanted].next++));
    if (take_this(made)) return made;
  }
}

}  // namespace idc::emit
