// SPDX-License-Identifier: Apache-2.0
#include "counting.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <ramjet/ramjet.hpp>

#include "failure.hpp"
#include "gzip_reader.hpp"
#include "mapped_file.hpp"
#include "parser.hpp"
#include "root.hpp"

namespace kmer {
namespace {

// Text between two looks at what has arrived, and two reports of progress.
constexpr std::uint64_t kBlockBytes = 64 * 1024;

// What the handlers of this rank work on. Handlers are plain functions, so this stands in the file.
counter_table* table = nullptr;
progress_bar* bar = nullptr;

void on_kmer(std::uint64_t kmer) { table->add(kmer); }
void on_progress(std::uint64_t bytes) { bar->add(bytes); }

// Which rank counts a k-mer. Not the hash of the tables: theirs would be crowded.
class ownership {
 public:
  explicit ownership(int ranks) : ranks_(static_cast<std::uint64_t>(ranks)) {}
  int owner_of(std::uint64_t kmer) const {
    return static_cast<int>(((kmer * 0xD6E8FEB86659FD93) >> 32) * ranks_ >> 32);
  }

 private:
  std::uint64_t ranks_;
};

enum class format { fasta, fastq };

format format_of(std::string_view text, const std::string& name) {
  const std::size_t first = text.find_first_not_of("\r\n");
  if (first != text.npos && text[first] == '>') return format::fasta;
  if (first != text.npos && text[first] == '@') return format::fastq;
  throw input_error(
      fmt::format("{}: neither FASTA nor FASTQ: it does not begin with '>' or '@' (compressed "
                  "files: gzip only)",
                  name));
}

// Sends what one rank reads.
class sender {
 public:
  sender(unsigned k, int ranks) : k_(k), ownership_(ranks) {}

  void send(const piece& p) const {
    const mapped_file file(p.path);
    if (p.compressed) {
      send_compressed(file, p);
    } else if (format_of({file.data(), file.size()}, p.path) == format::fasta) {
      send_fasta(file, p);
    } else {
      send_fastq(file, p);
    }
  }

 private:
  auto to_owner() const {
    return [o = ownership_](std::uint64_t kmer) {
      require(ramjet::request<on_kmer>(o.owner_of(kmer), kmer));
    };
  }

  // Between two blocks of text.
  static void after(std::uint64_t bytes) {
    require(ramjet::request<on_progress>(kRoot, bytes));
    ramjet::poll();
  }

  template <class Parser>
  void feed(Parser& parser, const char* text, std::uint64_t begin, std::uint64_t end) const {
    for (std::uint64_t next; begin < end; begin = next) {
      next = std::min(begin + kBlockBytes, end);
      parser.feed(text + begin, text + next, to_owner());
      after(next - begin);
    }
  }

  // A rank sends the k-mers that begin in its range.
  void send_fasta(const mapped_file& file, const piece& p) const {
    const char* text = file.data();
    fasta_parser parser(k_, fasta_place(text, p.begin));
    feed(parser, text, p.begin, p.end);
    parser.feed_overlap(text + p.end, text + file.size(), to_owner());
  }

  // A rank sends the k-mers of the records that begin in its range.
  void send_fastq(const mapped_file& file, const piece& p) const {
    const char* text = file.data();
    const std::uint64_t begin = next_fastq_record(text, file.size(), p.begin);
    const std::uint64_t end = next_fastq_record(text, file.size(), p.end);
    fastq_parser parser(k_, p.path, begin);
    feed(parser, text, begin, end);
    parser.finish();
  }

  void send_compressed(const mapped_file& file, const piece& p) const {
    gzip_reader reader(file, p.path);
    const std::string_view first = reader.next();
    if (first.empty()) throw input_error(fmt::format("{}: is empty", p.path));
    if (format_of(first, p.path) == format::fasta) {
      send_blocks(reader, first, p, fasta_parser(k_));
    } else {
      send_blocks(reader, first, p, fastq_parser(k_, p.path, 0));
    }
  }

  // A rank sends the k-mers that end in its blocks, and parses the others to know where it is.
  template <class Parser>
  void send_blocks(gzip_reader& reader, std::string_view text, const piece& p,
                   Parser parser) const {
    std::uint64_t reported = 0;
    for (std::uint64_t block = 0; !text.empty(); ++block, text = reader.next()) {
      const char *begin = text.data(), *end = begin + text.size();
      if (block % p.block_step == p.first_block) {
        parser.feed(begin, end, to_owner());
      } else {
        parser.feed(begin, end, [](std::uint64_t) {});
      }
      const std::uint64_t mine = reader.bytes_read() / p.block_step;
      after(mine - std::exchange(reported, mine));
    }
    if constexpr (requires { parser.finish(); }) parser.finish();
  }

  unsigned k_;
  ownership ownership_;
};

}  // namespace

void receive_into(counter_table& t, progress_bar* b) {
  table = &t;
  bar = b;
}

void send_kmers(const std::vector<piece>& pieces, unsigned k) {
  const sender s(k, ramjet::size());
  for (const piece& p : pieces) s.send(p);
}

}  // namespace kmer
