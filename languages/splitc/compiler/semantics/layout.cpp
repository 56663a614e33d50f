// SPDX-License-Identifier: Apache-2.0
// Sizes and alignments as gcc lays objects out on x86-64 and AArch64 (System V), bit-fields and
// the attributes packed and aligned included.
#include <algorithm>

#include "languages/splitc/compiler/semantics/types.hpp"

namespace splitcc {
namespace {

#ifdef __aarch64__
constexpr std::uint64_t kVaListBytes = 32;
constexpr bool kUnnamedBitFieldsAlign = true;
#else
constexpr std::uint64_t kVaListBytes = 24;
constexpr bool kUnnamedBitFieldsAlign = false;
#endif

constexpr std::uint64_t round_up(std::uint64_t n, std::uint64_t to) {
  return (n + to - 1) / to * to;
}

std::optional<std::uint64_t> basic_size(type_kind k) {
  switch (k) {
    case type_kind::void_:
    case type_kind::bool_:
    case type_kind::char_:
    case type_kind::signed_char:
    case type_kind::unsigned_char:
    case type_kind::function:
      return 1;
    case type_kind::short_:
    case type_kind::unsigned_short:
    case type_kind::float16:
      return 2;
    case type_kind::int_:
    case type_kind::unsigned_int:
    case type_kind::float_:
    case type_kind::float32:
    case type_kind::decimal32:
      return 4;
    case type_kind::long_:
    case type_kind::unsigned_long:
    case type_kind::long_long:
    case type_kind::unsigned_long_long:
    case type_kind::double_:
    case type_kind::float64:
    case type_kind::float32x:
    case type_kind::decimal64:
    case type_kind::pointer:
      return 8;
    case type_kind::int128:
    case type_kind::unsigned_int128:
    case type_kind::long_double:
    case type_kind::float64x:
    case type_kind::float128:
    case type_kind::decimal128:
      return 16;
    case type_kind::va_list:
      return kVaListBytes;
    default:
      return std::nullopt;
  }
}

// Of aligned units, how many a bit-field would touch.
constexpr std::uint64_t units_met(std::uint64_t start, std::uint64_t width, std::uint64_t unit) {
  return round_up(start % unit + width, unit) / unit;
}

// Where the next member of a record goes.
struct layout {
  record& r;
  std::uint64_t bits = 0;      // structs: used so far
  std::uint64_t bits_max = 0;  // unions: of the largest member

  void place(member& m, std::uint64_t bytes);
  void place_bit_field(member& m, std::uint64_t bytes);
  void used(std::uint64_t past) {
    if (r.is_union)
      bits_max = std::max(bits_max, past);
    else
      bits = past;
  }
  bool is_packed(const member& m) const { return r.packed || m.packed; }
  std::uint32_t limited(std::uint32_t alignment) const {
    return r.pack ? std::min(alignment, r.pack) : alignment;
  }
};

void layout::place(member& m, std::uint64_t bytes) {
  std::uint32_t alignment = is_packed(m) ? 1 : alignment_of(m.type.of);
  alignment = limited(std::max(alignment, m.alignment_asked));
  const std::uint64_t start = r.is_union ? 0 : round_up(bits, alignment * 8ull);
  m.offset = start / 8;
  r.alignment = std::max(r.alignment, alignment);
  used(start + bytes * 8);
}

// A bit-field does not cross a unit of its type, unless it is packed; one of width 0 ends a unit.
void layout::place_bit_field(member& m, std::uint64_t bytes) {
  const std::uint64_t width = *m.bits;
  const std::uint32_t natural = alignment_of(m.type.of);
  const bool fills_gaps = is_packed(m) || r.pack != 0;
  std::uint64_t start = r.is_union ? 0 : bits;
  if (m.alignment_asked) start = round_up(start, limited(m.alignment_asked) * 8ull);
  if (width == 0 || (!fills_gaps && units_met(start, width, natural * 8ull) > bytes / natural))
    start = round_up(start, natural * 8ull);
  // gcc: #pragma pack alone decides how much it aligns the record, the attribute packed only
  // where there is none.
  const std::uint32_t wants = r.pack == 0 && is_packed(m) && width > 0 ? 1 : limited(natural);
  if (m.name || kUnnamedBitFieldsAlign) r.alignment = std::max(r.alignment, wants);
  r.alignment = std::max(r.alignment, limited(m.alignment_asked));
  const std::uint64_t unit = bytes * 8;
  const bool crosses = width > 0 && start / unit != (start + width - 1) / unit;
  m.offset = crosses ? start / 8 : start / unit * bytes;
  m.bit_offset = static_cast<std::uint32_t>(start - m.offset * 8);
  used(start + width);
}

}  // namespace

std::optional<std::uint64_t> size_of(const type* t) {
  switch (t->kind) {
    case type_kind::complex: {
      const auto part = size_of(t->target.of);
      return part ? std::optional(*part * 2) : std::nullopt;
    }
    case type_kind::enumeration:
      return size_of(t->enumeration->underlying);
    case type_kind::array: {
      if (t->bound != bound_kind::constant) return std::nullopt;
      const auto element = size_of(t->target.of);
      return element ? std::optional(*element * t->count) : std::nullopt;
    }
    case type_kind::structure:
    case type_kind::union_:
      if (!t->record->is_complete || !t->record->layout_is_known) return std::nullopt;
      return t->record->bytes;
    case type_kind::vector: {
      const auto element = size_of(t->target.of);
      return element ? std::optional(*element * t->count) : std::nullopt;
    }
    default:
      return basic_size(t->kind);
  }
}

std::uint32_t alignment_of(const type* t) {
  if (t->alignment_asked) return t->alignment_asked;
  switch (t->kind) {
    case type_kind::complex:
    case type_kind::array:
      return alignment_of(t->target.of);
    case type_kind::spread_array:
      return std::max(16u, alignment_of(t->target.of));
    case type_kind::enumeration:
      return alignment_of(t->enumeration->underlying);
    case type_kind::structure:
    case type_kind::union_:
      return t->record->alignment;
    case type_kind::va_list:
      return 8;
    case type_kind::vector:
      return static_cast<std::uint32_t>(size_of(t).value_or(1));
    default:
      return static_cast<std::uint32_t>(basic_size(t->kind).value_or(1));
  }
}

void lay_out(record& r) {
  layout l{r};
  for (member& m : r.members) {
    std::optional<std::uint64_t> bytes = size_of(m.type.of);
    const bool flexible = m.type->kind == type_kind::array && m.type->bound == bound_kind::unknown;
    if (flexible && size_of(m.type->target.of)) bytes = 0;
    if (!bytes || (m.bits && *bytes == 0)) {
      r.layout_is_known = false;
      return;
    }
    if (m.bits)
      l.place_bit_field(m, *bytes);
    else
      l.place(m, *bytes);
  }
  r.bytes = round_up(round_up(r.is_union ? l.bits_max : l.bits, 8) / 8, r.alignment);
}

}  // namespace splitcc
