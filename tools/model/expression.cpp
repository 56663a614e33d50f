// SPDX-License-Identifier: Apache-2.0
#include "tools/model/expression.hpp"

#include <algorithm>
#include <cmath>

#include "tools/model/parameters.hpp"

namespace loggp {
namespace {

// Of whole numbers: as bits.
double exclusive_or(double a, double b) {
  const auto bits = [](double x) { return x >= 0 && x < 1e15 ? std::uint64_t(x) : 0; };
  return double(bits(a) ^ bits(b));
}

// As in mathematics: the sign is that of the divisor, so (rank - 1) % ranks is a rank.
double modulo(double a, double b) { return a - b * std::floor(a / b); }

double of_one(expression_kind k, double a, const surroundings& around) {
  switch (k) {
    case expression_kind::gather:
      return around.on->gather_ns(a);
    case expression_kind::touch:
      return around.on->touch_ns(a);
    case expression_kind::floor:
      return std::floor(a);
    case expression_kind::ceil:
      return std::ceil(a);
    case expression_kind::log2:
      return std::log2(a);
    case expression_kind::exp:
      return std::exp(a);
    case expression_kind::sqrt:
      return std::sqrt(a);
    default:
      return -a;
  }
}

double of_two(expression_kind k, double a, double b) {
  switch (k) {
    case expression_kind::add:
      return a + b;
    case expression_kind::subtract:
      return a - b;
    case expression_kind::multiply:
      return a * b;
    case expression_kind::divide:
      return a / b;
    case expression_kind::modulo:
      return modulo(a, b);
    case expression_kind::power:
      return std::pow(a, b);
    case expression_kind::least:
      return std::min(a, b);
    case expression_kind::greatest:
      return std::max(a, b);
    case expression_kind::exclusive_or:
      return exclusive_or(a, b);
    case expression_kind::less:
      return a < b ? 1 : 0;
    case expression_kind::less_equal:
      return a <= b ? 1 : 0;
    case expression_kind::equal:
      return a == b ? 1 : 0;
    default:
      return a != b ? 1 : 0;
  }
}

double of_leaf(const expression_node& n, const surroundings& around) {
  switch (n.kind) {
    case expression_kind::parameter:
      return around.parameters[n.which];
    case expression_kind::ranks:
      return around.ranks;
    case expression_kind::ranks_per_node:
      return around.ranks_per_node;
    case expression_kind::cores:
      return around.cores;
    case expression_kind::rank:
      return around.rank;
    case expression_kind::round:
      return around.rounds[n.which];
    default:
      return n.value;
  }
}

}  // namespace

double value_of(const std::vector<expression_node>& nodes, std::uint32_t root,
                const surroundings& around) {
  const expression_node& n = nodes[root];
  if (is_leaf(n.kind)) return of_leaf(n, around);
  const double left = value_of(nodes, n.left, around);
  if (is_unary(n.kind)) return of_one(n.kind, left, around);
  return of_two(n.kind, left, value_of(nodes, n.right, around));
}

bool varies(const std::vector<expression_node>& nodes, std::uint32_t root) {
  const expression_node& n = nodes[root];
  if (is_leaf(n.kind)) return n.kind == expression_kind::rank || n.kind == expression_kind::round;
  return varies(nodes, n.left) || (!is_unary(n.kind) && varies(nodes, n.right));
}

}  // namespace loggp
