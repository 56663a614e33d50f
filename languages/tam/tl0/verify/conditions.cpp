// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/verify/conditions.hpp"

#include <algorithm>

namespace tl0 {

condition& condition_table::at(std::uint64_t key, bool* found) {
  if (2 * (used_ + 1) > entries_.size()) grow();
  std::size_t i = hash(key) & (entries_.size() - 1);
  while (entries_[i].round == round_ && entries_[i].key != key) i = (i + 1) & (entries_.size() - 1);
  *found = entries_[i].round == round_;
  if (!*found) {
    entries_[i] = {key, 0, round_};
    ++used_;
  }
  return entries_[i].is;
}

void condition_table::grow() {
  std::vector<entry> was(2 * entries_.size());
  was.swap(entries_);
  for (const entry& e : was) {
    if (e.round != round_) continue;
    std::size_t i = hash(e.key) & (entries_.size() - 1);
    while (entries_[i].round == round_) i = (i + 1) & (entries_.size() - 1);
    entries_[i] = e;
  }
}

void condition_table::clear() {
  used_ = 0;
  if (++round_ != 0) return;
  entries_.assign(entries_.size(), {});  // the rounds begin again
  round_ = 1;
}

void conditions::clear() {
  found_.clear();
  applied_.clear();
  nodes_ = {{kNone, 0, 0}, {kNone, 0, 1}};
}

condition conditions::add(const node& n, std::uint64_t key) {
  bool found = false;
  condition& at = found_.at(key, &found);
  if (found) return at;
  if (nodes_.size() >= kNodesMax) throw too_many{};
  nodes_.push_back(n);
  return at = static_cast<condition>(nodes_.size() - 1);
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
  const node x = nodes_[a], y = nodes_[b];
  if (x.which == kNone && y.which == kNone) return number(apply_leaf(how, x.no, y.no));
  const std::uint64_t key = key_of(static_cast<std::uint64_t>(how), a, b);
  bool found = false;
  if (const condition known = applied_.at(key, &found); found) return known;
  const index which = std::min(x.which, y.which);
  const condition yes = apply(how, x.which == which ? x.yes : a, y.which == which ? y.yes : b);
  const condition no = apply(how, x.which == which ? x.no : a, y.which == which ? y.no : b);
  return applied_.at(key, &found) = yes == no ? yes : add({which, yes, no});
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
