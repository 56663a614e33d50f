// SPDX-License-Identifier: Apache-2.0
// FASTA and FASTQ, taken in pieces of any size: a parser keeps its place between feed() calls, in
// the middle of a line too. The letters of each sequence go to a run_collector, which the caller
// flushes at the end.
//
// Lines end in LF, CR LF or CR. White space in a line of a sequence does not count.
//
// FASTA: records of a '>' line and any number of sequence lines. A line that begins with ';' is a
// comment, also inside of a sequence. Digits in a sequence line number its bases and do not count.
// FASTQ: '@' line, sequence lines, '+' line, and quality lines with a quality for each letter.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "letters.hpp"
#include "text_file.hpp"

namespace kmer {

enum class format { fasta, fastq };

// The format of a text, by its first bytes: at least 4 of them and one that is not blank, unless
// the text is shorter. Throws input_error if it is neither, or is not ASCII text.
format format_of(std::string_view beginning, const std::string& name);
format format_of(text_window& text, const std::string& name);

class fasta_parser {
 public:
  // A parser can start at the beginning of the text, at the beginning of a line, or inside of one.
  enum class place { text_start, line_start, in_header, in_comment, in_sequence };

  // `name` and `offset` say in messages where the text lies that feed() gets first.
  fasta_parser(run_collector& to, std::string name, std::uint64_t offset = 0,
               place start = place::text_start)
      : to_(to),
        name_(std::move(name)),
        offset_(offset),
        place_(start == place::text_start ? place::line_start : start),
        has_header_(start != place::text_start) {}

  // Throws input_error where there is a byte that no FASTA file has.
  void feed(const char* at, const char* end);
  // The k-mers that begin in the text that was fed and end in [at, end), which follows it. Returns
  // whether more text is wanted.
  bool feed_overlap(const char* at, const char* end);
  void finish() {}

 private:
  // The kind of line that begins with this letter.
  place place_of(char first) const;
  [[noreturn]] void fail(std::uint64_t offset, const std::string& problem) const;
  [[noreturn]] void fail_foreign(std::uint64_t offset, char letter) const;

  run_collector& to_;
  std::string name_;
  std::uint64_t offset_;  // in the text, of the next byte for feed()
  place place_;
  bool has_header_;
  std::uint64_t overlap_letters_ = 0;  // that feed_overlap() has taken, < k
};

class fastq_parser {
 public:
  // Texts that are entered anywhere have one sequence line in each record.
  enum class lines { one, any };

  // `name` and `offset` say in messages where the text lies that feed() gets first.
  fastq_parser(run_collector& to, std::string name, std::uint64_t offset, lines in_sequence)
      : to_(to), name_(std::move(name)), offset_(offset), lines_(in_sequence) {}

  // Throws input_error where a record is not one.
  void feed(const char* at, const char* end);
  // To be called at the end of the text: a record has to be complete there.
  void finish();

 private:
  enum class part { header, sequence, separator, quality };

  // At the first letter of a line. Whether it is part of a record: blanks between records are not.
  bool begin_line(char first);
  void begin_separator();
  void take_sequence(const char* at, const char* end);
  void end_line();
  [[noreturn]] void fail(const std::string& problem) const;

  run_collector& to_;
  std::string name_;
  std::uint64_t offset_;  // in the text, of the next byte for feed()
  lines lines_;
  part part_ = part::header;
  bool in_line_ = false;
  bool after_cr_ = false;  // the last line ended in CR: an LF now belongs to that end
  std::uint64_t sequence_lines_ = 0;  // of the record
  std::uint64_t letters_ = 0, qualities_ = 0;  // of the record so far
};

// Where the first FASTQ record begins at or after this place; the text's size if none does. Each
// record is to have one sequence line.
std::uint64_t next_fastq_record(text_window& text, std::uint64_t from);

// Whether one of the first records of a FASTQ text has several sequence lines.
bool has_long_records(text_window& text);

// Where a FASTA parser that begins at this place finds itself.
fasta_parser::place fasta_place(text_window& text, std::uint64_t from);

}  // namespace kmer
