// SPDX-License-Identifier: Apache-2.0
// Integer constant expressions. (C17 6.6; GNU: what gcc folds beyond it.)
#include "languages/splitc/compiler/semantics/arithmetic.hpp"
#include "languages/splitc/compiler/semantics/folding.hpp"
#include "languages/splitc/compiler/semantics/operand_rules.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {
namespace {

using wide_unsigned = unsigned __int128;

bool is_integer_type(const node* e) { return e->type && is_integer(e->type.of); }

// The type in which two integers are compared.
bool compares_unsigned(const node* left, const node* right) {
  const auto unsigned_width = [](const node* e) {
    return is_unsigned(e->type.of) && width_of(e->type.of) >= 32 ? width_of(e->type.of) : 0;
  };
  const std::uint32_t widest = std::max(width_of(left->type.of), width_of(right->type.of));
  return std::max(unsigned_width(left), unsigned_width(right)) == std::max(widest, 32u);
}

template <class T>
bool ordered(punctuator op, T a, T b) {
  switch (op) {
    case punctuator::less:
      return a < b;
    case punctuator::greater:
      return a > b;
    case punctuator::less_equal:
      return a <= b;
    case punctuator::greater_equal:
      return a >= b;
    case punctuator::equal:
      return a == b;
    default:
      return a != b;
  }
}

bool is_comparison(punctuator op) {
  switch (op) {
    case punctuator::less:
    case punctuator::greater:
    case punctuator::less_equal:
    case punctuator::greater_equal:
    case punctuator::equal:
    case punctuator::not_equal:
      return true;
    default:
      return false;
  }
}

constant divided(punctuator op, __int128 a, __int128 b, bool as_unsigned) {
  if (b == 0) return std::nullopt;
  const bool quotient = op == punctuator::slash;
  if (as_unsigned) {
    const auto x = static_cast<wide_unsigned>(a), y = static_cast<wide_unsigned>(b);
    return static_cast<__int128>(quotient ? x / y : x % y);
  }
  if (b == -1) return quotient ? static_cast<__int128>(-static_cast<wide_unsigned>(a)) : 0;
  return quotient ? a / b : a % b;
}

constant combined(punctuator op, __int128 a, __int128 b, bool as_unsigned) {
  const auto x = static_cast<wide_unsigned>(a), y = static_cast<wide_unsigned>(b);
  switch (op) {
    case punctuator::plus:
      return static_cast<__int128>(x + y);
    case punctuator::minus:
      return static_cast<__int128>(x - y);
    case punctuator::star:
      return static_cast<__int128>(x * y);
    case punctuator::slash:
    case punctuator::percent:
      return divided(op, a, b, as_unsigned);
    case punctuator::ampersand:
      return a & b;
    case punctuator::bar:
      return a | b;
    case punctuator::caret:
      return a ^ b;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<bool> folder::truth(const node* e) const {
  if (!e->type) return std::nullopt;
  if (is_integer(e->type.of)) {
    if (const constant value = integer(e)) return *value != 0;
  } else if (is_floating(e->type.of)) {
    if (const floating_constant value = floating(e)) return *value != 0;
  } else if (is_any_pointer(e->type.of)) {
    if (const constant value = address(e)) return *value != 0;
  }
  return std::nullopt;
}

constant folder::converted(const node* from, const type* to) const {
  if (!is_integer(to) || !from->type) return std::nullopt;
  if (to->kind == type_kind::bool_) {
    const std::optional<bool> value = truth(from);
    return value ? constant(*value) : std::nullopt;
  }
  if (is_integer(from->type.of)) {
    const constant value = integer(from);
    return value ? constant(wrapped(*value, to)) : std::nullopt;
  }
  if (is_floating(from->type.of)) {
    const floating_constant value = floating(from);
    constexpr long double kMost = 0x1p126L;
    if (!value || !(*value > -kMost && *value < kMost)) return std::nullopt;
    return wrapped(static_cast<__int128>(*value), to);
  }
  const constant value = address(from);
  return value ? constant(wrapped(*value, to)) : std::nullopt;
}

constant folder::unary(const node* e) const {
  const node* operand = e->children[0];
  if (e->op == punctuator::exclamation) {
    const std::optional<bool> value = truth(operand);
    return value ? constant(!*value) : std::nullopt;
  }
  if (!is_integer_type(operand)) return std::nullopt;
  const constant value = integer(operand);
  if (!value) return std::nullopt;
  switch (e->op) {
    case punctuator::plus:
      return wrapped(*value, e->type.of);
    case punctuator::minus:
      return wrapped(static_cast<__int128>(-static_cast<wide_unsigned>(*value)), e->type.of);
    case punctuator::tilde:
      return wrapped(~*value, e->type.of);
    default:
      return std::nullopt;
  }
}

constant folder::shift(const node* e) const {
  const constant left = integer(e->children[0]), right = integer(e->children[1]);
  if (!left || !right || *right < 0 || *right >= width_of(e->type.of)) return std::nullopt;
  const __int128 a = wrapped(*left, e->type.of);
  const int count = static_cast<int>(*right);
  if (e->op == punctuator::shift_left)
    return wrapped(static_cast<__int128>(static_cast<wide_unsigned>(a) << count), e->type.of);
  if (is_unsigned(e->type.of)) return static_cast<__int128>(static_cast<wide_unsigned>(a) >> count);
  return a >> count;
}

constant folder::compare(const node* e) const {
  const node *left = e->children[0], *right = e->children[1];
  if (!left->type || !right->type) return std::nullopt;
  if (is_integer(left->type.of) && is_integer(right->type.of)) {
    const constant a = integer(left), b = integer(right);
    if (!a || !b) return std::nullopt;
    if (!compares_unsigned(left, right)) return ordered(e->op, *a, *b);
    const std::uint32_t width = std::max({width_of(left->type.of), width_of(right->type.of), 32u});
    const wide_unsigned mask = ~wide_unsigned{0} >> (128 - width);
    return ordered(e->op, static_cast<wide_unsigned>(*a) & mask,
                   static_cast<wide_unsigned>(*b) & mask);
  }
  if (is_arithmetic(left->type.of) && is_arithmetic(right->type.of)) {
    const floating_constant a = floating(left), b = floating(right);
    return a && b ? constant(ordered(e->op, *a, *b)) : std::nullopt;
  }
  const constant a = is_integer(left->type.of) ? integer(left) : address(left);
  const constant b = is_integer(right->type.of) ? integer(right) : address(right);
  if (!a || !b) return std::nullopt;
  return ordered(e->op, static_cast<wide_unsigned>(*a), static_cast<wide_unsigned>(*b));
}

// Of two pointers into what is one object.
constant folder::difference(const node* e) const {
  const constant a = address(e->children[0]), b = address(e->children[1]);
  const type* pointer = e->children[0]->type.of;
  if (!a || !b || !pointer->target) return std::nullopt;
  const auto bytes = size_of(pointer->target.of);
  if (!bytes || *bytes == 0) return std::nullopt;
  return (*a - *b) / static_cast<__int128>(*bytes);
}

constant folder::binary(const node* e) const {
  const node *left = e->children[0], *right = e->children[1];
  if (e->op == punctuator::logical_and || e->op == punctuator::logical_or) {
    const bool decides = e->op == punctuator::logical_or;
    const std::optional<bool> a = truth(left);
    if (!a) return std::nullopt;
    if (*a == decides) return decides;
    const std::optional<bool> b = truth(right);
    return b ? constant(*b) : std::nullopt;
  }
  if (is_comparison(e->op)) return compare(e);
  if (e->op == punctuator::shift_left || e->op == punctuator::shift_right) return shift(e);
  if (!is_integer_type(e)) return std::nullopt;
  if (e->op == punctuator::minus && !is_integer_type(left)) return difference(e);
  if (!is_integer_type(left) || !is_integer_type(right)) return std::nullopt;
  const constant a = integer(left), b = integer(right);
  if (!a || !b) return std::nullopt;
  const constant value =
      combined(e->op, wrapped(*a, e->type.of), wrapped(*b, e->type.of), is_unsigned(e->type.of));
  return value ? constant(wrapped(*value, e->type.of)) : std::nullopt;
}

constant folder::integer(const node* e) const {
  if (!e) return std::nullopt;
  if (e->is_constant) return e->value;
  switch (e->kind) {
    case node_kind::name:
      if (!e->referred || e->referred->kind != entity_kind::enumerator) return std::nullopt;
      return e->referred->value;
    case node_kind::parenthesized:
      return integer(e->children[0]);
    case node_kind::convert:
      if (e->converts == conversion::to_truth) {
        const std::optional<bool> value = truth(e->children[0]);
        return value ? constant(*value) : std::nullopt;
      }
      if (e->converts != conversion::arithmetic) return std::nullopt;
      return converted(e->children[0], e->type.of);
    case node_kind::cast:
      return converted(e->children[0], e->type.of);
    case node_kind::unary:
      return unary(e);
    case node_kind::binary:
      return binary(e);
    case node_kind::conditional: {
      const std::optional<bool> chosen = truth(e->children[0]);
      if (!chosen) return std::nullopt;
      const node* then = e->children[1] ? e->children[1] : e->children[0];
      return converted(*chosen ? then : e->children[2], e->type.of);
    }
    case node_kind::sizeof_expression:
    case node_kind::sizeof_type:
    case node_kind::alignof_expression:
    case node_kind::alignof_type:
      return size(e);
    case node_kind::offset_of:
      return offset(e);
    case node_kind::choose: {
      const std::optional<bool> chosen = truth(e->children[0]);
      return chosen ? integer(e->children[*chosen ? 1 : 2]) : std::nullopt;
    }
    case node_kind::call:
      return call(e);
    default:
      return std::nullopt;
  }
}

std::optional<__int128> operand_rules::fold(const node* e) const {
  if (!e || !is_integer_type(e)) return std::nullopt;
  return folder(tokens_).integer(e);
}

std::optional<__int128> operand_rules::constant_integer(node* e, std::string_view what) {
  if (!e || !e->type || is_unknown(e->type.of)) return std::nullopt;
  const std::optional<__int128> value = fold(e);
  if (value) {
    e->is_constant = true;
    e->value = *value;
    return value;
  }
  report_.error(e->at, std::string(what) + " is not an integer constant");
  return std::nullopt;
}

}  // namespace splitcc
