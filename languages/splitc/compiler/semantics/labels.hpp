// SPDX-License-Identifier: Apache-2.0
// The labels of the function whose body is read. They live as long as their function;
// `__label__` declares one of a block.
#ifndef SPLITCC_SEMANTICS_LABELS_HPP
#define SPLITCC_SEMANTICS_LABELS_HPP

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "languages/splitc/compiler/semantics/nodes.hpp"

namespace splitcc {

class label_table : private node_maker {
 public:
  using node_maker::node_maker;

  label_target* label(identifier* name, token_index at, bool defines);
  void declare_local(identifier* name, token_index at, std::uint32_t depth);
  void leave_block(std::uint32_t depth);  // checks those that it declared
  void leave_function();  // checks all others
  void forget();

 private:
  struct block_label {
    label_target* target;
    std::uint32_t depth;
  };

  void check(const label_target& l);

  std::vector<label_target*> labels_;  // in the order of their first mention
  std::unordered_map<const identifier*, label_target*> labels_by_name_;
  std::vector<block_label> block_labels_;
};

}  // namespace splitcc

#endif
