// SPDX-License-Identifier: Apache-2.0
// Numbers of a skeleton: expressions over its parameters, the rank, the number of ranks, and the
// rounds of the loops around them. An expression is a tree of nodes in one array; parts may be
// shared, and are computed for each use.
#pragma once

#include <cstdint>
#include <vector>

namespace loggp {

struct machine;

enum class expression_kind : std::uint8_t {
  number,     // value
  parameter,  // `which` of them
  ranks,
  ranks_per_node,
  cores,
  rank,
  round,  // of the loop at the depth `which`
  negate,
  floor,
  ceil,
  log2,
  exp,
  sqrt,
  gather,  // of the machine: a read of 8 bytes at a random place of so many bytes
  touch,   // of the machine: the first use of so many bytes
  add,
  subtract,
  multiply,
  divide,
  modulo,
  power,
  least,
  greatest,
  exclusive_or,
  less,
  less_equal,
  equal,
  not_equal,
};

inline bool is_leaf(expression_kind k) { return k <= expression_kind::round; }
inline bool is_unary(expression_kind k) {
  return k >= expression_kind::negate && k <= expression_kind::touch;
}

struct expression_node {
  expression_kind kind = expression_kind::number;
  std::uint32_t which = 0;
  std::uint32_t left = 0, right = 0;  // indices of nodes
  double value = 0;
};

// What an expression may ask for.
struct surroundings {
  double ranks = 1, ranks_per_node = 1, cores = 0, rank = 0;
  const machine* on = nullptr;
  const double* parameters = nullptr;
  const double* rounds = nullptr;  // by depth
};

double value_of(const std::vector<expression_node>& nodes, std::uint32_t root,
                const surroundings& around);

// Whether the value may differ from rank to rank, or from round to round.
bool varies(const std::vector<expression_node>& nodes, std::uint32_t root);

}  // namespace loggp
