// SPDX-License-Identifier: Apache-2.0
// Names of code blocks, each one once in the program: that of the function, or with a number behind
// it. They depend on the order of the blocks, not on what is in these; so what is in a block can be
// named at any time, by any thread.
#ifndef IDC_EMIT_BLOCK_NAMES_HPP
#define IDC_EMIT_BLOCK_NAMES_HPP

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "idc/emit/text_table.hpp"
#include "idc/graph/graph.hpp"
#include "idc/partition/partition.hpp"

namespace idc::emit {

// As the notation can read it.
std::string readable(std::string_view text, std::string_view suffix);

class block_names {
 public:
  block_names() = default;
  explicit block_names(const graph::program& of) { reserve(of); }
  // What blocks are named by, and what in them bears names. All else comes after it.
  void reserve(const graph::program& of);

  // Names the variants that the next plan has found. One thread at a time.
  void name_found(const partition::plan& next);
  // Whether only a block may have this name; any thread may ask. Of all other names, blocks have
  // none that something in a block may have.
  bool is_reserved(std::string_view text) const { return number_of(text) != tl0::kNone; }

 private:
  struct state {
    std::string text;
    bool is_taken = false;
    bool is_local = false;  // something in a block wants it
    tl0::index next = 2;    // number
  };
  tl0::index number_of(std::string_view text) const {
    return reserved_.find(text, [this](tl0::index i) { return std::string_view(states_[i].text); });
  }
  tl0::index reserve(std::string&& text);
  void find_local(const graph::program& of);
  void local(std::string_view text);
  bool take(const std::string& text);
  std::string take_one(tl0::index wanted);  // of states_

  text_table reserved_;  // of states_
  std::vector<state> states_;
  std::vector<tl0::index> of_function_;  // of states_, by functions' numbers
  // Names in blocks that are one of states_ and a number behind it.
  std::unordered_set<std::string> local_;
  std::unordered_set<std::string> made_;   // names of blocks that are not in states_
};

}  // namespace idc::emit

#endif
