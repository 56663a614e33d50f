// SPDX-License-Identifier: Apache-2.0
// The first half of counting: from text to super-k-mers at their owners.
#include <algorithm>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include <ramjet/ramjet.hpp>

#include "counting.hpp"
#include "failure.hpp"
#include "parser.hpp"
#include "progress.hpp"
#include "splitter.hpp"
#include "spreading.hpp"
#include "super_kmer.hpp"
#include "text_stream.hpp"
#include "word_memory.hpp"

namespace kmer {
namespace {

// Text between two looks at what has arrived, and two reports of progress.
constexpr std::size_t kBlockBytes = 64 * 1024;

// What the handlers of this rank work on. Handlers are plain functions, so this stands in the file.
bin_store* store = nullptr;

void on_records(std::uint32_t bin, std::uint32_t kmers, ramjet::payload p) {
  store->append(bin, reinterpret_cast<const char*>(p.data()), p.size(), kmers);
}

// Gathers super-k-mers by bin, and sends them to the bins' owners. Why not aggregated messages:
// those gather by destination, and the owner would have to part them by bin again; a bin's block is
// copied as it is to where it is kept.
class gatherer {
 public:
  gatherer(unsigned k, std::uint32_t bins, word_memory& memory)
      : k_(k), ranks_(static_cast<std::uint32_t>(ramjet::size())), memory_(memory), bins_(bins) {
    memory_.grow(bins * kGatheredBytes / sizeof(std::uint64_t));
  }

  void add(std::uint32_t bin, const std::uint8_t* codes, unsigned number) {
    gathered& g = bins_[bin];
    char* at = memory_of(bin);
    super_kmer::write(at + g.bytes, codes, k_, number);
    g.bytes += static_cast<std::uint32_t>(super_kmer::bytes_of(k_, number));
    g.kmers += number;
    if (g.bytes > kGatheredBytes - super_kmer::kBytesMax - super_kmer::kSlack) [[unlikely]]
      send(bin);
  }

  void send_all() {
    for (std::uint32_t bin = 0; bin < bins_.size(); ++bin) {
      if (bins_[bin].bytes > 0) send(bin);
    }
  }

 private:
  struct gathered {
    std::uint32_t bytes = 0, kmers = 0;
  };

  char* memory_of(std::uint32_t bin) const {
    return reinterpret_cast<char*>(memory_.data()) + bin * kGatheredBytes;
  }

  __attribute__((noinline)) void send(std::uint32_t bin) {
    const gathered g = std::exchange(bins_[bin], {});
    const auto owner = static_cast<int>(bin % ranks_);
    if (owner == ramjet::rank()) {
      store->append(bin / ranks_, memory_of(bin), g.bytes, g.kmers);
    } else {
      require(ramjet::request_medium<on_records>(owner, memory_of(bin), g.bytes, bin / ranks_,
                                                 g.kmers));
    }
  }

  unsigned k_;
  std::uint32_t ranks_;
  word_memory& memory_;  // kGatheredBytes for each bin
  std::vector<gathered> bins_;
};

// Sends what one rank reads.
class sender {
 public:
  sender(unsigned k, std::uint32_t bins, word_memory& memory)
      : splitter_(k, bins),
        gatherer_(k, bins, memory),
        to_bin_([this](std::uint32_t bin, const std::uint8_t* codes, unsigned number) {
          gatherer_.add(bin, codes, number);
        }),
        split_here_([this](const run_batch& runs) { splitter_.split(runs, to_bin_); }),
        collector_(k, [this](const run_batch& runs) { take(runs); }),
        block_(kBlockBytes) {}

  void send(const piece& p) {
    if (!p.text) {
      reads_stream_ = true;
      send_stream(p.path);
    } else {
      text_window window(*p.text);
      if (format_of(window, p.path) == format::fasta) {
        send_fasta(p, window);
      } else {
        send_fastq(p, window);
      }
    }
    collector_.flush();
    reads_stream_ = false;
  }
  // Helps those that read streams; when all have ended, sends what is gathered.
  void finish(unsigned streams) {
    help_until_streams_end(streams, split_here_);
    gatherer_.send_all();
  }

