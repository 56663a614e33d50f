// SPDX-License-Identifier: Apache-2.0
// FASTA and FASTQ, taken in pieces of any size: a parser keeps its place between feed() calls, in
// the middle of a line too. The letters of each sequence go to a run_collector, which the caller
// flushes at the end.
//
// FASTA: records of a '>' line and any number of sequence lines. FASTQ: records of exactly four
// lines. Lines end in LF or CR LF.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "letters.hpp"
#include "text_file.hpp"

namespace kmer {

class fasta_parser {
 public:
  // Starts at the beginning of a line, or inside of one: a header line or a sequence line.
  enum class place { line_start, in_header, in_sequence };

  explicit fasta_parser(run_collector& to, place start = place::line_start)
      : to_(to), place_(start) {}

  void feed(const char* at, const char* end);
  // The k-mers that begin in what was fed and end in [at, end), which follows it. Whether more text
  // is wanted.
  bool feed_overlap(const char* at, const char* end);
  void finish() {}

 private:
  run_collector& to_;
  place place_;
  std::uint64_t overlap_letters_ = 0;  // that feed_overlap() has taken, < k
};

class fastq_parser {
 public:
  // `name` and `offset` say in messages where the text stands that feed() gets first.
  fastq_parser(run_collector& to, std::string name, std::uint64_t offset)
      : to_(to), name_(std::move(name)), offset_(offset) {}

  // Throws input_error where a record is not one.
  void feed(const char* at, const char* end);
  // To be called at the end of the text: a record has to be complete there.
  void finish();

 private:
  enum class part { header, sequence, separator, quality };

  // Whether a line begins with this letter; if not, it is an empty line between records.
  bool begin_line(char first);
  void end_line();
  [[noreturn]] void fail(const char* problem) const;

  run_collector& to_;
  std::string name_;
  std::uint64_t offset_;  // in the text, of what feed() gets next
  part part_ = part::header;
  std::uint64_t line_bytes_ = 0;  // of the line so far
  std::uint64_t sequence_bytes_ = 0;  // of the record's sequence line
  char last_ = 0;  // of the line so far
};

// Where the first FASTQ record begins at or after this place; the text's size if none does.
std::uint64_t next_fastq_record(text_window& text, std::uint64_t from);

// Where a FASTA parser that begins at this place finds itself.
fasta_parser::place fasta_place(text_window& text, std::uint64_t from);

}  // namespace kmer
