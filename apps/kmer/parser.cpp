// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "../measured/text_encoding.hpp"
#include "failure.hpp"

namespace kmer {
namespace {

constexpr const char* kNoHeader = "a line before the first header, which begins with '>'";

// Finds the ends of lines in [from, end), one after the other. The next LF and the next CR are
// remembered, so that text with only one of them is searched once for the other.
class line_ends {
 public:
  line_ends(const char* from, const char* end)
      : end_(end), lf_(find(from, '\n')), cr_(find(from, '\r')) {}

  // The end of the line that contains `at`: its LF or CR, or `end`. `at` never goes back.
  const char* next(const char* at) {
    if (lf_ < at) lf_ = find(at, '\n');
    if (cr_ < at) cr_ = find(at, '\r');
    return std::min(lf_, cr_);
  }

 private:
  const char* find(const char* at, char c) const {
    const void* found = std::memchr(at, c, static_cast<std::size_t>(end_ - at));
    return found != nullptr ? static_cast<const char*>(found) : end_;
  }

  const char *end_, *lf_, *cr_;
};

// Letters of [at, end) that are not blanks or control characters.
__attribute__((target_clones("avx2", "default"))) std::uint64_t count_visible(const char* at,
                                                                              std::size_t bytes) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < bytes; ++i) count += static_cast<unsigned char>(at[i]) > ' ';
  return count;
}

std::string foreign(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > ' ' && byte < 0x7f ? fmt::format("'{}'", c)
                                   : fmt::format("the byte 0x{:02x}", byte);
}

std::string at_byte(const std::string& name, std::uint64_t offset, const std::string& problem) {
  return fmt::format("{}: byte {}: {}", name, offset, problem);
}

}  // namespace

format format_of(std::string_view beginning, const std::string& name) {
  if (const std::string problem = measured::encoding_problem(beginning); !problem.empty())
    throw input_error(name + ": " + problem);
  const auto first = std::ranges::find_if_not(beginning, is_blank);
  if (first != beginning.end() && (*first == '>' || *first == ';')) return format::fasta;
  if (first != beginning.end() && *first == '@') return format::fastq;
  throw input_error(name +
                    ": neither FASTA nor FASTQ: it does not begin with '>' or '@' (compressed "
                    "files: gzip only)");
}

format format_of(text_window& text, const std::string& name) {
  std::string beginning;
  for (std::uint64_t at = 0; at < std::min<std::uint64_t>(text.size(), 4); ++at)
    beginning += text.at(at);
  std::uint64_t at = text.visible_from(0);
  const bool has_comments = at < text.size() && text.at(at) == ';';
  while (at < text.size() && text.at(at) == ';') at = text.visible_from(text.line_end(at));
  if (at < text.size()) beginning += text.at(at);
  if (has_comments && at < text.size() && text.at(at) != '>')
    throw input_error(at_byte(name, at, kNoHeader));
  return format_of(beginning, name);
}

// --- FASTA ---------------------------------------------------------------------------------------

fasta_parser::place fasta_parser::place_of(char first) const {
  if (first == '>') return place::in_header;
  return first == ';' ? place::in_comment : place::in_sequence;
}

void fasta_parser::feed(const char* at, const char* end) {
  const char* const begin = at;
  const auto offset_of = [&](const char* where) {
    return offset_ + static_cast<std::uint64_t>(where - begin);
  };
  line_ends ends(at, end);
  while (at != end) {
    if (place_ == place::line_start) {
      if (is_blank(*at)) {
        ++at;
        continue;
      }
      place_ = place_of(*at);
      if (place_ == place::in_header) {
        to_.restart();
        has_header_ = true;
      }
      if (place_ == place::in_sequence && !has_header_) fail(offset_of(at), kNoHeader);
    }
    const char* const stop = ends.next(at);
    if (place_ == place::in_sequence) {
      if (const char* bad = to_.add(at, stop); bad != stop) fail_foreign(offset_of(bad), *bad);
    }
    at = stop;
    if (at != end) place_ = place::line_start;  // which passes over the line end
  }
  offset_ += static_cast<std::uint64_t>(end - begin);
}

bool fasta_parser::feed_overlap(const char* at, const char* end) {
  for (; at != end; ++at) {
    if (!to_.in_sequence()) return false;
    if (is_line_end(*at)) {
      place_ = place::line_start;
      continue;
    }
    if (place_ == place::line_start && !is_blank(*at)) place_ = place_of(*at);
    if (place_ == place::in_header) return false;
    if (place_ != place::in_sequence) continue;
    const std::uint8_t code = letter::code_of(*at);
    if (code == letter::kBlank || code == letter::kDigit) continue;
    if (code >= letter::kBreak || ++overlap_letters_ == to_.k()) return false;
    to_.add(at, at + 1);
  }
  return true;
}

void fasta_parser::fail(std::uint64_t offset, const std::string& problem) const {
  throw input_error(at_byte(name_, offset, problem));
}

