// SPDX-License-Identifier: Apache-2.0
// The parsers: whatever way a text is cut into pieces or ranges, the same k-mers come out, once.
#include "parser.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failure.hpp"
#include "key.hpp"

namespace kmer {
namespace {

using kmers = std::vector<std::uint64_t>;

const std::string kFasta =
    ">one ACGTACGT\nACGTTG\nCAT\r\n\nGGATNACGGATCA\n>\n>two >ACGT\nacgtacc\nA\nC\nG\n>x\n>y\nAAAA";
const std::string kFastq =
    "@a\nACGTTGCA\n+\n@@@@@@@@\n@b\n\n+b\n\n\n@c\r\nGGATNACG\r\n+\r\n+IIIIIII\r\n@d\nACG\n+\n@+@";

// The canonical k-mers of all runs that come.
run_collector::sink collect(unsigned k, kmers& into) {
  return [k, &into](const run_batch& batch) {
    const std::uint8_t* codes = batch.codes.data();
    for (const std::uint32_t length : batch.lengths) {
      roller<narrow_key> r(k);
      for (std::uint32_t i = 0; i < length; ++i) {
        r.add(codes[i]);
        if (i + 1 >= k) into.push_back(r.canonical());
      }
      codes += length;
    }
  };
}

// A text in memory.
class memory_text final : public text_file {
 public:
  explicit memory_text(const std::string& text) : text_(text) {}
  std::uint64_t size() const override { return text_.size(); }
  void read(std::uint64_t offset, char* into, std::size_t bytes) override {
    ASSERT_LE(offset + bytes, text_.size());
    std::memcpy(into, text_.data() + offset, bytes);
  }

