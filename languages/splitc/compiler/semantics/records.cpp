// SPDX-License-Identifier: Apache-2.0
// Structures, unions and enumerations: completing them, and finding their members.
// (C17 6.7.2.1, 6.7.2.2; GNU: unnamed structure members, enumerations past int.)
#include <algorithm>
#include <unordered_map>

#include "languages/splitc/compiler/semantics/records.hpp"

namespace splitcc {
namespace {

bool holds_global(const type* t) {
  while (t->kind == type_kind::array) t = t->target.of;
  return is_wide_pointer(t) || (is_record(t) && t->record->holds_global);
}

bool is_unnamed_record(const member& m) { return !m.name && is_record(m.type.of); }

// The names of a record, those of its unnamed structures included, and where they stand.
void collect_names(const record& r, std::vector<std::pair<const identifier*, token_index>>& names) {
  for (const member& m : r.members) {
    if (m.name) names.emplace_back(m.name, m.at);
    if (is_unnamed_record(m)) collect_names(*m.type->record, names);
  }
}

bool fits(__int128 least, __int128 most, unsigned bits, bool is_signed) {
  const __int128 one = 1;
  if (is_signed) return least >= -(one << (bits - 1)) && most < (one << (bits - 1));
  return least >= 0 && most < (one << bits);
}

}  // namespace

void record_rules::complete_record(type* record_type, std::vector<member> members, bool packed,
                                   std::uint32_t alignment_asked, bool layout_is_known,
                                   token_index at) {
  record& r = *record_type->record;
  r.members = std::move(members);
  r.packed = packed;
  r.alignment = std::max(1u, alignment_asked);
  r.is_complete = true;
  r.layout_is_known = layout_is_known;
  if (at != kNoToken) r.at = at;
  for (member& m : r.members) {
    if (m.type->kind == type_kind::spread_array) {
      report_.error(m.at, "member " + quoted(m.name) + " is a spread array: only variables and " +
                              "parameters can be spread");
      m.type = {types_.basic(type_kind::error), 0};
    }
    if (is_unnamed_record(m) && !m.type->record->tag) m.type->record->is_anonymous_member = true;
    r.holds_global |= holds_global(m.type.of);
  }
  report_twins(r);
  if (layout_is_known) lay_out(r);
}

void record_rules::report_twins(const record& r) {
  if (r.members.size() < 2) return;
  std::vector<std::pair<const identifier*, token_index>> names;
  collect_names(r, names);
  std::unordered_map<const identifier*, token_index> seen;
  for (const auto& [name, at] : names) {
    const auto [earlier, is_new] = seen.emplace(name, at);
    if (is_new) continue;
    report_.error(at, "duplicate member " + quoted(name));
    report_.note(earlier->second, "the other " + quoted(name) + " is here");
  }
}

// gcc's choice: unsigned int, int if there are negative values, else the long that holds them all;
// packed, the narrowest. An enumerator that fits an int is one.
void record_rules::complete_enumeration(type* t, std::span<entity* const> enumerators,
                                        bool packed) {
  __int128 least = 0, most = 0;
  for (const entity* e : enumerators) {
    least = std::min(least, e->value);
    most = std::max(most, e->value);
  }
  using k = type_kind;
  struct candidate {
    unsigned bits;
    type_kind if_unsigned, if_signed;
  };
  static constexpr candidate kCandidates[] = {{8, k::unsigned_char, k::signed_char},
                                              {16, k::unsigned_short, k::short_},
                                              {32, k::unsigned_int, k::int_},
                                              {64, k::unsigned_long, k::long_}};
  for (const candidate& c : kCandidates) {
    if (c.bits < 32 && !packed) continue;
    const bool is_signed = least < 0;
    if (!fits(least, most, c.bits, is_signed)) continue;
    t->enumeration->underlying = types_.basic(is_signed ? c.if_signed : c.if_unsigned);
    break;
  }
  t->enumeration->is_complete = true;
  for (entity* e : enumerators) {
    const bool is_int = fits(e->value, e->value, 32, true);
    e->type = {is_int ? types_.basic(k::int_) : t->enumeration->underlying, 0};
  }
}

const member* find_member(const record& r, const identifier* name,
                          std::vector<const member*>* path) {
  for (const member& m : r.members) {
    if (m.name == name) {
      if (path) path->push_back(&m);
      return &m;
    }
    if (!is_unnamed_record(m)) continue;
    if (path) path->push_back(&m);
    if (const member* inner = find_member(*m.type->record, name, path)) return inner;
    if (path) path->pop_back();
  }
  return nullptr;
}

}  // namespace splitcc