void fasta_parser::fail_foreign(std::uint64_t offset, char letter) const {
  fail(offset, letter == '>' ? "a '>' inside of a sequence line: the line end before it is missing"
                             : foreign(letter) + " is no part of a sequence");
}

fasta_parser::place fasta_place(text_window& text, std::uint64_t from) {
  const std::uint64_t at = std::min(from, text.visible_from(text.line_begin(from)));
  if (at == from)
    return from == 0 ? fasta_parser::place::text_start : fasta_parser::place::line_start;
  switch (text.at(at)) {
    case '>':
      return fasta_parser::place::in_header;
    case ';':
      return fasta_parser::place::in_comment;
    default:
      return fasta_parser::place::in_sequence;
  }
}

// --- FASTQ ---------------------------------------------------------------------------------------

void fastq_parser::feed(const char* at, const char* end) {
  line_ends ends(at, end);
  while (at != end) {
    if (!in_line_) {
      const bool is_rest_of_end = std::exchange(after_cr_, false) && *at == '\n';
      if (is_rest_of_end || !begin_line(*at)) {
        ++at;
        ++offset_;
        continue;
      }
      in_line_ = true;
    }
    const char* const stop = ends.next(at);
    const auto bytes = static_cast<std::size_t>(stop - at);
    if (part_ == part::sequence) take_sequence(at, stop);
    if (part_ == part::quality) qualities_ += count_visible(at, bytes);
    offset_ += bytes;
    if (stop == end) return;
    end_line();
    after_cr_ = *stop == '\r';
    ++offset_;
    at = stop + 1;
  }
}

bool fastq_parser::begin_line(char first) {
  switch (part_) {
    case part::header:
      if (is_blank(first)) return false;
      if (first != '@') fail("a FASTQ record must begin here with '@'");
      sequence_lines_ = letters_ = qualities_ = 0;
      break;
    case part::sequence:
      if (first == '+' && (lines_ == lines::any || sequence_lines_ == 1)) {
        begin_separator();
      } else if (lines_ == lines::one && sequence_lines_ == 1) {
        fail(
            "the third line of a FASTQ record must begin with '+' (if its sequence has several "
            "lines: kmer ... - < FILE)");
      } else if (first == '@') {
        fail("a FASTQ record has no line that begins with '+'");
      }
      break;
    case part::separator:
    case part::quality:
      break;
  }
  return true;
}

void fastq_parser::begin_separator() {
  to_.restart();
  part_ = part::separator;
}

void fastq_parser::take_sequence(const char* at, const char* end) {
  const char* const bad = to_.add(at, end, digits::refused);
  if (bad != end) {
    offset_ += static_cast<std::uint64_t>(bad - at);
    fail(foreign(*bad) + " is no part of a sequence");
  }
  letters_ += count_visible(at, static_cast<std::size_t>(end - at));
}

void fastq_parser::end_line() {
  in_line_ = false;
  switch (part_) {
    case part::header:
      part_ = part::sequence;
      break;
    case part::sequence:
      ++sequence_lines_;
      break;
    case part::separator:
      part_ = letters_ == 0 ? part::header : part::quality;
      break;
    case part::quality:
      if (qualities_ > letters_ || (lines_ == lines::one && qualities_ < letters_))
        fail("a FASTQ record has not as many qualities as letters");
      if (qualities_ == letters_) part_ = part::header;
      break;
  }
}

void fastq_parser::finish() {
  if (in_line_) end_line();  // the last line has no end
  if (part_ != part::header) fail("the file ends inside a FASTQ record");
}

void fastq_parser::fail(const std::string& problem) const {
  throw input_error(at_byte(name_, offset_, problem));
}

std::uint64_t next_fastq_record(text_window& text, std::uint64_t from) {
  // A line that begins with '@' is a header if the second line after it begins with '+': were it a
  // line of qualities, a sequence would stand there, or another header after an empty line.
  if (from == 0) return 0;
  std::uint64_t at = text.line_begin(from) == from ? from : text.line_end(from);
  for (; at < text.size(); at = text.line_end(at)) {
    if (text.at(at) != '@') continue;
    const std::uint64_t third = text.line_end(text.line_end(at));
    if (third < text.size() && text.at(third) == '+') return at;
  }
  return text.size();
}

bool has_long_records(text_window& text) {
  constexpr std::uint64_t kLookBytes = 64 * 1024;
  std::uint64_t at = 0;
  while (at < std::min(text.size(), kLookBytes)) {
    if (text.at(at) != '@') {  // empty lines between records
      at = text.line_end(at);
      continue;
    }
    const std::uint64_t sequence = text.line_end(at), separator = text.line_end(sequence);
    if (separator >= text.size()) return false;
    if (text.at(separator) != '+') return true;
    at = text.line_end(text.line_end(separator));
  }
  return false;
}

}  // namespace kmer
