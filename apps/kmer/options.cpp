// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <memory>
#include <string_view>
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

// The values as they were typed: our own checks tell better what is wrong.
struct typed {
  std::string length, histogram_max;
  bool json = false, histogram = false;
};

class help_formatter : public CLI::Formatter {
 public:
  help_formatter() { column_width(28); }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: kmer -k K [options] FILES...\n";
  }
};

template <class Number>
bool read_number(const std::string& word, Number& number) {
  const char* end = word.data() + word.size();
  const auto [stop, problem] = std::from_chars(word.data(), end, number);
  return problem == std::errc{} && stop == end;
}

void declare(CLI::App& app, options& o, typed& t) {
  app.formatter(std::make_shared<help_formatter>());
  app.footer(kFooter);
  app.option_defaults()->take_last();
  app.add_option("-k,--length", t.length,
                 fmt::format("letters in a k-mer: an odd number, at most {}", kLengthMax))
      ->type_name("K");
  app.add_flag("--json", t.json, "print one JSON object");
  app.add_flag("--histogram", t.histogram,
               "print only lines 'COUNT NUMBER': how many k-mers occur COUNT times");
  app.add_option("--histogram-max", t.histogram_max,
                 fmt::format("count k-mers together that occur more often; {} without this",
                             o.histogram_max))
      ->type_name("N");
  app.add_flag("--linear", o.linear_bars, "draw bars to a linear scale, not a logarithmic one");
  app.add_option("FILES", o.files, "FASTA or FASTQ, plain or .gz")->type_name("")->take_all();
}

// What is wrong with the length; empty if nothing is.
std::string read_length(const std::string& word, unsigned& k) {
  if (word.empty()) {
    return fmt::format("say the length of the words: -k K, an odd number from 1 to {}", kLengthMax);
  }
  if (!read_number(word, k) || k < 1 || k > kLengthMax) {
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
  if (!t.histogram_max.empty() && (!read_number(t.histogram_max, o.histogram_max) ||
                                   o.histogram_max < 1 || o.histogram_max > kHistogramMaxMax)) {
    return fmt::format("--histogram-max {}: give a number from 1 to {}", t.histogram_max,
                       kHistogramMaxMax);
  }
  o.form = t.json ? output_form::json : t.histogram ? output_form::histogram : output_form::text;
  return {};
}

// The name of an option that is given a value, as --json=3, and takes none; else empty.
std::string flag_with_value(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    if (!word.starts_with("--") || word.find('=') == word.npos) continue;
    const std::string name(word.substr(0, word.find('=')));
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option != nullptr && option->get_items_expected_max() == 0) return name;
  }
  return {};
}

// Reads the words into `o`. Returns what is wrong; empty if nothing is, or help is asked for.
std::string parse(CLI::App& app, const typed& t, options& o, int argc, char** argv, bool& help) {
  if (const std::string name = flag_with_value(app, argc, argv); !name.empty()) {
    return name + " takes no value";
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    help = true;
    return {};
  } catch (const CLI::ExtrasError&) {
    return fmt::format("unknown option '{}'", app.remaining().front());
  } catch (const CLI::ArgumentMismatch&) {
    return fmt::format("{} needs a value", argv[argc - 1]);  // the words ran out
  } catch (const CLI::ParseError& e) {
    return e.what();
  }
  return interpret(t, o);
}

}  // namespace

std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status) {
  options o;
  typed t;
  CLI::App app{kDescription, "kmer"};
  declare(app, o, t);
  bool help = false;
  const std::string wrong = parse(app, t, o, argc, argv, help);
  if (!help && wrong.empty()) return o;
  exit_status = help ? 0 : kExitUsage;
  message = help ? app.help() : fmt::format("kmer: {} (see kmer --help)\n", wrong);
  return std::nullopt;
}

}  // namespace kmer
