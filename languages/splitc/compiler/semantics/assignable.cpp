// SPDX-License-Identifier: Apache-2.0
// Conversion as if by assignment, with gcc's words for what goes wrong: assignments,
// initializers, arguments and returned values. (C17 6.5.16.1.)
//
// Old programs convert freely: what gcc only warns about is a warning here, too. A local pointer
// that becomes global or spread takes the own processor; the other way the processor is dropped.
#include "languages/splitc/compiler/semantics/assignable.hpp"
#include "languages/splitc/compiler/semantics/evaluated.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

using use_kind = assigned_as::use;

namespace {

bool is_function_pointer(const type* t) { return t->target->kind == type_kind::function; }

// Types that the C compiler converts, or that it alone knows enough about to judge.
bool is_left_to_the_c_compiler(const type* from, const type* to) {
  return is_unknown(from) || is_unknown(to) || from->kind == type_kind::va_list ||
         to->kind == type_kind::va_list;
}

// Of char, int and so on, with sign or without: pointers to either are exchanged in silence.
bool same_but_for_sign(const type* a, const type* b) {
  return is_integer(a) && is_integer(b) && a->kind != type_kind::bool_ &&
         b->kind != type_kind::bool_ && size_of(a) == size_of(b) &&
         a->kind != type_kind::enumeration && b->kind != type_kind::enumeration &&
         (is_unsigned(a) != is_unsigned(b) || size_of(a) == std::uint64_t{1});
}

std::string names_of(std::uint8_t qualifiers) {
  std::string names;
  auto add = [&](std::uint8_t one, const char* name) {
    if (!(qualifiers & one)) return;
    names += names.empty() ? "'" : " ";
    names += name;
  };
  add(kConst, "const");
  add(kVolatile, "volatile");
  add(kRestrict, "restrict");
  add(kAtomic, "_Atomic");
  return names.empty() ? names : names + "'";
}

// Qualifiers of arrays are those of their elements.
std::uint8_t qualifiers_of(qualified_type t) {
  std::uint8_t all = t.qualifiers;
  while (t->kind == type_kind::array) {
    t = t->target;
    all |= t.qualifiers;
  }
  return all;
}

bool fits_a_member(const type* from, const record& of) {
  for (const member& m : of.members)
    if (same_type(m.type.of, from) || (is_any_pointer(from) && is_any_pointer(m.type.of)))
      return true;
  return false;
}

bool vectors_fit(const type* from, const type* to) {
  return from->kind == type_kind::vector && to->kind == type_kind::vector &&
         size_of(from) == size_of(to);
}

}  // namespace

node* assignment_rules::convert_for(node* e, qualified_type to, const assigned_as& use) {
  e = operand(e);
  const type* from = value_type(e);
  if (from == to.of || (is_arithmetic(from) && is_arithmetic(to.of))) return e;
  if (is_left_to_the_c_compiler(from, to.of)) return e;
  if (from->kind == type_kind::void_) {
    report_.error(e->at, use.as == use_kind::argument ? "invalid use of void expression"
                                                      : "void value not ignored as it ought to be");
    return e;
  }
  if (is_any_pointer(to.of)) return assign_pointer(e, from, to.of, use);
  if (is_any_pointer(from) && is_integer(to.of)) {
    if (to->kind == type_kind::bool_)
      return is_wide_pointer(from) ? new_conversion(e, conversion::to_truth, {int_type(), 0}) : e;
    const bool is_enumeration = to->kind == type_kind::enumeration;
    report_mismatch(is_enumeration ? mismatch::types : mismatch::integer_from_pointer, e, from,
                    to.of, use);
    return e;
  }
  if (same_type(from, to.of) || vectors_fit(from, to.of)) return e;
  const bool transparent = to->kind == type_kind::union_ && to->record->is_transparent &&
                           fits_a_member(from, *to->record);
  if (!transparent) report_mismatch(mismatch::types, e, from, to.of, use);
  return e;
}

node* assignment_rules::assign_pointer(node* e, const type* from, const type* to,
                                       const assigned_as& use) {
  to = pointer_to_block(to);
  if (is_null_constant(e)) return with_view(e, to);
  if (is_any_pointer(from)) {
    check_pointees(e, from, to, use);
    if (from->view != to->view && to->view == reach::local) check_processor_kept(e, from, use);
    node* converted = with_view(e, to);
    if (converted->kind == node_kind::convert && converted != e) converted->type = {to, 0};
    return converted;
  }
  const bool is_number =
      is_integer(from) && from->kind != type_kind::bool_ && from->kind != type_kind::enumeration;
  report_mismatch(is_number ? mismatch::pointer_from_integer : mismatch::types, e, from, to, use);
  return e;
}

