// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/check/line_table.hpp"

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

// One unit: its header, then its program, which makes the rows.
class unit_program {
 public:
  unit_program(const line_sections& all, std::string_view bytes, std::vector<line_table::row>& into)
      : all_(all), in_(bytes), into_(into) {}
  void run();

 private:
  struct state {
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
  void step();
  void extended();
  void standard(unsigned opcode);
  void emit(bool ends);
  void add_row();

  const line_sections& all_;
  reader in_;
  std::vector<line_table::row>& into_;
  unsigned version_ = 0;
  std::uint8_t instruction_bytes_ = 1, line_range_ = 1, opcode_base_ = 1;
  std::int8_t line_base_ = 0;
  std::string_view operands_;  // of each standard opcode, how many
  std::vector<named> directories_, files_;
  state now_, before_;
  bool has_before_ = false;
};

bool unit_program::header() {
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
void unit_program::old_tables() {
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

std::vector<named> unit_program::table() {
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

bool unit_program::field(named& entry, std::uint64_t content, std::uint64_t form) {
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

// What `before_` says goes on up to here.
void unit_program::add_row() {
  if (before_.file >= files_.size() || before_.line <= 0 || before_.address >= now_.address) return;
  const named& file = files_[before_.file];
  const bool has_directory =
      file.directory != 0 && file.directory < directories_.size() && !file.name.starts_with('/');
  into_.push_back({before_.address, now_.address,
                   has_directory ? directories_[file.directory].name : std::string_view(),
                   file.name, before_.line});
}

void unit_program::emit(bool ends) {
  if (has_before_) add_row();
  before_ = now_;
  has_before_ = !ends;
}

void unit_program::extended() {
  const std::uint64_t bytes = in_.unsigned_number();
  reader operation(in_.take(bytes));
  switch (operation.number<std::uint8_t>()) {
    case 1:  // the end of a sequence
      emit(true);
      now_ = {};
      break;
    case 2:
      now_.address = operation.number<std::uint64_t>();
      break;
    default:
      break;
  }
}

void unit_program::standard(unsigned opcode) {
  switch (opcode) {
    case 1:
      return emit(false);
    case 2:
      return advance(in_.unsigned_number());
    case 3:
      now_.line += in_.signed_number();
      return;
    case 4:
      now_.file = in_.unsigned_number();
      return;
    case 8:
      return advance((255u - opcode_base_) / line_range_);
    case 9:
      now_.address += in_.number<std::uint16_t>();
      return;
    default:
      for (int left = operands_[opcode - 1]; left > 0; --left) in_.unsigned_number();
  }
}

void unit_program::step() {
  const unsigned opcode = in_.number<std::uint8_t>();
  if (opcode == 0) return extended();
  if (opcode < opcode_base_) return standard(opcode);
  const unsigned both = opcode - opcode_base_;
  advance(both / line_range_);
  now_.line += line_base_ + int(both % line_range_);
  emit(false);
}

void unit_program::run() {
  if (!header()) return;
  while (!in_.is_done()) step();
}

}  // namespace

line_table::line_table(const line_sections& sections) : sections_(sections) {
  reader all(sections.lines);
  std::vector<row> rows;
  while (!all.is_done()) {
    const auto bytes = all.number<std::uint32_t>();
    if (bytes >= 0xfffffff0) break;  // tables of 64 bits
    const std::string_view table = all.take(bytes);
    rows.clear();
    unit_program(sections, table, rows).run();
    add_ranges(table, rows);
  }
  ranges_.shrink_to_fit();
  std::ranges::stable_sort(ranges_, {}, &range::begin);
}

void line_table::add_ranges(std::string_view bytes, const std::vector<row>& rows) {
  // No code lies in the first pages: these rows are of functions that the linker has left out.
  constexpr std::uint64_t kLeast = 0x1000;
  const std::size_t number = units_.size();
  for (const row& r : rows) {
    if (r.begin < kLeast) continue;
    const bool goes_on =
        !ranges_.empty() && ranges_.back().unit == number && ranges_.back().end == r.begin;
    if (goes_on) {
      ranges_.back().end = r.end;
    } else {
      ranges_.push_back({r.begin, r.end, number});
    }
  }
  if (!ranges_.empty() && ranges_.back().unit == number) units_.push_back({bytes, {}});
}

std::string line_table::find(std::uint64_t address) {
  const auto after = std::ranges::upper_bound(ranges_, address, {}, &range::begin);
  if (after == ranges_.begin() || address >= std::prev(after)->end) return {};
  std::vector<row>& rows = units_[std::prev(after)->unit].rows;
  if (rows.empty()) {
    unit_program(sections_, units_[std::prev(after)->unit].bytes, rows).run();
    std::ranges::stable_sort(rows, {}, &row::begin);
  }
  const auto next = std::ranges::upper_bound(rows, address, {}, &row::begin);
  if (next == rows.begin() || address >= std::prev(next)->end) return {};
  const row& r = *std::prev(next);
  std::string name(r.directory);
  if (!name.empty()) name += '/';
  return name + std::string(r.file) + ":" + std::to_string(r.line);
}

}  // namespace ramjet::splitc::check
