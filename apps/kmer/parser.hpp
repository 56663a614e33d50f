// SPDX-License-Identifier: Apache-2.0
// FASTA and FASTQ, taken in pieces of any size: a parser keeps its place between feed() calls, in
// the middle of a line too. Each sequence goes through the encoder; k-mers go to the sink.
//
// FASTA: records of a '>' line and any number of sequence lines. FASTQ: records of exactly four
// lines. Lines end in LF or CR LF.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "encoder.hpp"

namespace kmer {

// The end of the line that contains `at`: its LF, or `end`.
inline const char* line_end(const char* at, const char* end) {
  const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return found != nullptr ? static_cast<const char*>(found) : end;
}

class fasta_parser {
 public:
  // Starts at the beginning of a line, or inside of one: a header line or a sequence line.
  enum class place { line_start, in_header, in_sequence };

  explicit fasta_parser(unsigned k, place start = place::line_start) : encoder_(k), place_(start) {}

  template <class Sink>
  void feed(const char* at, const char* end, Sink&& sink) {
    while (at != end) {
      if (place_ == place::line_start && *at == '>') {
        encoder_.restart();
        place_ = place::in_header;
      }
      const char* stop = line_end(at, end);
      if (place_ != place::in_header) {
        place_ = place::in_sequence;
        encoder_.add(at, stop, sink);
      }
      if (stop == end) return;
      place_ = place::line_start;
      at = stop + 1;
    }
  }

  // The k-mers that begin in what was fed and end in [at, end), which follows it.
  template <class Sink>
  void feed_overlap(const char* at, const char* end, Sink&& sink) {
    if (place_ == place::in_header) return;
    for (std::uint64_t letters = 1; at != end && encoder_.in_sequence(); ++at) {
      const std::uint8_t code = letter::code_of(*at);
      if (code != letter::kLineEnd) {
        if (place_ == place::line_start && *at == '>') return;
        if (code == letter::kBreak || letters == encoder_.k()) return;
        ++letters;
        encoder_.add(at, at + 1, sink);
      }
      place_ = *at == '\n' ? place::line_start : place::in_sequence;
    }
  }

 private:
  encoder encoder_;
  place place_;
};

class fastq_parser {
 public:
  // `name` and `offset` say in messages where the text stands that feed() gets first.
  fastq_parser(unsigned k, std::string name, std::uint64_t offset)
      : encoder_(k), name_(std::move(name)), offset_(offset) {}

  // Throws input_error where a record is not one.
  template <class Sink>
  void feed(const char* at, const char* end, Sink&& sink) {
    while (at != end) {
      if (line_bytes_ == 0 && !begin_line(*at)) {
        ++at;
        ++offset_;
        continue;
      }
      const char* stop = line_end(at, end);
      if (part_ == part::sequence) encoder_.add(at, stop, sink);
      if (stop != at) last_ = stop[-1];
      line_bytes_ += static_cast<std::uint64_t>(stop - at);
      offset_ += static_cast<std::uint64_t>(stop - at);
      if (stop == end) return;
      end_line();
      ++offset_;
      at = stop + 1;
    }
  }

  // To be called at the end of the text: a record has to be complete there.
  void finish();

 private:
  enum class part { header, sequence, separator, quality };

  // Whether a line begins with this letter; if not, it is an empty line between records.
  bool begin_line(char first);
  void end_line();
  [[noreturn]] void fail(const char* problem) const;

  encoder encoder_;
  std::string name_;
  std::uint64_t offset_;  // in the text, of what feed() gets next
  part part_ = part::header;
  std::uint64_t line_bytes_ = 0;      // of the line so far
  std::uint64_t sequence_bytes_ = 0;  // of the record's sequence line
  char last_ = 0;                     // of the line so far
};

// Where the first FASTQ record begins at or after text[from]; `size` if none does.
std::uint64_t next_fastq_record(const char* text, std::uint64_t size, std::uint64_t from);

// Where a FASTA parser that begins at text[from] finds itself.
fasta_parser::place fasta_place(const char* text, std::uint64_t from);

}  // namespace kmer
