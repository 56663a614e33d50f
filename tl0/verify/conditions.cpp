// SPDX-License-Identifier: Apache-2.0
#include "tl0/verify/conditions.hpp"

#include <algorithm>

namespace tl0 {

conditions::conditions() { number(0); }

condition conditions::add(const node& n) {
  const auto [found, is_new] =
      found_.emplace(std::tuple(n.which, n.yes, n.no), static_cast<condition>(nodes_.size()));
  if (is_new) {
    if (nodes_.size() >= kNodesMax) throw too_many{};
    nodes_.push_back(n);
  }
  return found->second;
}

condition conditions::number(std::uint32_t value) { return add({kNone, 0, value}); }

condition conditions::outcome(index which, bool is_yes) {
  const condition zero = number(0), one = number(1);
  return add(is_yes ? node{which, one, zero} : node{which, zero, one});
}

std::uint32_t conditions::apply_leaf(combine how, std::uint32_t a, std::uint32_t b) {
  switch (how) {
    case combine::sum:
      return a + b < a ? ~std::uint32_t{0} : a + b;
    case combine::both:
      return a != 0 && b != 0;
    case combine::either:
      return a != 0 || b != 0;
    case combine::except:
      return a != 0 && b == 0;
    case combine::equal:
      return a == b;
  }
  return 0;
}

// The depth is at most the number of switches on a way, each of which is asked once.
condition conditions::apply(combine how, condition a, condition b) {
  auto& known = applied_[static_cast<unsigned>(how)];
  const std::uint64_t pair = std::uint64_t{a} << 32 | b;
  if (const auto found = known.find(pair); found != known.end()) return found->second;
  const node x = nodes_[a], y = nodes_[b];
  condition made = 0;
  if (x.which == kNone && y.which == kNone) {
    made = number(apply_leaf(how, x.no, y.no));
  } else {
    const index which = std::min(x.which, y.which);
    const condition yes = apply(how, x.which == which ? x.yes : a, y.which == which ? y.yes : b);
    const condition no = apply(how, x.which == which ? x.no : a, y.which == which ? y.no : b);
    made = yes == no ? yes : add({which, yes, no});
  }
  known.emplace(pair, made);
  return made;
}

std::vector<std::pair<index, bool>> conditions::example(condition a, std::uint32_t& value) const {
  std::vector<std::pair<index, bool>> outcomes;
  // A node is not 0 everywhere, so one of its two ways is not the leaf 0, which is node 0.
  while (nodes_[a].which != kNone) {
    const bool is_yes = nodes_[a].yes != 0;
    outcomes.emplace_back(nodes_[a].which, is_yes);
    a = is_yes ? nodes_[a].yes : nodes_[a].no;
  }
  value = nodes_[a].no;
  return outcomes;
}

}  // namespace tl0
