// SPDX-License-Identifier: Apache-2.0
// Bit-fields behind global pointers: the smallest aligned unit of 1, 2, 4 or 8 bytes that holds one
// is read; in packed structures where none does, the whole structure. What is read, changed and
// written has nothing but bit-fields in it: that unit, or parts of it one after the other. Where
// only the C compiler knows where a field lies, it is the whole structure.
#include <algorithm>

#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

qualified_type object_type(const node* n) {
  return n->kind == node_kind::arrow ? n->children[0]->type->target : n->children[0]->type;
}

struct place_of_field {
  const record* whole;  // the structure that accesses go by
  const record* holder;  // whose member the field is: `whole`, or an anonymous one in it
  std::uint64_t holder_offset;
  std::uint64_t bits;  // from the beginning of `whole`
  std::uint32_t width;
};

// Nothing where only the C compiler knows.
std::optional<place_of_field> place_of(const node* n) {
  const record& r = *object_type(n)->record;
  std::vector<const member*> path;
  if (!r.layout_is_known || !find_member(r, n->accessed->name, &path)) return std::nullopt;
  place_of_field p{&r, &r, 0, n->accessed->bit_offset, *n->accessed->bits};
  for (const member* step : path) {
    p.bits += step->offset * 8;
    if (!is_record(step->type.of)) continue;
    if (!step->type->record->layout_is_known) return std::nullopt;
    p.holder = step->type->record;
    p.holder_offset += step->offset;
  }
  return p;
}

struct unit_of_field {
  std::uint64_t offset;  // of the unit in the structure, in bytes
  std::uint32_t bytes, shift, width;  // of what the unit has of the field
};

// A member that is no bit-field, or memory beyond the structure, is in it. Of one byte with a bit
// of the field that is never so.
bool has_neighbours(const place_of_field& p, const unit_of_field& u) {
  if (u.bytes == 1) return false;
  const std::uint64_t end = u.offset + u.bytes;
  if (u.offset < p.holder_offset || end > p.holder_offset + p.holder->bytes) return true;
  return !p.holder->is_union && std::ranges::any_of(p.holder->members, [&](const member& m) {
    const std::uint64_t first = p.holder_offset + m.offset;
    return !m.bits && first < end &&
           first + size_of(m.type.of).value_or(p.holder->bytes) > u.offset;
  });
}

// The smallest unit with the field from its bit `done` on, or with as much of that as can be.
unit_of_field unit_of(const place_of_field& p, std::uint32_t done, bool may_have_neighbours) {
  const std::uint64_t first = p.bits + done;
  unit_of_field best{0, 0, 0, 0};
  for (std::uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
    const std::uint64_t offset = first / 8 / bytes * bytes;
    const auto shift = static_cast<std::uint32_t>(first - offset * 8);
    const unit_of_field u{offset, bytes, shift, std::min(p.width - done, bytes * 8 - shift)};
    if (u.width > best.width && bytes <= p.whole->alignment && offset + bytes <= p.whole->bytes &&
        (may_have_neighbours || !has_neighbours(p, u)))
      best = u;
  }
  return best;
}

std::string numbers_of(const unit_of_field& u) {
  return " + " + std::to_string(u.offset) + ", " + std::to_string(u.bytes) + ", " +
         std::to_string(u.shift) + ", " + std::to_string(u.width);
}

// What a field's value is computed with: int, where it holds all values.
std::string_view promoted(const node* n) {
  const type* t = n->type.of;
  const std::uint32_t width = *n->accessed->bits;
  if (t->kind == type_kind::bool_ || width < 32) return "int";
  if (width == 32) return is_unsigned(t) ? "unsigned" : "int";
  return is_unsigned(t) ? "unsigned long" : "long";
}

}  // namespace

// Where the structure begins that a field is in.
void emission::object_address(const node* n) {
  const node* object = n->children[0];
  if (n->kind == node_kind::arrow)
    expression(object, power::assignment);
  else
    address(object);
}

void emission::read_field(const node* lvalue) {
  const node* n = bare(lvalue);
  read_field_at(n, [&] { object_address(n); });
}

void emission::read_field_at(const node* lvalue, const std::function<void()>& object) {
  const node* n = bare(lvalue);
  const auto place = place_of(n);
  const unit_of_field unit = place ? unit_of(*place, 0, true) : unit_of_field{};
  if (!place || unit.width < place->width) {
    const std::string whole = new_name();
    out_.text("({ " + declared({object_type(n).of, 0}, whole) + "; " + access_call("read_bytes") +
              "(&" + whole + ", ");
    object();
    return out_.text(", sizeof " + whole + "); " + whole + "." +
                     std::string(n->accessed->name->text) + "; })");
  }
  const bool is_signed = !is_unsigned(n->type.of) && n->type->kind != type_kind::bool_;
  out_.text("((" + std::string(promoted(n)) + ")" +
            access_call(is_signed ? "read_signed_field(" : "read_field("));
  object();
  out_.text(numbers_of(unit) + "))");
}

void emission::write_field(const node* lvalue, const std::string& object,
                           const std::function<void()>& value) {
  const node* n = bare(lvalue);
  const auto place = place_of(n);
  if (!place) {
    const std::string whole = new_name();
    out_.text("({ " + declared({object_type(n).of, 0}, whole) + "; " + access_call("read_bytes") +
              "(&" + whole + ", " + object + ", sizeof " + whole + "); " + whole + "." +
              std::string(n->accessed->name->text) + " = ");
    value();
    return out_.text("; " + access_call("write_bytes") + "(" + object + ", &" + whole +
                     ", sizeof " + whole + "); })");
  }
  for (std::uint32_t done = 0; done < place->width;) {
    const unit_of_field unit = unit_of(*place, done, false);
    if (done != 0) out_.text("; ");
    out_.text(access_call("write_field(") + object + numbers_of(unit) + ", ");
    out_.text("(" + type_name({n->type.of, 0}) + ")(");
    value();
    out_.text(done == 0 ? "))" : ") >> " + std::to_string(done) + ")");
    done += unit.width;
  }
}

}  // namespace splitcc
