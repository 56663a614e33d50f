// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include <fmt/format.h>

#include "failure.hpp"

namespace kmer {
namespace {

// The end of the line that contains `at`: its LF, or `end`.
const char* line_end(const char* at, const char* end) {
  const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

}  // namespace

void fasta_parser::feed(const char* at, const char* end) {
  while (at != end) {
    if (place_ == place::line_start && *at == '>') {
      to_.restart();
      place_ = place::in_header;
    }
    const char* stop = line_end(at, end);
    if (place_ != place::in_header) {
      place_ = place::in_sequence;
      to_.add(at, stop);
    }
    if (stop == end) return;
    place_ = place::line_start;
    at = stop + 1;
  }
}

bool fasta_parser::feed_overlap(const char* at, const char* end) {
  if (place_ == place::in_header) return false;
  for (; at != end; ++at) {
    if (!to_.in_sequence()) return false;
    const std::uint8_t code = letter::code_of(*at);
    if (code != letter::kLineEnd) {
      if (place_ == place::line_start && *at == '>') return false;
      if (code == letter::kBreak || ++overlap_letters_ == to_.k()) return false;
      to_.add(at, at + 1);
    }
    place_ = *at == '\n' ? place::line_start : place::in_sequence;
  }
  return true;
}

void fastq_parser::feed(const char* at, const char* end) {
  while (at != end) {
    if (line_bytes_ == 0 && !begin_line(*at)) {
      ++at;
      ++offset_;
      continue;
    }
    const char* stop = line_end(at, end);
    if (part_ == part::sequence) to_.add(at, stop);
    if (stop != at) last_ = stop[-1];
    line_bytes_ += static_cast<std::uint64_t>(stop - at);
    offset_ += static_cast<std::uint64_t>(stop - at);
    if (stop == end) return;
    end_line();
    ++offset_;
    at = stop + 1;
  }
}

bool fastq_parser::begin_line(char first) {
  if (part_ == part::header) {
    if (first == '\n' || first == '\r') return false;
    if (first != '@') fail("a FASTQ record of four lines must begin here with '@'");
  } else if (part_ == part::separator && first != '+') {
    fail("the third line of a FASTQ record must begin with '+'");
  }
  return true;
}

void fastq_parser::end_line() {
  const std::uint64_t letters = line_bytes_ - (last_ == '\r' ? 1 : 0);
  switch (part_) {
    case part::header:
      part_ = part::sequence;
      break;
    case part::sequence:
      to_.restart();
      sequence_bytes_ = letters;
      part_ = part::separator;
      break;
    case part::separator:
      part_ = part::quality;
      break;
    case part::quality:
      if (letters != sequence_bytes_) fail("a FASTQ record has not as many qualities as letters");
      part_ = part::header;
      break;
  }
  line_bytes_ = 0;
  last_ = 0;
}

void fastq_parser::finish() {
  if (line_bytes_ > 0) end_line();  // the last line has no LF
  const bool no_letters = part_ == part::quality && sequence_bytes_ == 0;
  if (part_ != part::header && !no_letters) fail("the file ends inside a FASTQ record");
}

void fastq_parser::fail(const char* problem) const {
  throw input_error(fmt::format("{}: byte {}: {}", name_, offset_, problem));
}

std::uint64_t next_fastq_record(text_window& text, std::uint64_t from) {
  // A line that begins with '@' is a header if the second line after it begins with '+': were it a
  // line of qualities, a sequence would stand there, or another header after an empty line.
  if (from == 0) return 0;
  std::uint64_t at = from == text.size() || text.at(from - 1) == '\n' ? from : text.line_end(from);
  for (; at < text.size(); at = text.line_end(at)) {
    if (text.at(at) != '@') continue;
    const std::uint64_t third = text.line_end(text.line_end(at));
    if (third < text.size() && text.at(third) == '+') return at;
  }
  return text.size();
}

fasta_parser::place fasta_place(text_window& text, std::uint64_t from) {
  const std::uint64_t line = text.line_begin(from);
  if (line == from) return fasta_parser::place::line_start;
  return text.at(line) == '>' ? fasta_parser::place::in_header : fasta_parser::place::in_sequence;
}

}  // namespace kmer
