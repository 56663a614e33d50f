// SPDX-License-Identifier: Apache-2.0
#include "languages/id/emit/names.hpp"

namespace idc::emit {

using tl0::index;

index names::add(std::string_view text) {
  const auto [found, is_new] =
      known_.try_emplace(std::string(text), static_cast<index>(texts_.size()));
  if (is_new) {
    texts_.emplace_back(text);
    states_.emplace_back().is_reserved = blocks_.is_reserved(text);
  }
  return found->second;
}

index names::find_or_make(spelling& in, std::string_view text) {
  const auto found = in.names.find(text);
  if (found != in.names.end()) return found->second;
  return in.names[text] = add(readable(text, in.suffix));
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
