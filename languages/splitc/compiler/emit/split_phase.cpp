// SPDX-License-Identifier: Apache-2.0
// The split-phase assignments: `:=`, a get or a put, and `:-`, a store.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

// The bytes of the one are a value of the other: no conversion stands between them.
bool have_same_bytes(const type* left, const type* source) {
  const auto suffix = word_suffix(source);
  if (!suffix) return same_type(left, source);
  return left->kind == source->kind && word_suffix(left) == suffix;
}

}  // namespace

// := and :-
void emission::split_phase(const node* n) {
  const node* left = bare(n->children[0]);
  const node* right = n->children[1];
  if (is_global(left))
    return send(left, right, access_call(n->op == punctuator::store ? "store_" : "put_"));
  const node* source = only_read(right);
  if (source && !source->is_bit_field && is_addressable(left) &&
      have_same_bytes(left->type.of, source->type.of))
    return get(left, source, n->is_followed);
  expression(left, power::unary);
  out_.text(" = ");
  expression(right, power::assignment);
}

void emission::get(const node* left, const node* source, bool is_followed) {
  const auto suffix = word_suffix(source->type.of);
  const std::string get = is_followed ? "get_followed_" : "get_";
  out_.text(access_call(suffix ? get + std::string(suffix->substr(1)) : "get_bytes"));
  out_.text("((void*)&(");
  expression(left);
  out_.text("), ");
  address(source);
  out_.text(suffix ? ")" : ", " + size_of_type(source->type) + ")");
}

// A put or a store. The value is taken now; to a bit-field, which has no address, it is written.
void emission::send(const node* left, const node* right, const std::string& call) {
  const type* t = left->type.of;
  const auto suffix = word_suffix(t);
  if (suffix && !left->is_bit_field) {
    out_.text(call + std::string(*suffix) + "(");
    address(left);
    out_.text(", ");
    as_word(t, [&] { expression(right, power::assignment); });
    return out_.text(")");
  }
  if (is_addressable(right) && !left->is_bit_field && same_type(t, right->type.of)) {
    out_.text(call + "bytes(");
    address(left);
    out_.text(", &(");
    expression(right);
    return out_.text("), " + size_of_type(left->type) + ")");
  }
  const std::string at = new_name(), value = new_name();
  out_.text("({ const splitc_bits " + at + " = ");
  access_address(left);
  out_.text("; " + declared({t, 0}, value) + " = ");
  expression(right, power::assignment);
  out_.text("; ");
  if (left->is_bit_field)
    write_variable(left, at, value);
  else
    out_.text(call + "bytes(" + at + ", &" + value + ", sizeof " + value + ")");
  out_.text("; })");
}

}  // namespace splitcc
