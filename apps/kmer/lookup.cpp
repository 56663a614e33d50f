// SPDX-License-Identifier: Apache-2.0
#include "lookup.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "failure.hpp"
#include "keep_inputs.hpp"
#include "key.hpp"
#include "letters.hpp"
#include "table_reader.hpp"

namespace kmer {
namespace {

// The command line is wrong.
class lookup_usage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The canonical k-mer that a word stands for.
wide_key read_kmer(std::string_view word, unsigned k) {
  if (word.size() != k) {
    throw lookup_usage(
        fmt::format("{}: {} letters, but the table counts words of {}", word, word.size(), k));
  }
  roller<wide_key> r(k);
  for (const char c : word) {
    const std::uint8_t code = letter::code_of(c);
    if (code >= letter::kBreak) {
      throw lookup_usage(fmt::format("{}: a k-mer has only the letters A, C, G and T", word));
    }
    r.add(code);
  }
  return r.canonical();
}

void print(wide_key kmer, std::uint64_t count, unsigned k) {
  char letters[kLengthMax + 1] = {};
  write_letters(kmer, k, letters);
  if (std::printf("%s %llu\n", letters, static_cast<unsigned long long>(count)) < 0) {
    throw output_error(std::string("cannot write standard output: ") + std::strerror(errno));
  }
}

void query(table_reader& table, const std::vector<std::string_view>& words) {
  std::vector<wide_key> kmers;
  for (const std::string_view w : words) kmers.push_back(read_kmer(w, table.k()));
  for (const wide_key kmer : kmers) print(kmer, table.count_of(kmer), table.k());
}

// The words behind the command.
void run(std::string_view command, const std::vector<std::string_view>& words) {
  const bool dumps = command == "dump";
  if (words.empty() || (dumps && words.size() > 1) || words.front().starts_with("-")) {
    throw lookup_usage(dumps ? "usage: kmer dump TABLE" : "usage: kmer query TABLE KMER...");
  }
  table_reader table{std::string(words.front())};
  keep_inputs({std::string(words.front())}, {});
  if (dumps) {
    table.for_each([&table](wide_key kmer, std::uint64_t count) { print(kmer, count, table.k()); });
  } else {
    query(table, {words.begin() + 1, words.end()});
  }
  if (std::fflush(stdout) != 0) {
    throw output_error(std::string("cannot write standard output: ") + std::strerror(errno));
  }
}

}  // namespace

bool is_lookup(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  return first == "query" || first == "dump";
}

int look_up(int argc, char** argv) {
  try {
    run(argv[1], {argv + 2, argv + argc});
  } catch (const lookup_usage& e) {
    std::fprintf(stderr, "kmer: %s\n", e.what());
    return kExitUsage;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "kmer: %s\n", e.what());
    return kExitFailure;
  }
  return 0;
}

}  // namespace kmer
