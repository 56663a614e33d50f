// SPDX-License-Identifier: Apache-2.0
// Tarjan's algorithm, with a stack of its own: chains of definitions may be long.
#include "languages/support/groups.hpp"

#include <algorithm>

namespace frontend {
namespace {

class components {
 public:
  explicit components(const std::vector<std::vector<int>>& needs)
      : needs_(needs), order_(needs.size(), 0), low_(needs.size(), 0), is_open_(needs.size()) {}

  std::vector<std::vector<int>> run() {
    for (std::size_t i = 0; i < needs_.size(); ++i)
      if (order_[i] == 0) visit(static_cast<int>(i));
    return std::move(found_);
  }

 private:
  struct step {
    int node;
    std::size_t edge;
  };

  void begin(int node) {
    order_[node] = low_[node] = ++count_;
    open_.push_back(node);
    is_open_[node] = true;
    way_.push_back({node, 0});
  }

  void visit(int first) {
    begin(first);
    while (!way_.empty()) {
      const int node = way_.back().node;
      if (way_.back().edge == needs_[node].size()) {
        finish(node);
        continue;
      }
      const int to = needs_[node][way_.back().edge++];
      if (order_[to] == 0)
        begin(to);
      else if (is_open_[to])
        low_[node] = std::min(low_[node], order_[to]);
    }
  }

  void finish(int node) {
    way_.pop_back();
    if (!way_.empty()) low_[way_.back().node] = std::min(low_[way_.back().node], low_[node]);
    if (low_[node] != order_[node]) return;
    std::vector<int> group;
    do {
      group.push_back(open_.back());
      is_open_[open_.back()] = false;
      open_.pop_back();
    } while (group.back() != node);
    std::ranges::sort(group);
    found_.push_back(std::move(group));
  }

  const std::vector<std::vector<int>>& needs_;
  std::vector<int> order_, low_;  // order_: 0 for what was not visited
  std::vector<bool> is_open_;
  std::vector<int> open_;
  std::vector<step> way_;
  std::vector<std::vector<int>> found_;
  int count_ = 0;
};

}  // namespace

std::vector<std::vector<int>> groups_of(const std::vector<std::vector<int>>& needs) {
  return components(needs).run();
}

}  // namespace frontend
