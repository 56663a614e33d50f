// SPDX-License-Identifier: Apache-2.0
// Bit-fields behind global pointers: the smallest aligned unit of 1, 2, 4 or 8 bytes that holds one
// is read, or read, changed and written. Where only the C compiler knows where a field lies, and in
// packed structures where no unit holds it, the whole structure is.
#include "splitcc/emit/emission.hpp"
#include "splitcc/emit/places.hpp"

namespace splitcc {
namespace {

qualified_type object_type(const node* n) {
  return n->kind == node_kind::arrow ? n->children[0]->type->target : n->children[0]->type;
}

struct unit_of_field {
  std::uint64_t offset;  // of the unit in the structure, in bytes
  std::uint32_t bytes, shift, width;
};

std::optional<unit_of_field> unit_of(const node* n) {
  const record& r = *object_type(n)->record;
  std::vector<const member*> path;
  if (!r.layout_is_known || !find_member(r, n->accessed->name, &path)) return std::nullopt;
  std::uint64_t bits = n->accessed->bit_offset;
  for (const member* step : path) {
    bits += step->offset * 8;
    if (is_record(step->type.of) && !step->type->record->layout_is_known) return std::nullopt;
  }
  const std::uint32_t width = *n->accessed->bits;
  for (std::uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
    const std::uint64_t unit = bits / 8 / bytes * bytes;
    const std::uint64_t shift = bits - unit * 8;
    if (shift + width <= bytes * 8ull && bytes <= r.alignment && unit + bytes <= r.bytes)
      return unit_of_field{unit, bytes, static_cast<std::uint32_t>(shift), width};
  }
  return std::nullopt;
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
  const auto unit = unit_of(n);
  if (!unit) {
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
  out_.text(" + " + std::to_string(unit->offset) + ", " + std::to_string(unit->bytes) + ", " +
            std::to_string(unit->shift) + ", " + std::to_string(unit->width) + "))");
}

void emission::write_field(const node* lvalue, const std::string& object,
                           const std::function<void()>& value) {
  const node* n = bare(lvalue);
  const auto unit = unit_of(n);
  if (!unit) {
    const std::string whole = new_name();
    out_.text("({ " + declared({object_type(n).of, 0}, whole) + "; " + access_call("read_bytes") +
              "(&" + whole + ", " + object + ", sizeof " + whole + "); " + whole + "." +
              std::string(n->accessed->name->text) + " = ");
    value();
    return out_.text("; " + access_call("write_bytes") + "(" + object + ", &" + whole +
                     ", sizeof " + whole + "); })");
  }
  out_.text(access_call("write_field(") + object + " + " + std::to_string(unit->offset) + ", " +
            std::to_string(unit->bytes) + ", " + std::to_string(unit->shift) + ", " +
            std::to_string(unit->width) + ", ");
  out_.text("(" + type_name({n->type.of, 0}) + ")(");
  value();
  out_.text("))");
}

}  // namespace splitcc
