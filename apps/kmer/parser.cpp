// SPDX-License-Identifier: Apache-2.0
#include "parser.hpp"

#include <fmt/format.h>

#include "failure.hpp"

namespace kmer {

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
      encoder_.restart();
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

std::uint64_t next_fastq_record(const char* text, std::uint64_t size, std::uint64_t from) {
  // A line that begins with '@' is a header if the second line after it begins with '+': were it a
  // line of qualities, a sequence would stand there, or another header after an empty line.
  const char* const end = text + size;
  const auto next_line = [end](const char* at) {
    const char* stop = line_end(at, end);
    return stop == end ? end : stop + 1;
  };
  if (from == 0) return 0;
  for (const char* at = text[from - 1] == '\n' ? text + from : next_line(text + from); at != end;
       at = next_line(at)) {
    if (*at != '@') continue;
    const char* third = next_line(next_line(at));
    if (third != end && *third == '+') return static_cast<std::uint64_t>(at - text);
  }
  return size;
}

fasta_parser::place fasta_place(const char* text, std::uint64_t from) {
  if (from == 0 || text[from - 1] == '\n') return fasta_parser::place::line_start;
  const void* before = memrchr(text, '\n', from);
  const char* line = before == nullptr ? text : static_cast<const char*>(before) + 1;
  return *line == '>' ? fasta_parser::place::in_header : fasta_parser::place::in_sequence;
}

}  // namespace kmer
