// SPDX-License-Identifier: Apache-2.0
// A communication skeleton: what every rank of a program does, in a small notation (docs/model.md),
// with numbers that depend on parameters, the rank and the number of ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/model/expression.hpp"
#include "tools/model/parameters.hpp"
#include "tools/model/simulation.hpp"

namespace loggp {

struct parameter {
  std::string name;
  double value = 0;
  bool is_fitted = false;  // a cost of the machine the program runs on, which runs tell
  std::string about;
};

// What ranks do: one after the other, with jumps.
enum class step_kind : std::uint8_t { operation, repeat, again, unless, jump };

struct skeleton_step {
  step_kind kind = step_kind::operation;
  op_kind op = op_kind::end;
  // Roots of expressions. Of an operation: ns or bytes, the peer or the partners, the messages; of
  // repeat its count, of unless its condition.
  std::uint32_t first = 0, second = 0, third = 0;
  std::uint32_t target = 0;  // of a jump; of repeat and again, behind and at the loop's beginning
  std::uint32_t depth = 0;  // of the loop
  std::uint32_t line = 0, column = 0;  // in the file
};

struct skeleton {
  std::string file, name, about;
  std::vector<parameter> parameters;
  std::vector<expression_node> nodes;
  std::vector<skeleton_step> steps;  // ends with op_kind::end
  std::uint32_t depth = 0;  // of its loops

  // Sets what NAME=VALUE says. Throws input_error.
  void set(const std::string& assignment);
};

// Throws input_error: FILE:LINE:COLUMN: what is wrong there.
skeleton parse_skeleton(const std::string& file, std::string_view text);

// The program of `ranks` ranks, for one simulation. `s` and `m` have to outlive it.
std::unique_ptr<program> program_of(const skeleton& s, const machine& m, unsigned ranks);

}  // namespace loggp
