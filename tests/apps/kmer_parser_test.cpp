// SPDX-License-Identifier: Apache-2.0
// The parsers: whatever way a text is cut into pieces or ranges, the same k-mers come out, once.
#include "parser.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "failure.hpp"

namespace kmer {
namespace {

using kmers = std::vector<std::uint64_t>;

const std::string kFasta =
    ">one ACGTACGT\nACGTTG\nCAT\r\n\nGGATNACGGATCA\n>\n>two >ACGT\nacgtacc\nA\nC\nG\n>x\n>y\nAAAA";
const std::string kFastq =
    "@a\nACGTTGCA\n+\n@@@@@@@@\n@b\n\n+b\n\n\n@c\r\nGGATNACG\r\n+\r\n+IIIIIII\r\n@d\nACG\n+\n@+@";

auto collect(kmers& into) {
  return [&into](std::uint64_t kmer) { into.push_back(kmer); };
}

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
  fasta_parser parser(k);
  parser.feed(kFasta.data(), kFasta.data() + kFasta.size(), collect(all));
  return all;
}

kmers whole_fastq(unsigned k) {
  kmers all;
  fastq_parser parser(k, "name", 0);
  parser.feed(kFastq.data(), kFastq.data() + kFastq.size(), collect(all));
  parser.finish();
  return all;
}

kmers fasta_range(unsigned k, std::size_t begin, std::size_t end) {
  kmers all;
  const char* text = kFasta.data();
  fasta_parser parser(k, fasta_place(text, begin));
  parser.feed(text + begin, text + end, collect(all));
  parser.feed_overlap(text + end, text + kFasta.size(), collect(all));
  return all;
}

kmers fastq_range(unsigned k, std::size_t begin, std::size_t end) {
  kmers all;
  const std::string name = "name";
  const char* text = kFastq.data();
  const auto from = next_fastq_record(text, kFastq.size(), begin);
  const auto to = next_fastq_record(text, kFastq.size(), end);
  fastq_parser parser(k, name, from);
  parser.feed(text + from, text + to, collect(all));
  parser.finish();
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
    fasta_parser fasta_pieces(k);
    const std::string name = "name";
    fastq_parser fastq_pieces(k, name, 0);
    for (std::size_t at = 0; at < std::max(kFasta.size(), kFastq.size()); at += size) {
      const auto feed = [at, size](auto& parser, const std::string& text, kmers& into) {
        if (at >= text.size()) return;
        const char* begin = text.data() + at;
        parser.feed(begin, begin + std::min(size, text.size() - at), collect(into));
      };
      feed(fasta_pieces, kFasta, fasta);
      feed(fastq_pieces, kFastq, fastq);
    }
    fastq_pieces.finish();
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

INSTANTIATE_TEST_SUITE_P(Parser, EveryLength, testing::Values(1u, 3u, 5u, 7u, 9u, 13u, 31u));

TEST(Encoder, KnowsBothStrands) {
  const std::string strand = "ACGTTTGCATGNNGATTACAGATTACAGATTACAGATTACAGATC";
  std::string other(strand.rbegin(), strand.rend());
  for (char& c : other) {
    const std::size_t code = std::string("ACGT").find(c);
    if (code < 4) c = "TGCA"[code];
  }
  kmers a, b;
  encoder forward(31), reverse(31);
  forward.add(strand.data(), strand.data() + strand.size(), collect(a));
  reverse.add(other.data(), other.data() + other.size(), collect(b));
  EXPECT_EQ(a.size(), 2u);
  EXPECT_EQ(sorted(a), sorted(b));
}

TEST(FastqParser, SaysWhatIsWrongAndWhere) {
  const auto error_of = [](const std::string& text) -> std::string {
    kmers all;
    const std::string name = "reads.fq";
    fastq_parser parser(3, name, 100);
    try {
      parser.feed(text.data(), text.data() + text.size(), collect(all));
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
