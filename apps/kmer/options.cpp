// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "failure.hpp"

namespace kmer {
namespace {

constexpr std::uint64_t kHistogramMaxMax = 10'000'000;

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

std::string check_length(const std::string& text) {
  unsigned k = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, k);
  if (problem != std::errc{} || stop != end || k < 1 || k > kLengthMax) {
    return fmt::format("k must be an odd number from 1 to {}, not {}", kLengthMax, text);
  }
  if (k % 2 == 0) {
    return fmt::format(
        "k must be odd, so that no k-mer is its own reverse complement; try {} or {}", k - 1,
        k + 1);
  }
  return {};
}

void declare(CLI::App& app, options& o, bool& json, bool& histogram) {
  app.footer(kFooter);
  app.add_option("-k,--length", o.k, fmt::format("letters in a k-mer: odd, at most {}", kLengthMax))
      ->required()
      ->type_name("K")
      ->check(CLI::Validator(check_length, ""));
  CLI::Option* as_json = app.add_flag("--json", json, "print one JSON object");
  app.add_flag("--histogram", histogram,
               "print only lines 'COUNT NUMBER': how many k-mers occur COUNT times")
      ->excludes(as_json);
  app.add_option("--histogram-max", o.histogram_max,
                 "k-mers that occur more often are counted together")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, kHistogramMaxMax).description(""));
  app.add_flag("--linear", o.linear_bars, "draw bars to a linear scale, not a logarithmic one");
  app.add_option("FILES", o.files, "FASTA or FASTQ, plain or .gz")->required()->type_name("");
}

}  // namespace

std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status) {
  options o;
  bool json = false, histogram = false;
  CLI::App app{kDescription, "kmer"};
  declare(app, o, json, histogram);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::ostringstream out, err;
    exit_status = app.exit(e, out, err) == 0 ? 0 : kExitUsage;
    message = exit_status == 0 ? out.str() : "kmer: " + err.str();
    return std::nullopt;
  }
  o.form = json ? output_form::json : histogram ? output_form::histogram : output_form::text;
  return o;
}

}  // namespace kmer
