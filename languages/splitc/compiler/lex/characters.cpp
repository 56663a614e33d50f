// SPDX-License-Identifier: Apache-2.0
// Classes of characters, and which code points beyond ASCII identifiers hold (C17, annex D).
#include <array>
#include <cstdint>

#include "languages/splitc/compiler/lex/scanner.hpp"

namespace splitcc::characters {
namespace {

struct range {
  char32_t first, last;
};

constexpr range kAllowed[] = {
    {0x00A8, 0x00A8},   {0x00AA, 0x00AA},   {0x00AD, 0x00AD},   {0x00AF, 0x00AF},
    {0x00B2, 0x00B5},   {0x00B7, 0x00BA},   {0x00BC, 0x00BE},   {0x00C0, 0x00D6},
    {0x00D8, 0x00F6},   {0x00F8, 0x00FF},   {0x0100, 0x167F},   {0x1681, 0x180D},
    {0x180F, 0x1FFF},   {0x200B, 0x200D},   {0x202A, 0x202E},   {0x203F, 0x2040},
    {0x2054, 0x2054},   {0x2060, 0x206F},   {0x2070, 0x218F},   {0x2460, 0x24FF},
    {0x2776, 0x2793},   {0x2C00, 0x2DFF},   {0x2E80, 0x2FFF},   {0x3004, 0x3007},
    {0x3021, 0x302F},   {0x3031, 0x303F},   {0x3040, 0xD7FF},   {0xF900, 0xFD3D},
    {0xFD40, 0xFDCF},   {0xFDF0, 0xFE44},   {0xFE47, 0xFFFD},   {0x10000, 0x1FFFD},
    {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD}, {0x40000, 0x4FFFD}, {0x50000, 0x5FFFD},
    {0x60000, 0x6FFFD}, {0x70000, 0x7FFFD}, {0x80000, 0x8FFFD}, {0x90000, 0x9FFFD},
    {0xA0000, 0xAFFFD}, {0xB0000, 0xBFFFD}, {0xC0000, 0xCFFFD}, {0xD0000, 0xDFFFD},
    {0xE0000, 0xEFFFD},
};
// Combining marks: not as the first.
constexpr range kNotFirst[] = {
    {0x0300, 0x036F}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};

template <std::size_t n>
bool is_in(const range (&ranges)[n], char32_t value) {
  for (const range& r : ranges)
    if (value >= r.first && value <= r.last) return true;
  return false;
}

constexpr std::array<std::uint8_t, 256> classes() {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = table[c - 'a' + 'A'] = kWord | kStart;
  for (int c = '0'; c <= '9'; ++c) table[c] = kWord | kDigit;
  table['_'] = table['$'] = kWord | kStart;
  for (char c : {' ', '\t', '\v', '\f', '\r'}) table[static_cast<int>(c)] = kBlank;
  return table;
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// `\u` and four digits, `\U` and eight.
code_point universal_name(const char* at) {
  if (at[1] != 'u' && at[1] != 'U') return {};
  const std::uint32_t digits = at[1] == 'u' ? 4 : 8;
  char32_t value = 0;
  for (std::uint32_t i = 0; i < digits; ++i) {
    const int digit = hexadecimal(at[2 + i]);
    if (digit < 0) return {};
    value = value << 4 | static_cast<char32_t>(digit);
  }
  return {value, 2 + digits};
}

code_point utf8(const char* at) {
  const auto byte = [at](int i) { return static_cast<unsigned char>(at[i]); };
  const std::uint32_t bytes = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC2 ? 2 : 0;
  if (bytes == 0 || byte(0) > 0xF4) return {};
  char32_t value = byte(0) & (0x7Fu >> bytes);
  for (std::uint32_t i = 1; i < bytes; ++i) {
    if ((byte(static_cast<int>(i)) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(static_cast<int>(i)) & 0x3Fu);
  }
  return {value, bytes};
}

}  // namespace

constinit const std::array<std::uint8_t, 256> kClasses = classes();

code_point in_identifier(const char* at, bool first) {
  code_point found;
  if (*at == '\\') found = universal_name(at);
  if (is_beyond_ascii(*at)) found = utf8(at);
  if (!is_in(kAllowed, found.value) || (first && is_in(kNotFirst, found.value))) return {};
  return found;
}

void append_utf8(std::string& to, char32_t value) {
  const auto add = [&to](char32_t byte) { to += static_cast<char>(byte); };
  const auto tail = [&](int shift) { add(0x80 | ((value >> shift) & 0x3F)); };
  if (value < 0x80) return add(value);
  if (value < 0x800) return add(0xC0 | (value >> 6)), tail(0);
  if (value < 0x10000) return add(0xE0 | (value >> 12)), tail(6), tail(0);
  add(0xF0 | (value >> 18)), tail(12), tail(6), tail(0);
}

}  // namespace splitcc::characters
