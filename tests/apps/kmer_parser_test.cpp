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

// A text, and the runs of bases in it.
struct example {
  std::string text;
  std::vector<std::string> runs;
};

const std::vector<example> kFasta = {
    {">one ACGTACGT\nACGTTG\nCAT\r\n\nGGATNACGGATCA\n>\n>two @ACGT\nacgtacc\nA\nC\nG\n>x\n>y\nAAAA",
     {"ACGTTGCATGGAT", "ACGGATCA", "ACGTACCACG", "AAAA"}},
    {" \n\t>one ACGT\rACG TTG \r CAT\t\r\r\r>two\rGG\fAT-ACG\r",  // CR alone, blanks
     {"ACGTTGCAT", "GGAT", "ACG"}},
    {";a >ACGT\n; b\n>one\n;c ACGT\n  1 ACGTT GCATG\r\n;d >ACGT\r\n 11 GGAT\n;\n>two\n\v\nACC;GT",
     {"ACGTTGCATGGGAT", "ACC", "GT"}},
    {"\n\r\n>\n\r\n\r", {}},
};
const std::vector<example> kFastq = {
    {"@a\nACGTTGCA\n+\n@@@@@@@@\n@b\n\n+b\n\n\n@c\r\nGGATNACG\r\n+\r\n+IIIIIII\r\n@d\nACG\n+\n@+@",
     {"ACGTTGCA", "GGAT", "ACG", "ACG"}},
    {"@a\rACGT\tTGCA \r+\r@@@@@@@@ \r@b\r\r+b\r\r\r@c\rACG\r+\r@+@\r", {"ACGTTGCA", "ACG"}},
    {"\r\n@a\r\nGG AT\r\n+\r\n@@@ @\r\n\r\n", {"GGAT"}},
};
const std::vector<example> kFastqOfManyLines = {
    {"@a\nACGT\nTGCA\n+\n@@@@\n+@@@\n@b\n+\n@c\r\nGGATNA\r\n\r\nCG\r\n+c\r\n+I\r\nIIIIII\r\n",
     {"ACGTTGCA", "GGAT", "ACG"}},
};

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

kmers whole_fasta(unsigned k, const std::string& text) {
  kmers all;
  run_collector letters(k, collect(k, all));
  fasta_parser parser(letters, "name");
  parser.feed(text.data(), text.data() + text.size());
  letters.flush();
  return all;
}

kmers whole_fastq(unsigned k, const std::string& text) {
  kmers all;
  run_collector letters(k, collect(k, all));
  fastq_parser parser(letters, "name", 0, fastq_parser::lines::any);
  parser.feed(text.data(), text.data() + text.size());
  parser.finish();
  letters.flush();
  return all;
}

kmers fasta_range(unsigned k, const std::string& whole, std::size_t begin, std::size_t end) {
  kmers all;
  run_collector letters(k, collect(k, all));
  memory_text lines(whole);
  text_window window(lines);
  const char* text = whole.data();
  fasta_parser parser(letters, "name", begin, fasta_place(window, begin));
  parser.feed(text + begin, text + end);
  const char* at = text + end;  // the overlap, letter by letter
  while (at < text + whole.size() && parser.feed_overlap(at, at + 1)) ++at;
  letters.flush();
  return all;
}

kmers fastq_range(unsigned k, const std::string& whole, std::size_t begin, std::size_t end) {
  kmers all;
  run_collector letters(k, collect(k, all));
  memory_text lines(whole);
  text_window window(lines);
  const char* text = whole.data();
  const auto from = next_fastq_record(window, begin);
  const auto to = next_fastq_record(window, end);
  fastq_parser parser(letters, "name", from, fastq_parser::lines::one);
  parser.feed(text + from, text + to);
  parser.finish();
  letters.flush();
  return all;
}

class EveryLength : public testing::TestWithParam<unsigned> {};

TEST_P(EveryLength, WholeTexts) {
  const unsigned k = GetParam();
  for (const example& e : kFasta)
    EXPECT_EQ(whole_fasta(k, e.text), kmers_of_runs(e.runs, k)) << e.text;
  for (const auto* examples : {&kFastq, &kFastqOfManyLines})
    for (const example& e : *examples)
      EXPECT_EQ(whole_fastq(k, e.text), kmers_of_runs(e.runs, k)) << e.text;
}

// Feeds a text in pieces.
template <class Parser>
void feed_pieces(Parser parser, const std::string& text, std::size_t size) {
  for (std::size_t at = 0; at < text.size(); at += size)
    parser.feed(text.data() + at, text.data() + std::min(at + size, text.size()));
  parser.finish();
}

TEST_P(EveryLength, PiecesOfAnySize) {
  const unsigned k = GetParam();
  const auto check = [k](const example& e, auto&& feed) {
    for (std::size_t size = 1; size < 20; ++size) {
      kmers found;
      run_collector letters(k, collect(k, found));
      feed(letters, e.text, size);
      letters.flush();
      EXPECT_EQ(found, kmers_of_runs(e.runs, k)) << e.text << " in pieces of " << size;
    }
  };
  for (const example& e : kFasta)
    check(e, [](run_collector& to, const std::string& text, std::size_t size) {
      feed_pieces(fasta_parser(to, "name"), text, size);
    });
  for (const auto* examples : {&kFastq, &kFastqOfManyLines})
    for (const example& e : *examples)
      check(e, [](run_collector& to, const std::string& text, std::size_t size) {
        feed_pieces(fastq_parser(to, "name", 0, fastq_parser::lines::any), text, size);
      });
}

