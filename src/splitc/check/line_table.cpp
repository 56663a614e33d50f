// SPDX-License-Identifier: Apache-2.0
#include "splitc/check/line_table.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ramjet::splitc::check {

namespace {

// What is read past the end is 0.
class reader {
 public:
  explicit reader(std::string_view bytes) : bytes_(bytes) {}
  bool is_done() const noexcept { return at_ >= bytes_.size(); }
  void skip(std::uint64_t n) noexcept { at_ += std::min<std::uint64_t>(n, bytes_.size() - at_); }

  std::string_view take(std::uint64_t n) noexcept {
    const std::string_view part = bytes_.substr(at_, n);
    skip(n);
    return part;
  }
  template <class T>
  T number() noexcept {
    T value{};
    const std::string_view part = take(sizeof value);
    std::memcpy(&value, part.data(), part.size());
    return value;
  }
  std::uint64_t unsigned_number() noexcept {  // LEB128
    std::uint64_t value = 0;
    for (unsigned shift = 0; !is_done(); shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::int64_t signed_number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; !is_done();) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t(byte & 0x7f) << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
      break;
    }
    return std::int64_t(value);
  }
  std::string_view string() noexcept {
    const std::string_view rest = bytes_.substr(at_);
    const std::string_view text = rest.substr(0, rest.find('\0'));
    skip(text.size() + 1);
    return text;
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::string_view string_at(std::string_view section, std::uint64_t offset) {
  return offset < section.size() ? reader(section.substr(offset)).string() : std::string_view();
}

struct named {
  std::string_view name;
  std::uint64_t directory = 0;
};

// One unit: its header, then its program.
class unit {
 public:
  unit(const line_sections& all, std::string_view bytes) : all_(all), in_(bytes) {}
  std::string find(std::uint64_t address);

 private:
  struct row {
    std::uint64_t address = 0, file = 1;
    std::int64_t line = 1;
  };

  bool header();
  void old_tables();
  std::vector<named> table();
  bool field(named& entry, std::uint64_t content, std::uint64_t form);
  void advance(std::uint64_t operations) noexcept {
    now_.address += operations * instruction_bytes_;
  }
  bool step();
  bool extended();
  bool standard(unsigned opcode);
  bool emit(bool ends);
  std::string shown() const;

  const line_sections& all_;
  reader in_;
  unsigned version_ = 0;
  std::uint8_t instruction_bytes_ = 1, line_range_ = 1, opcode_base_ = 1;
  std::int8_t line_base_ = 0;
  std::string_view operands_;  // of each standard opcode, how many
  std::vector<named> directories_, files_;
  std::uint64_t wanted_ = 0;
  row now_, before_;
  bool has_before_ = false;
};

bool unit::header() {
  version_ = in_.number<std::uint16_t>();
  if (version_ < 2 || version_ > 5) return false;
  if (version_ == 5) in_.skip(2);  // the sizes of addresses and segments
  const auto bytes = in_.number<std::uint32_t>();
  reader program = in_;
  program.skip(bytes);
  instruction_bytes_ = in_.number<std::uint8_t>();
  if (version_ >= 4) in_.skip(1);  // operations in an instruction
  in_.skip(1);  // whether rows begin statements
  line_base_ = in_.number<std::int8_t>();
  line_range_ = in_.number<std::uint8_t>();
  opcode_base_ = in_.number<std::uint8_t>();
  if (line_range_ == 0 || opcode_base_ == 0) return false;
  operands_ = in_.take(opcode_base_ - 1u);
  if (version_ == 5) {
    directories_ = table();
    files_ = table();
  } else {
    old_tables();
  }
  in_ = program;
  return true;
}

// Versions 2 to 4 count both from 1.
void unit::old_tables() {
  directories_.emplace_back();
  files_.emplace_back();
  for (std::string_view name = in_.string(); !name.empty(); name = in_.string())
    directories_.push_back({name});
  for (std::string_view name = in_.string(); !name.empty(); name = in_.string()) {
    files_.push_back({name, in_.unsigned_number()});
    in_.unsigned_number();  // the time
    in_.unsigned_number();  // the length
  }
}

std::vector<named> unit::table() {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fields(in_.number<std::uint8_t>());
  for (auto& [content, form] : fields) {
    content = in_.unsigned_number();
    form = in_.unsigned_number();
  }
  std::vector<named> entries;
  for (std::uint64_t left = in_.unsigned_number(); left > 0 && !in_.is_done(); --left) {
    entries.emplace_back();
    for (const auto& [content, form] : fields)
      if (!field(entries.back(), content, form)) return entries;
  }
  return entries;
}

bool unit::field(named& entry, std::uint64_t content, std::uint64_t form) {
  constexpr std::uint64_t kPath = 1, kDirectory = 2;
  std::uint64_t number = 0;
  std::string_view text;
  switch (form) {
    case 0x08:  // a string
      text = in_.string();
      break;
    case 0x1f:  // an offset into .debug_line_str
      text = string_at(all_.line_strings, in_.number<std::uint32_t>());
      break;
    case 0x0e:  // an offset into .debug_str
      text = string_at(all_.strings, in_.number<std::uint32_t>());
      break;
    case 0x0b:
      number = in_.number<std::uint8_t>();
      break;
    case 0x05:
      number = in_.number<std::uint16_t>();
      break;
    case 0x0f:
      number = in_.unsigned_number();
      break;
    case 0x1e:  // a checksum
      in_.skip(16);
      break;
    default:
      return false;
  }
  if (content == kPath) entry.name = text;
  if (content == kDirectory) entry.directory = number;
  return true;
}

// A row: whether the code from the one before it up to here is what was looked for.
bool unit::emit(bool ends) {
  if (has_before_ && before_.address <= wanted_ && wanted_ < now_.address) return true;
  before_ = now_;
  has_before_ = !ends;
  return false;
}

bool unit::extended() {
  const std::uint64_t bytes = in_.unsigned_number();
  reader operation(in_.take(bytes));
  switch (operation.number<std::uint8_t>()) {
    case 1: {  // the end of a sequence
      const bool found = emit(true);
      if (!found) now_ = {};
      return found;
    }
    case 2:
      now_.address = operation.number<std::uint64_t>();
      return false;
    default:
      return false;
  }
}

bool unit::standard(unsigned opcode) {
  switch (opcode) {
    case 1:
      return emit(false);
    case 2:
      advance(in_.unsigned_number());
      return false;
    case 3:
      now_.line += in_.signed_number();
      return false;
    case 4:
      now_.file = in_.unsigned_number();
      return false;
    case 8:
      advance((255u - opcode_base_) / line_range_);
      return false;
    case 9:
      now_.address += in_.number<std::uint16_t>();
      return false;
    default:
      for (int left = operands_[opcode - 1]; left > 0; --left) in_.unsigned_number();
      return false;
  }
}

bool unit::step() {
  const unsigned opcode = in_.number<std::uint8_t>();
  if (opcode == 0) return extended();
  if (opcode < opcode_base_) return standard(opcode);
  const unsigned both = opcode - opcode_base_;
  advance(both / line_range_);
  now_.line += line_base_ + int(both % line_range_);
  return emit(false);
}

std::string unit::shown() const {
  if (before_.file >= files_.size() || before_.line <= 0) return {};
  const named& file = files_[before_.file];
  std::string name;
  if (file.directory != 0 && file.directory < directories_.size() && !file.name.starts_with('/'))
    name = std::string(directories_[file.directory].name) + "/";
  return name + std::string(file.name) + ":" + std::to_string(before_.line);
}

std::string unit::find(std::uint64_t address) {
  wanted_ = address;
  if (!header()) return {};
  while (!in_.is_done())
    if (step()) return shown();
  return {};
}

}  // namespace

std::string find_line(const line_sections& sections, std::uint64_t address) {
  reader all(sections.lines);
  while (!all.is_done()) {
    const auto bytes = all.number<std::uint32_t>();
    if (bytes >= 0xfffffff0) return {};  // tables of 64 bits
    if (std::string found = unit(sections, all.take(bytes)).find(address); !found.empty())
      return found;
  }
  return {};
}

}  // namespace ramjet::splitc::check
