// SPDX-License-Identifier: Apache-2.0
// Trees of calls: recursive calls of which several can be under way at a time, so that other ranks
// may take some.
#ifndef IDC_GRAPH_TREES_HPP
#define IDC_GRAPH_TREES_HPP

#include <functional>
#include <unordered_set>
#include <vector>

#include "languages/id/graph/kernel.hpp"

namespace idc::graph {

class call_trees {
 public:
  using kernels = std::function<const kernel&(const core::function&)>;
  call_trees(const core::program& of, const kernels& kernel_of);
  // A call that may call its function again; and beside it goes on another such call, or the next
  // round of a loop.
  bool contains(const core::binding& call) const { return branches_.contains(&call); }
  // Whether what the function calls, itself in a loop aside, may call it again.
  bool is_recursive(const core::function& f) const { return size_of_[group_[f.number]] > 1; }

 private:
  void find_groups(const core::program& of, const kernels& kernel_of);
  void find_branches(const core::function& f, const kernel& k);

  std::vector<std::size_t> group_, size_of_;  // functions that call each other; by their numbers
  std::unordered_set<const core::binding*> branches_;
};

}  // namespace idc::graph

#endif
