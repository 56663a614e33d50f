// SPDX-License-Identifier: Apache-2.0
// -fcoalesce: a counted loop with step 1 whose body is one put or store to g[i], or one get from
// g[i] into a[i], goes in bulk: values are gathered in a buffer and sent some hundred at a time; a
// get is one transfer.
#include "languages/splitc/compiler/optimise/passes.hpp"

namespace splitcc {
namespace {

// The one statement of a body.
node* only_statement(node* body) {
  while (body && body->kind == node_kind::compound) {
    if (body->children.size() != 1) return nullptr;
    body = body->children[0];
  }
  return body && body->kind == node_kind::expression ? bare(body->children[0]) : nullptr;
}

// Moved as it is, in any number.
bool is_plain_object(const type* t) {
  return (is_scalar(t) || is_record(t)) && size_of(t).has_value() && *size_of(t) != 0;
}

class coalescing {
 public:
  coalescing(counted_loop& loop, const pass& p) : loop_(loop), pass_(p) {
    around_ = loop.body;
    around_.written.insert(loop.index);
  }

  node* turn() {
    if (loop_.step) return nullptr;
    node* a = only_statement(loop_.statement());
    if (!a || a->kind != node_kind::assignment) return nullptr;
    if (a->op != punctuator::split_phase && a->op != punctuator::store) return nullptr;
    node* left = bare(a->children[0]);
    return is_global_lvalue(left) ? sends(left, a->children[1], a->op == punctuator::store)
                                  : gets(left, bare(a->children[1]));
  }

 private:
  // g[i], g a global pointer that stays the same.
  bool is_row(const node* e) const {
    return e->kind == node_kind::index && is_global_lvalue(e) &&
           is_pointer(e->children[0]->type.of, reach::global) &&
           variable_of(plain(e->children[1])) == loop_.index && variable_of(e->children[0]) &&
           is_invariant(e->children[0], around_) && !e->is_bit_field &&
           (e->type.qualifiers & (kVolatile | kAtomic)) == 0 && is_plain_object(e->type.of);
  }

  node* address_of(node* e, reach view) const {
    return pass_.unary(punctuator::ampersand, e, {pass_.types.pointer_to({e->type.of, 0}, view), 0},
                       false, reach::local);
  }

  std::string initially(std::string_view hole) const {
    return "{ " + std::string(hole) + (loop_.declares_index ? " " : "; ");
  }

  // g[i] := value, g[i] :- value
  node* sends(node* target, node* value, bool is_store) {
    const effects of_value = effects_of(value);
    if (!is_row(target) || !changes_nothing(of_value) || of_value.reads_global) return nullptr;
    const std::uint64_t bytes = *size_of(target->type.of);
    if (bytes > kElementMax) return nullptr;
    const std::string n = std::to_string(kBufferBytes / bytes);
    const type* element = pass_.types.pointer_to({target->type.of, 0});
    entity* buffer =
        pass_.variable({pass_.types.array_of({target->type.of, 0}, bound_kind::constant,
                                             kBufferBytes / bytes, nullptr),
                        0});
    entity* next = pass_.variable({element, 0});
    const std::string b = text_of(buffer), p = text_of(next), to = "splitc_to_" + p;
    pass_.tell(loop_.loop->at, is_store ? "stores to adjacent words go in bulk"
                                        : "puts to adjacent words go in bulk");
    return pass_.made(initially("%0") + "@0; while (%1) { const splitc_bits " + to +
                          " = %2; @1 = " + b + "; for (; " + p + " < " + b + " + " + n +
                          " && (%1); %3) *" + p + "++ = %4; " +
                          (is_store ? "splitc_store_bytes(" : "splitc_put_bytes(") + to + ", " + b +
                          ", (splitc_bits)((char*)" + p + " - (char*)" + b + ")); } }",
                      {loop_.initial(), loop_.condition(), address_of(target, reach::global),
                       loop_.advance(), value},
                      {buffer, next});
  }

  // a[i] := g[i]
  node* gets(node* target, node* source) {
    if (source->kind == node_kind::convert && source->converts == conversion::read)
      source = bare(source->children[0]);
    if (target->kind != node_kind::index || target->is_bit_field || !is_row(source)) return nullptr;
    if (!same_type(qualified_type{target->type.of, 0}, qualified_type{source->type.of, 0}) ||
        variable_of(plain(target->children[1])) != loop_.index)
      return nullptr;
    const node* array = plain(target->children[0]);
    if (array->kind == node_kind::convert && array->converts == conversion::decay)
      array = plain(array->children[0]);
    const entity* v = variable_of(array);
    if (!v || (v->type->kind != type_kind::array && !is_private(v)) ||
        (v->type->kind != type_kind::array && around_.written.contains(v)))
      return nullptr;
    const std::string i = text_of(loop_.index);
    const std::string past = loop_.is_inclusive ? "(%2) + 1L" : "(%2)";
    pass_.tell(loop_.loop->at, "gets of adjacent words go in bulk");
    return pass_.made(initially("%0") + "if (%1) { splitc_get_bytes(%3, %4, (splitc_bits)(" + past +
                          " - " + i + ") * sizeof *(%3)); " + i + " = " + past + "; } }",
                      {loop_.initial(), loop_.condition(), loop_.bound,
                       address_of(target, reach::local), address_of(source, reach::global)},
                      {});
  }

  // Networks gather what is shorter than outbox::kLong (src/channel/net), 4096 bytes with what goes
  // in front of them, so that many parts leave together; longer runs of bytes take a write of their
  // own, a wake-up and an answer each.
  static constexpr std::uint64_t kBufferBytes = 4096 - 64;
  static constexpr std::uint64_t kElementMax = 512;  // larger ones are worth a message each

  counted_loop& loop_;
  const pass& pass_;
  effects around_;
};

}  // namespace

void coalesce(node& function, const pass& p) {
  node* body = &function;
  turn_loops(body, p, [&](counted_loop& l) { return coalescing(l, p).turn(); });
}

}  // namespace splitcc