// Three ranges that meet at any two places.
TEST_P(EveryLength, RangesOfAnySize) {
  const unsigned k = GetParam();
  const auto check = [k](auto range, const example& e) {
    const kmers whole = kmers_of_runs(e.runs, k);
    for (std::size_t a = 0; a <= e.text.size(); ++a) {
      for (std::size_t b = a; b <= e.text.size(); ++b) {
        kmers all = range(k, e.text, 0, a);
        for (const kmers& more : {range(k, e.text, a, b), range(k, e.text, b, e.text.size())}) {
          all.insert(all.end(), more.begin(), more.end());
        }
        ASSERT_EQ(all, whole) << e.text << " cut at " << a << " and " << b;
      }
    }
  };
  for (const example& e : kFasta) check(fasta_range, e);
  for (const example& e : kFastq) check(fastq_range, e);
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
  const auto error_of = [](const std::string& text,
                           fastq_parser::lines lines = fastq_parser::lines::one) -> std::string {
    kmers all;
    run_collector letters(3, collect(3, all));
    fastq_parser parser(letters, "reads.fq", 100, lines);
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
  EXPECT_THAT(error_of("@r\nACG\n+\nIII\nr"), HasSubstr("reads.fq: byte 113: a FASTQ record must"));
  EXPECT_THAT(error_of("@r\nACG\nACG\n"), HasSubstr("byte 107: the third line"));
  EXPECT_THAT(error_of("@r\nACG\n+\nIIII\n"),
              HasSubstr("byte 113: a FASTQ record has not as many"));
  EXPECT_THAT(error_of("@r\nACG\n+\nII\nI\n"),
              HasSubstr("byte 111: a FASTQ record has not as many"));
  EXPECT_THAT(error_of("@r\nACG\n+\n"), HasSubstr("byte 109: the file ends inside"));
  EXPECT_THAT(error_of("@r\nT012\n+\nIIII\n"), HasSubstr("byte 104: '0' is no part"));
  constexpr auto kAny = fastq_parser::lines::any;
  EXPECT_THAT(error_of("@r\nACG\n@r\nACG\n+\nIII\n", kAny), HasSubstr("byte 107: a FASTQ record"));
  EXPECT_THAT(error_of("@r\nACG\nA\n+\nIII\nII\n", kAny),
              HasSubstr("byte 117: a FASTQ record has not as many"));
  EXPECT_THAT(error_of("@r\nACG\nA\n+\nIII\n", kAny), HasSubstr("the file ends inside"));
}

TEST(FastaParser, SaysWhatIsWrongAndWhere) {
  const auto error_of = [](const std::string& text) -> std::string {
    kmers all;
    run_collector letters(3, collect(3, all));
    try {
      feed_pieces(fasta_parser(letters, "a.fa"), text, 3);
    } catch (const input_error& e) {
      return e.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_EQ(error_of(">x\nACG;*-.\n"), "");
  EXPECT_THAT(error_of(";x\nACG\n>y\n"), HasSubstr("a.fa: byte 3: a line before the first header"));
  EXPECT_THAT(error_of(">x\nACG>y\nACG\n"), HasSubstr("byte 6: a '>' inside of a sequence line"));
  EXPECT_THAT(error_of(">x\nACG\xc2\xa0\n"), HasSubstr("byte 6: the byte 0xc2 is no part"));
  EXPECT_THAT(error_of(std::string(">x\nA\0CG", 7)), HasSubstr("byte 4: the byte 0x00 is no part"));
}

TEST(FormatOf, NamesTheEncoding) {
  const auto error_of = [](const std::string& text) -> std::string {
    memory_text lines(text);
    text_window window(lines);
    try {
      format_of(window, "a.fa");
    } catch (const input_error& e) {
      return e.what();
    }
    return "";
  };
  using testing::HasSubstr;
  EXPECT_EQ(error_of(" \r\n; comment\n>x\n"), "");
  EXPECT_EQ(error_of("\n@x\n"), "");
  EXPECT_THAT(error_of("; comment\nACGT\n>x\n"), HasSubstr("a.fa: byte 10: a line before"));
  EXPECT_THAT(error_of("\xef\xbb\xbf>x\nACGT\n"), HasSubstr("a byte-order mark of UTF-8"));
  EXPECT_THAT(error_of(std::string("\xff\xfe>\0x\0", 6)), HasSubstr("a byte-order mark of UTF-16"));
  EXPECT_THAT(error_of(std::string("\xfe\xff\0>\0x", 6)), HasSubstr("a byte-order mark of UTF-16"));
  EXPECT_THAT(error_of(std::string("\xff\xfe\0\0>\0\0\0", 8)), HasSubstr("UTF-32"));
  EXPECT_THAT(error_of(std::string(">\0x\0", 4)), HasSubstr("is text in UTF-16"));
  EXPECT_THAT(error_of(std::string("\0>\0x", 4)), HasSubstr("is text in UTF-16"));
  EXPECT_THAT(error_of("ACGT\n"), HasSubstr("neither FASTA nor FASTQ"));
}

TEST(HasLongRecords, LooksAtTheFirstRecords) {
  const auto has_long = [](const std::string& text) {
    memory_text lines(text);
    text_window window(lines);
    return has_long_records(window);
  };
  for (const example& e : kFastq) EXPECT_FALSE(has_long(e.text)) << e.text;
  for (const example& e : kFastqOfManyLines) EXPECT_TRUE(has_long(e.text)) << e.text;
  EXPECT_TRUE(has_long("@a\nACG\n+\nIII\n@b\nACG\nACG\n+\nIIIIII\n"));
}

}  // namespace
}  // namespace kmer
