// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/object_note.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>

#ifndef SPLITCC_VERSION
#define SPLITCC_VERSION "unknown"
#endif

namespace splitcc::driver {
namespace {

using std::literals::operator""sv;

// A note begins with three words: the owner's bytes, those of what it says, its type.
constexpr std::string_view kOwner = "Ramjet\0\0"sv;  // with its padding
constexpr std::uint32_t kOwnerBytes = 7;
constexpr std::uint32_t kType = 0x5c;
constexpr std::size_t kHeadBytes = 12;

// In a string of the assembler's, which stands in a string of C's.
std::string quoted_twice(std::string_view text) {
  constexpr std::string_view kPlain = "_-+=./,:@ ";
  std::string quoted;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte)) || kPlain.find(c) != std::string_view::npos) {
      quoted += c;
      continue;
    }
    quoted += "\\\\";
    for (int shift = 6; shift >= 0; shift -= 3)
      quoted += static_cast<char>('0' + (byte >> shift & 7));
  }
  return quoted;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

// Up to its NUL; takes it away.
std::string_view take_text(std::string_view& from) {
  const std::string_view text = from.substr(0, from.find('\0'));
  from.remove_prefix(std::min(from.size(), text.size() + 1));
  return text;
}

// As the library's soname has it: versions that differ in the third number alone fit each other.
std::string_view major_and_minor(std::string_view version) {
  return version.substr(0, version.find('.', version.find('.') + 1));
}

}  // namespace

std::string object_note(std::string_view source) {
  return "__asm__(\".pushsection .note.ramjet.splitc,\\\"a\\\",%note\\n\"\n"
         "  \"\\t.balign 4\\n\\t.long " +
         std::to_string(kOwnerBytes) + ", 2f - 1f, " + std::to_string(kType) +
         "\\n\\t.asciz \\\"Ramjet\\\"\\n\\t.balign 4\\n\"\n"
         "  \"1:\\t.asciz \\\"" SPLITCC_VERSION "\\\", \\\"" +
         quoted_twice(source) + "\\\"\\n2:\\t.balign 4\\n\\t.popsection\");\n";
}

std::string version_problem(std::string_view contents) {
  for (std::size_t at = kHeadBytes; (at = contents.find(kOwner, at)) != std::string_view::npos;) {
    const std::size_t head = at - kHeadBytes;
    at += kOwner.size();
    const std::uint32_t bytes = word_at(contents, head + 4);
    if (word_at(contents, head) != kOwnerBytes || word_at(contents, head + 8) != kType ||
        bytes > contents.size() - at)
      continue;
    std::string_view said = contents.substr(at, bytes);
    const std::string_view version = take_text(said), source = take_text(said);
    if (major_and_minor(version) != major_and_minor(SPLITCC_VERSION))
      return std::string(source) + " was compiled by splitcc " + std::string(version) +
             ", and this is " SPLITCC_VERSION ": compile it again";
  }
  return "";
}

}  // namespace splitcc::driver