void assignment_rules::check_pointees(const node* e, const type* from, const type* to,
                                      const assigned_as& use) {
  const qualified_type source = from->target, target = to->target;
  const bool to_void = target->kind == type_kind::void_ || source->kind == type_kind::void_;
  if (!to_void && source.of != target.of && !same_type(source.of, target.of) &&
      !same_but_for_sign(source.of, target.of) && !is_unknown(source.of) &&
      !is_unknown(target.of)) {
    report_mismatch(mismatch::pointers, e, from, to, use);
    return;
  }
  const std::uint8_t kept = qualifiers_of(target) | kRestrict;
  const std::uint8_t lost = qualifiers_of(source) & static_cast<std::uint8_t>(~kept);
  if (lost && !is_function_pointer(from))
    report_mismatch(mismatch::qualifiers, e, from, to, use, names_of(lost));
}

// `S + MYPROC` points to memory of this processor. A cast converts without this check.
void assignment_rules::check_processor_kept(const node* e, const type* from,
                                            const assigned_as& use) {
  if (use.as == use_kind::argument) {
    const entity* callee = named_by(use.function);
    if (callee && callee->is_library) return;
  }
  if (mentions_myproc(*e)) return;
  report_mismatch(mismatch::processor, e, from, from, use);
}

namespace {

struct phrases {
  const char* argument;  // behind "passing argument 1 of 'f' "
  const char* option;
};

const phrases& phrases_of(int mismatch) {
  static constexpr phrases kPhrases[] = {
      {"", ""},
      {"from incompatible pointer type", "incompatible-pointer-types"},
      {"makes pointer from integer without a cast", "int-conversion"},
      {"makes integer from pointer without a cast", "int-conversion"},
      {"discards", "discarded-qualifiers"},
      {"drops the processor of", "dropped-processor"},
  };
  return kPhrases[mismatch];
}

std::string incompatible_types(use_kind use, const std::string& to, const std::string& from) {
  switch (use) {
    case use_kind::initialization:
      return "incompatible types when initializing type " + to + " using type " + from;
    case use_kind::return_:
      return "incompatible types when returning type " + from + " but " + to + " was expected";
    default:
      return "incompatible types when assigning to type " + to + " from type " + from;
  }
}

std::string incompatible_pointers(use_kind use, const std::string& to, const std::string& from) {
  if (use == use_kind::return_)
    return "returning " + from + " from a function with incompatible return type " + to;
  return (use == use_kind::initialization ? "initialization of " : "assignment to ") + to +
         " from incompatible pointer type " + from;
}

std::string unlike_kinds(use_kind use, const std::string& to, const std::string& from,
                         const char* what) {
  if (use == use_kind::return_)
    return "returning " + from + " from a function with return type " + to + " " + what;
  return (use == use_kind::initialization ? "initialization of " : "assignment to ") + to +
         " from " + from + " " + what;
}

const char* word_for(use_kind use) {
  if (use == use_kind::initialization) return "initialization ";
  return use == use_kind::return_ ? "return " : "assignment ";
}

}  // namespace

std::string assignment_rules::words_for(mismatch m, const type* from, const type* to,
                                        const assigned_as& use, std::string_view qualifiers) const {
  const phrases& p = phrases_of(static_cast<int>(m));
  std::string tail = p.argument;
  if (m == mismatch::qualifiers)
    tail += " " + std::string(qualifiers) + " qualifier from pointer target type";
  if (m == mismatch::processor) tail += " a " + quoted({from, 0});
  if (use.as == use_kind::argument) {
    const std::string which =
        "argument " + std::to_string(use.position) + " of '" + text_of(use.function) + "'";
    if (m == mismatch::types) return "incompatible type for " + which;
    return "passing " + which + " " + tail;
  }
  const std::string target = quoted({to, 0}), source = quoted({from, 0});
  switch (m) {
    case mismatch::types:
      return incompatible_types(use.as, target, source);
    case mismatch::pointers:
      return incompatible_pointers(use.as, target, source);
    case mismatch::pointer_from_integer:
    case mismatch::integer_from_pointer:
      return unlike_kinds(use.as, target, source, p.argument);
    default:
      return word_for(use.as) + tail;
  }
}

void assignment_rules::report_mismatch(mismatch m, const node* e, const type* from, const type* to,
                                       const assigned_as& use, std::string_view qualifiers) {
  if (use.as == use_kind::quiet) return;
  const token_index at = use.at == kNoToken ? e->at : use.at;
  const std::string words = words_for(m, from, to, use, qualifiers);
  if (m == mismatch::types && is_record(from) && !is_complete(from)) {
    report_.error(e->at, "invalid use of undefined type " + quoted({from, 0}));
    return;
  }
  if (m == mismatch::types)
    report_.error(at, words);
  else
    report_.warning(at, phrases_of(static_cast<int>(m)).option, words);
  if (use.as == use_kind::argument && m != mismatch::processor)
    report_.note(at,
                 "expected " + quoted({to, 0}) + " but argument is of type " + quoted({from, 0}));
}

}  // namespace splitcc
