// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "byte_source.hpp"
#include "failure.hpp"
#include "memory.hpp"
#include "tools/cli/command_line.hpp"
#include "tools/cli/printable.hpp"

namespace kmer {
namespace {

constexpr long long kHistogramMaxMax = 10'000'000;

constexpr const char* kDescription =
    "Counts the k-mers of DNA sequences: how often each word of k letters occurs, and how many\n"
    "words occur once, twice, ... A k-mer and its reverse complement are one (canonical k-mers).\n"
    "FASTA and FASTQ, plain or compressed by gzip, from files and pipes. Letters other than A, C,\n"
    "G and T break the sequence; lower case counts as upper case; blanks do not count.\n";

constexpr const char* kFooter =
    "Examples:\n"
    "  kmer -k 21 genome.fa                         one rank\n"
    "  ramjet run -n 4 kmer -k 31 reads_*.fq.gz     four ranks\n"
    "  ramjet run -n 2 kmer -k 15 --json genome.fa  for a program to read\n"
    "  kmer -k 31 --output counts.rk reads.fq.gz    a table of all counts\n"
    "  kmer query counts.rk ACGTACGTACGTACGTACGTACGTACGTACG   the counts of some k-mers\n"
    "  kmer query counts.rk < kmers.txt             of those in a file, one a line\n"
    "  kmer dump counts.rk                          all counts, as jellyfish dump -c prints them\n";

// The values as they were typed: our own checks tell better what is wrong.
struct typed {
  std::string length, histogram_max, memory, count_min;
  bool json = false, histogram = false, dump = false, memory_given = false;
};

void declare(console::command_line& line, options& o, typed& t) {
  line.word("-k,--length", "K", fmt::format("letters in a k-mer: from 1 to {}", kLengthMax),
            t.length);
  line.flag("--json", "print one JSON object", t.json);
  line.flag("--histogram", "print only lines 'COUNT NUMBER': how many k-mers occur COUNT times",
            t.histogram);
  line.word(
      "--histogram-max", "N",
      fmt::format("count k-mers together that occur more often; {} without this", o.histogram_max),
      t.histogram_max);
  line.flag("--linear", "draw bars to a linear scale, not a logarithmic one", o.linear_bars);
  line.flag("--dump", "print only lines 'KMER COUNT', one for each k-mer, in no order", t.dump);
  line.word("--output", "FILE", "also write the counts of all k-mers to a table for kmer query",
            o.table);
  line.word("--count-min", "N", "leave k-mers that occur less often out of dump and table",
            t.count_min);
  line.word("--memory", "BYTES",
            "memory for the ranks of a machine, as 500M or 8G; without this, 3/4 of what is free",
            t.memory);
  line.word("--temporary", "FOLDER",
            "where to put what memory has no room for; without this, $TMPDIR or /tmp", o.temporary);
  line.positional("FILES", "FASTA or FASTQ, plain or .gz; - is standard input", o.files);
}

// Whether the word is a whole number from 1 to `most`.
template <class Number>
bool read_number(const std::string& word, long long most, Number& number) {
  long long value = 0;
  if (!console::read_number(word, value) || value < 1 || value > most) return false;
  number = static_cast<Number>(value);
  return true;
}

// What is wrong with the length; empty if nothing is.
std::string read_length(const std::string& word, unsigned& k) {
  if (word.empty()) {
    return fmt::format("say the length of the words: -k K, a number from 1 to {}", kLengthMax);
  }
  if (read_number(word, kLengthMax, k)) return {};
  return fmt::format("-k {}: k is a number from 1 to {}", word, kLengthMax);
}

// A number of bytes, with K, M, G or T behind it. Returns what is wrong; empty if nothing is.
std::string read_memory(std::string word, std::uint64_t& bytes) {
  const std::string typed = word;
  constexpr std::string_view kUnits = "KMGT";
  long long unit = 1;
  if (const auto at = kUnits.find(word.empty() ? ' ' : word.back()); at != kUnits.npos) {
    unit = 1LL << (10 * (at + 1));
    word.pop_back();
  }
  long long number = 0;
  if (console::read_number(word, number) && number > 0 && number <= (1LL << 60) / unit) {
    bytes = static_cast<std::uint64_t>(number * unit);
    if (bytes >= kRankMemoryMin) return {};
  }
  return fmt::format("--memory {}: give a number of bytes, at least {}M, such as 500M or 8G", typed,
                     kRankMemoryMin >> 20);
}

// These paths lead to another file in each rank, and the root alone has the launcher's.
bool names_standard_input(const std::string& path) {
  return path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

// Fills in the options. Returns what is wrong; empty if nothing is.
std::string interpret(const typed& t, options& o) {
  if (std::string wrong = read_length(t.length, o.k); !wrong.empty()) return wrong;
  if (o.files.empty()) return "name a FASTA or FASTQ file";
  std::ranges::replace_if(o.files, names_standard_input, kStandardInput);
  if (std::ranges::count(o.files, kStandardInput) > 1) {
    return "standard input (-) is named twice";
  }
  if (t.json + t.histogram + t.dump > 1) {
    return "--json, --histogram and --dump exclude each other";
  }
  if (!t.count_min.empty() && !read_number(t.count_min, kHistogramMaxMax, o.count_min)) {
    return fmt::format("--count-min {}: give a number from 1 to {}", t.count_min, kHistogramMaxMax);
  }
  if (!t.histogram_max.empty() &&
      !read_number(t.histogram_max, kHistogramMaxMax, o.histogram_max)) {
    return fmt::format("--histogram-max {}: give a number from 1 to {}", t.histogram_max,
                       kHistogramMaxMax);
  }
  if (t.memory_given) {
    if (std::string wrong = read_memory(t.memory, o.memory_bytes); !wrong.empty()) return wrong;
  }
  if (o.temporary.empty()) {
    const char* usual = std::getenv("TMPDIR");
    o.temporary = usual != nullptr && *usual != '\0' ? usual : "/tmp";
  }
  o.form = t.json        ? output_form::json
           : t.histogram ? output_form::histogram
           : t.dump      ? output_form::dump
                         : output_form::text;
  return {};
}

}  // namespace

std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status) {
  options o;
  typed t;
  console::command_line line("kmer", kDescription,
                             "Usage: kmer -k K [options] FILES...  (or kmer query|dump TABLE)",
                             kFooter);
  declare(line, o, t);
  std::string wrong;
  try {
    line.read(argc, argv);
    t.memory_given = line.is_given("--memory");
    wrong = interpret(t, o);
  } catch (const console::help_wanted& help) {
    exit_status = 0;
    message = help.what();
    return std::nullopt;
  } catch (const console::usage_error& error) {
    wrong = error.what();
  }
  if (wrong.empty()) return o;
  exit_status = kExitUsage;
  message = fmt::format("kmer: {} (see kmer --help)\n", console::printable(wrong));
  return std::nullopt;
}

}  // namespace kmer