 private:
  const std::string& text_;
};

kmers sorted(kmers all) {
  std::ranges::sort(all);
  return all;
}

// The definition, letter by letter.
std::uint64_t canonical(const std::string& word) {
  std::uint64_t forward = 0, reverse = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const std::uint64_t code = std::string("ACGT").find(word[i]);
    forward = forward * 4 + code;
    reverse += (3 - code) << (2 * i);
  }
  return std::min(forward, reverse);
}

kmers kmers_of_runs(const std::vector<std::string>& runs, unsigned k) {
  kmers all;
  for (const std::string& run : runs) {
    for (std::size_t i = 0; i + k <= run.size(); ++i) all.push_back(canonical(run.substr(i, k)));
  }
  return all;
}

const std::vector<std::string> kFastaRuns = {"ACGTTGCATGGAT", "ACGGATCA", "ACGTACCACG", "AAAA"};
const std::vector<std::string> kFastqRuns = {"ACGTTGCA", "GGAT", "ACG", "ACG"};

kmers whole_fasta(unsigned k) {
  kmers all;
  run_collector letters(k, collect(k, all));
  fasta_parser parser(letters);
  parser.feed(kFasta.data(), kFasta.data() + kFasta.size());
  letters.flush();
  return all;
}

kmers whole_fastq(unsigned k) {
  kmers all;
  run_collector letters(k, collect(k, all));
  fastq_parser parser(letters, "name", 0);
  parser.feed(kFastq.data(), kFastq.data() + kFastq.size());
  parser.finish();
  letters.flush();
  return all;
}

kmers fasta_range(unsigned k, std::size_t begin, std::size_t end) {
  kmers all;
  run_collector letters(k, collect(k, all));
  memory_text whole(kFasta);
  text_window window(whole);
  const char* text = kFasta.data();
  fasta_parser parser(letters, fasta_place(window, begin));
  parser.feed(text + begin, text + end);
  const char* at = text + end;  // the overlap, letter by letter
  while (at < text + kFasta.size() && parser.feed_overlap(at, at + 1)) ++at;
  letters.flush();
  return all;
}

kmers fastq_range(unsigned k, std::size_t begin, std::size_t end) {
  kmers all;
  run_collector letters(k, collect(k, all));
  memory_text whole(kFastq);
  text_window window(whole);
  const char* text = kFastq.data();
  const auto from = next_fastq_record(window, begin);
  const auto to = next_fastq_record(window, end);
  fastq_parser parser(letters, "name", from);
  parser.feed(text + from, text + to);
  parser.finish();
  letters.flush();
  return all;
}

class EveryLength : public testing::TestWithParam<unsigned> {};

TEST_P(EveryLength, WholeTexts) {
  EXPECT_EQ(whole_fasta(GetParam()), kmers_of_runs(kFastaRuns, GetParam()));
  EXPECT_EQ(whole_fastq(GetParam()), kmers_of_runs(kFastqRuns, GetParam()));
}

TEST_P(EveryLength, PiecesOfAnySize) {
  const unsigned k = GetParam();
  for (std::size_t size = 1; size < 20; ++size) {
    kmers fasta, fastq;
    run_collector fasta_letters(k, collect(k, fasta)), fastq_letters(k, collect(k, fastq));
    fasta_parser fasta_pieces(fasta_letters);
    fastq_parser fastq_pieces(fastq_letters, "name", 0);
    for (std::size_t at = 0; at < std::max(kFasta.size(), kFastq.size()); at += size) {
      const auto feed = [at, size](auto& parser, const std::string& text) {
        if (at >= text.size()) return;
        const char* begin = text.data() + at;
        parser.feed(begin, begin + std::min(size, text.size() - at));
      };
      feed(fasta_pieces, kFasta);
      feed(fastq_pieces, kFastq);
    }
    fastq_pieces.finish();
    fasta_letters.flush();
    fastq_letters.flush();
    EXPECT_EQ(fasta, whole_fasta(k)) << "pieces of " << size;
    EXPECT_EQ(fastq, whole_fastq(k)) << "pieces of " << size;
  }
}

// Three ranges that meet at any two places.
TEST_P(EveryLength, RangesOfAnySize) {
  const unsigned k = GetParam();
  const auto check = [k](auto range, std::size_t size, const kmers& whole) {
    for (std::size_t a = 0; a <= size; ++a) {
      for (std::size_t b = a; b <= size; ++b) {
        kmers all = range(k, 0, a);
        for (const kmers& more : {range(k, a, b), range(k, b, size)}) {
          all.insert(all.end(), more.begin(), more.end());
        }
        ASSERT_EQ(all, whole) << "cut at " << a << " and " << b;
      }
    }
  };
  check(fasta_range, kFasta.size(), whole_fasta(k));
  check(fastq_range, kFastq.size(), whole_fastq(k));
}

INSTANTIATE_TEST_SUITE_P(Parser, EveryLength,
                         testing::Values(1u, 2u, 3u, 5u, 8u, 9u, 13u, 31u, 32u));

TEST(RunCollector, KnowsBothStrands) {
  const std::string strand = "ACGTTTGCATGNNGATTACAGATTACAGATTACAGATTACAGATC";
  std::string other(strand.rbegin(), strand.rend());
  for (char& c : other) {
    const std::size_t code = std::string("ACGT").find(c);
    if (code < 4) c = "TGCA"[code];
  }
  kmers a, b;
  run_collector forward(31, collect(31, a)), reverse(31, collect(31, b));
  forward.add(strand.data(), strand.data() + strand.size());
  reverse.add(other.data(), other.data() + other.size());
  forward.flush();
  reverse.flush();
  EXPECT_EQ(a.size(), 2u);
  EXPECT_EQ(sorted(a), sorted(b));
}

// A run that is longer than many batches, and runs that end where a batch does.
TEST(RunCollector, CutsLongRunsWithoutLosingKmers) {
  for (const unsigned k : {1u, 2u, 21u, 32u}) {
    std::string text(200'000, 'A');
    for (std::size_t i = 0; i < text.size(); ++i) text[i] = "ACGT"[i * i / 7 % 4];
    text[65'536] = 'N';
    kmers found, expected = kmers_of_runs({text.substr(0, 65'536), text.substr(65'537)}, k);
    run_collector letters(k, collect(k, found));
    for (std::size_t at = 0; at < text.size(); at += 999) {
      letters.add(text.data() + at, text.data() + std::min(text.size(), at + 999));
    }
    letters.flush();
    EXPECT_EQ(found, expected) << k;
  }
}

TEST(FastqParser, SaysWhatIsWrongAndWhere) {
  const auto error_of = [](const std::string& text) -> std::string {
    kmers all;
    run_collector letters(3, collect(3, all));
    fastq_parser parser(letters, "reads.fq", 100);
    try {
      parser.feed(text.data(), text.data() + text.size());
      parser.finish();
    } catch (const input_error& e) {
      return e.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_EQ(error_of("@r\nACG\n+\nIII"), "");
  EXPECT_THAT(error_of("@r\nACG\n+\nIII\nr"), HasSubstr("reads.fq: byte 113: a FASTQ record of"));
  EXPECT_THAT(error_of("@r\nACG\nACG\n"), HasSubstr("byte 107: the third line"));
  EXPECT_THAT(error_of("@r\nACG\n+\nIIII\n"),
              HasSubstr("byte 113: a FASTQ record has not as many"));
  EXPECT_THAT(error_of("@r\nACG\n+\n"), HasSubstr("byte 109: the file ends inside"));
}

}  // namespace
}  // namespace kmer
