// SPDX-License-Identifier: Apache-2.0
// Names of code blocks, each one once in the program: the name of the function, or this name with a
// number behind it. They depend on the order of the blocks, not on what the blocks contain.
#ifndef IDC_EMIT_BLOCK_NAMES_HPP
#define IDC_EMIT_BLOCK_NAMES_HPP

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/id/graph/graph.hpp"
#include "languages/id/partition/partition.hpp"

namespace idc::emit {

// As the notation can read it.
std::string readable(std::string_view text, std::string_view suffix);

class block_names {
 public:
  explicit block_names(const graph::program& of);

  // Names the variants that the next plan has found.
  void name_found(const partition::plan& next);
  // Whether only a block may have this name. Of all other names, blocks have none that something in
  // a block may have.
  bool is_reserved(std::string_view text) const { return number_of(text) != tl0::kNone; }

 private:
  struct state {
    std::string text;
    bool is_taken = false;
    bool is_local = false;  // something in a block wants it
    tl0::index next = 2;  // number
  };
  tl0::index number_of(std::string_view text) const {
    const auto found = reserved_.find(std::string(text));
    return found == reserved_.end() ? tl0::kNone : found->second;
  }
  tl0::index reserve(std::string&& text);
  void find_local(const graph::program& of);
  void local(std::string_view text);
  bool take(const std::string& text);
  std::string take_one(tl0::index wanted);  // of states_

  std::unordered_map<std::string, tl0::index> reserved_;  // numbers in states_
  std::vector<state> states_;
  std::vector<tl0::index> of_function_;  // of states_, by functions' numbers
  // Names in blocks that are one of states_ and a number behind it.
  std::unordered_set<std::string> local_;
  std::unordered_set<std::string> made_;  // names of blocks that are not in states_
};

}  // namespace idc::emit

#endif