 private:
  void take(const run_batch& runs) {
    if (!reads_stream_ || !give_away(runs)) split_here_(runs);
  }

  // Between two blocks of text.
  void after(std::uint64_t bytes) {
    report_progress(bytes);
    do_given_work(split_here_);
    if (!store->problem().empty()) throw output_error(store->problem());
  }

  template <class Parser>
  void feed(Parser& parser, text_file& text, std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const std::size_t bytes = std::min<std::uint64_t>(kBlockBytes, end - begin);
      text.read(begin, block_.data(), bytes);
      parser.feed(block_.data(), block_.data() + bytes);
      after(bytes);
      begin += bytes;
    }
  }

  // A rank sends the k-mers that begin in its range.
  void send_fasta(const piece& p, text_window& window) {
    fasta_parser parser(collector_, p.path, p.begin, fasta_place(window, p.begin));
    feed(parser, *p.text, p.begin, p.end);
    for (std::uint64_t at = p.end; at < p.text->size();) {
      constexpr std::uint64_t kLookBytes = 256;
      const std::size_t bytes = std::min(kLookBytes, p.text->size() - at);
      p.text->read(at, block_.data(), bytes);
      if (!parser.feed_overlap(block_.data(), block_.data() + bytes)) break;
      at += bytes;
    }
  }

  // A rank sends the k-mers of the records that begin in its range.
  void send_fastq(const piece& p, text_window& window) {
    const std::uint64_t begin = next_fastq_record(window, p.begin);
    const std::uint64_t end = next_fastq_record(window, p.end);
    fastq_parser parser(collector_, p.path, begin, fastq_parser::lines::one);
    feed(parser, *p.text, begin, end);
    parser.finish();
  }

  void send_stream(const std::string& path) {
    text_stream stream(path);
    const std::string first = beginning_of(stream);
    if (first.empty()) throw input_error(stream.name() + ": is empty");
    if (format_of(first, stream.name()) == format::fasta) {
      feed_stream(fasta_parser(collector_, stream.name()), stream, first);
    } else {
      feed_stream(fastq_parser(collector_, stream.name(), 0, fastq_parser::lines::any), stream,
                  first);
    }
  }

  // The first blocks of a stream, enough to tell its format. A pipe may give a byte at a time.
  static std::string beginning_of(text_stream& stream) {
    constexpr std::size_t kEnough = 4;
    std::string text;
    do {
      const std::string_view block = stream.next();
      if (block.empty()) break;
      text += block;
    } while (text.size() < kEnough || std::ranges::all_of(text, is_blank));
    return text;
  }

  template <class Parser>
  void feed_stream(Parser parser, text_stream& stream, std::string_view text) {
    for (std::uint64_t reported = 0; !text.empty(); text = stream.next()) {
      parser.feed(text.data(), text.data() + text.size());
      const std::uint64_t read = stream.bytes_read();
      after(read - std::exchange(reported, read));
    }
    parser.finish();
  }

  splitter splitter_;
  gatherer gatherer_;
  splitter::sink to_bin_;
  run_collector::sink split_here_;
  bool reads_stream_ = false;
  run_collector collector_;
  std::vector<char> block_;
};

}  // namespace

void receive_into(bin_store& s, progress_bar* bar) {
  store = &s;
  show_progress_on(bar);
}

void send_kmers(const std::vector<piece>& pieces, unsigned k, std::uint32_t bins, unsigned streams,
                word_memory& memory) {
  sender s(k, bins, memory);
  auto unread = static_cast<unsigned>(
      std::ranges::count_if(pieces, [](const piece& p) { return p.text == nullptr; }));
  try {
    for (const piece& p : pieces) {
      s.send(p);
      if (p.text != nullptr) continue;
      report_stream_end();
      --unread;
    }
  } catch (const job_error&) {
    throw;
  } catch (const std::exception&) {
    for (; unread > 0; --unread) report_stream_end();  // nobody is to wait for more
    throw;
  }
  s.finish(streams);
}

}  // namespace kmer
