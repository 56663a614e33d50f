// SPDX-License-Identifier: Apache-2.0
#include "lookup.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "byte_source.hpp"
#include "failure.hpp"
#include "keep_inputs.hpp"
#include "key.hpp"
#include "letters.hpp"
#include "say.hpp"
#include "table_reader.hpp"
#include "tools/cli/command_line.hpp"

namespace kmer {
namespace {

constexpr const char* kQueryAbout =
    "Prints how often k-mers occur, a line 'KMER COUNT' for each, by a table that kmer --output\n"
    "wrote. A k-mer and its reverse complement are one; 0 stands for one that is not there.\n";
constexpr const char* kQueryUsage = "kmer query TABLE [KMER...]";
constexpr const char* kQueryFooter =
    "Examples:\n"
    "  kmer query counts.rk ACGTACGTACGTACGTACGTA\n"
    "  kmer query counts.rk < kmers.txt             k-mers from standard input, one a line\n";

constexpr const char* kDumpAbout =
    "Prints all of a table that kmer --output wrote, a line 'KMER COUNT' for each k-mer, as\n"
    "jellyfish dump -c prints them, in no order.\n";
constexpr const char* kDumpUsage = "kmer dump TABLE";
constexpr const char* kDumpFooter = "Example:\n  kmer dump counts.rk | sort -k 2 -n -r | head\n";

// What is wrong with a word, which is not a k-mer of the table.
class not_a_kmer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The canonical k-mer that a word stands for.
wide_key read_kmer(std::string_view word, unsigned k) {
  if (word.size() != k) {
    const bool is_long = word.size() > kLengthMax;
    throw not_a_kmer(fmt::format("{}{}: {} letters, but the table counts words of {}",
                                 word.substr(0, kLengthMax), is_long ? "..." : "", word.size(), k));
  }
  roller<wide_key> r(k);
  for (const char c : word) {
    const std::uint8_t code = letter::code_of(c);
    if (code >= letter::kBreak) {
      throw not_a_kmer(fmt::format("{}: a k-mer has only the letters A, C, G and T", word));
    }
    r.add(code);
  }
  return r.canonical();
}

[[noreturn]] void fail_writing() {
  throw output_error(std::string("cannot write standard output: ") + std::strerror(errno));
}

void print(wide_key kmer, std::uint64_t count, unsigned k) {
  char letters[kLengthMax + 1] = {};
  write_letters(kmer, k, letters);
  if (std::printf("%s %llu\n", letters, static_cast<unsigned long long>(count)) < 0) {
    fail_writing();
  }
}

void query_words(table_reader& table, const std::vector<std::string>& words) {
  std::vector<wide_key> kmers;
  for (const std::string_view w : words) kmers.push_back(read_kmer(w, table.k()));
  for (const wide_key kmer : kmers) print(kmer, table.count_of(kmer), table.k());
}

// The k-mers of standard input, one a line; empty lines are passed over.
void query_lines(table_reader& table) {
  constexpr const char* kBlank = " \t\r";
  std::string line;
  for (std::uint64_t number = 1; std::getline(std::cin, line); ++number) {
    const std::size_t begin = line.find_first_not_of(kBlank);
    if (begin == line.npos) continue;
    const std::size_t end = line.find_last_not_of(kBlank) + 1;
    const std::string_view word = std::string_view(line).substr(begin, end - begin);
    try {
      const wide_key kmer = read_kmer(word, table.k());
      print(kmer, table.count_of(kmer), table.k());
    } catch (const not_a_kmer& e) {
      throw input_error(fmt::format("standard input:{}: {}", number, e.what()));
    }
  }
  if (std::ferror(stdin) != 0) {
    throw input_error(std::string("standard input: ") + std::strerror(errno));
  }
}

// The words behind "query" or "dump", the table first.
std::vector<std::string> read_words(bool dumps, int argc, char** argv) {
  const std::string usage = dumps ? kDumpUsage : kQueryUsage;
  console::command_line line(dumps ? "kmer dump" : "kmer query", dumps ? kDumpAbout : kQueryAbout,
                             "Usage: " + usage, dumps ? kDumpFooter : kQueryFooter);
  std::vector<std::string> words;
  line.positional("TABLE",
                  dumps ? "a file that kmer --output wrote"
                        : "a file that kmer --output wrote, and k-mers behind it; without these, "
                          "they are read from standard input, one a line",
                  words);
  line.read(argc - 1, argv + 1);
  if (words.empty() || (dumps && words.size() > 1)) throw console::usage_error("usage: " + usage);
  return words;
}

void run(bool dumps, std::vector<std::string> words) {
  const std::string path = words.front();
  words.erase(words.begin());
  table_reader table(path);
  const bool reads_lines = !dumps && words.empty();
  keep_inputs(
      reads_lines ? std::vector<std::string>{path, kStandardInput} : std::vector<std::string>{path},
      {});
  if (dumps) {
    table.for_each([&table](wide_key kmer, std::uint64_t count) { print(kmer, count, table.k()); });
  } else if (reads_lines) {
    query_lines(table);
  } else {
    query_words(table, words);
  }
  if (std::fflush(stdout) != 0) fail_writing();
}

int print_help(const char* text) {
  if (std::fputs(text, stdout) < 0 || std::fflush(stdout) != 0) fail_writing();
  return 0;
}

int read_and_run(int argc, char** argv) {
  const bool dumps = std::string_view(argv[1]) == "dump";
  try {
    run(dumps, read_words(dumps, argc, argv));
  } catch (const console::help_wanted& help) {
    return print_help(help.what());
  } catch (const console::usage_error& e) {
    say(fmt::format("{} (see kmer {} --help)", e.what(), argv[1]));
    return kExitUsage;
  } catch (const not_a_kmer& e) {
    say(e.what());
    return kExitUsage;
  }
  return 0;
}

}  // namespace

bool is_lookup(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  return first == "query" || first == "dump";
}

int look_up(int argc, char** argv) {
  try {
    return read_and_run(argc, argv);
  } catch (const std::exception& e) {
    say(e.what());
    return kExitFailure;
  }
}

}  // namespace kmer
