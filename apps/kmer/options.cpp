// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include "console/command_line.hpp"
#include "failure.hpp"

namespace kmer {
namespace {

constexpr long long kHistogramMaxMax = 10'000'000;

constexpr const char* kDescription =
    "Counts the k-mers of DNA sequences: how often each word of k letters occurs, and how many\n"
    "words occur once, twice, ... A k-mer and its reverse complement are one (canonical k-mers).\n"
    "FASTA and FASTQ files, plain or compressed by gzip. Letters other than A, C, G and T break\n"
    "the sequence; lower case counts as upper case.\n";

constexpr const char* kFooter =
    "Examples:\n"
    "  kmer -k 21 genome.fa                         one rank\n"
    "  ramjet run -n 4 kmer -k 31 reads_*.fq.gz     four ranks\n"
    "  ramjet run -n 2 kmer -k 15 --json genome.fa  for a program to read\n";

// The values as they were typed: our own checks tell better what is wrong.
struct typed {
  std::string length, histogram_max;
  bool json = false, histogram = false;
};

void declare(console::command_line& line, options& o, typed& t) {
  line.word("-k,--length", "K",
            fmt::format("letters in a k-mer: an odd number, at most {}", kLengthMax), t.length);
  line.flag("--json", "print one JSON object", t.json);
  line.flag("--histogram", "print only lines 'COUNT NUMBER': how many k-mers occur COUNT times",
            t.histogram);
  line.word(
      "--histogram-max", "N",
      fmt::format("count k-mers together that occur more often; {} without this", o.histogram_max),
      t.histogram_max);
  line.flag("--linear", "draw bars to a linear scale, not a logarithmic one", o.linear_bars);
  line.positional("FILES", "FASTA or FASTQ, plain or .gz", o.files);
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
    return fmt::format("say the length of the words: -k K, an odd number from 1 to {}", kLengthMax);
  }
  if (!read_number(word, kLengthMax, k)) {
    return fmt::format("-k {}: k is an odd number from 1 to {}", word, kLengthMax);
  }
  if (k % 2 == 0) {
    return fmt::format(
        "-k {}: k must be odd, so that no k-mer is its own reverse complement; try {} or {}", k,
        k - 1, k + 1);
  }
  return {};
}

// Fills in the options. Returns what is wrong; empty if nothing is.
std::string interpret(const typed& t, options& o) {
  if (std::string wrong = read_length(t.length, o.k); !wrong.empty()) return wrong;
  if (o.files.empty()) return "name a FASTA or FASTQ file";
  if (t.json && t.histogram) return "--json and --histogram exclude each other";
  if (!t.histogram_max.empty() &&
      !read_number(t.histogram_max, kHistogramMaxMax, o.histogram_max)) {
    return fmt::format("--histogram-max {}: give a number from 1 to {}", t.histogram_max,
                       kHistogramMaxMax);
  }
  o.form = t.json ? output_form::json : t.histogram ? output_form::histogram : output_form::text;
  return {};
}

}  // namespace

std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status) {
  options o;
  typed t;
  console::command_line line("kmer", kDescription, "Usage: kmer -k K [options] FILES...", kFooter);
  declare(line, o, t);
  std::string wrong;
  try {
    line.read(argc, argv);
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
  message = fmt::format("kmer: {} (see kmer --help)\n", wrong);
  return std::nullopt;
}

}  // namespace kmer
