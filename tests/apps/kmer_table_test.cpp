// SPDX-License-Identifier: Apache-2.0
// Tables of counts in files: what was written is found, what was not is not, and a file that is cut
// or changed is told, not believed.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/temporary_folder.hpp"
#include "failure.hpp"
#include "table_blocks.hpp"
#include "table_reader.hpp"
#include "table_writer.hpp"

namespace kmer {
namespace {

constexpr std::uint64_t kSeed = 11;
constexpr std::uint32_t kBins = 5;
using counts = std::map<wide_key, std::uint64_t>;

bool exists(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0;
}

// Some k-mers that lie in their bins as kmer would put them; bin 0 has small counts only.
std::vector<counts> some_counts(unsigned k) {
  std::mt19937_64 random(kSeed);
  splitter split(k, kBins);
  std::vector<counts> bins(kBins);
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::uint8_t> codes(k + run_collector::kSlack);
    roller<wide_key> r(k);
    for (unsigned j = 0; j < k; ++j) r.add(codes[j] = static_cast<std::uint8_t>(random() % 4));
    const std::uint32_t bin = split.bin_of(codes.data());
    bins[bin][r.canonical()] = bin == 0 ? random() % 255 + 1 : random() >> random() % 64;
  }
  for (counts& c : bins) std::erase_if(c, [](const auto& entry) { return entry.second == 0; });
  return bins;
}

void write(const std::string& path, unsigned k, const std::vector<counts>& bins) {
  table_writer writer(path, k, kBins);
  for (std::uint32_t bin = kBins; bin-- > 0;) {
    std::vector<std::pair<wide_key, std::uint64_t>> entries(bins[bin].begin(), bins[bin].end());
    const auto hash = [k](wide_key kmer) {
      return k <= kNarrowLengthMax ? hash_of(static_cast<narrow_key>(kmer)) : hash_of(kmer);
    };
    std::ranges::sort(entries, {},
                      [&](const auto& e) { return std::pair(hash(e.first), e.first); });
    const std::uint32_t count_bytes = bin == 0 ? 1 : 8;
    std::vector<char> bytes;
    table_blocks blocks(entries.size(), key_bytes_of(k), count_bytes);
    std::uint64_t sent = 0;
    for (std::span<const std::pair<wide_key, std::uint64_t>> left(entries); !left.empty();) {
      const auto part = left.first(std::min<std::size_t>(left.size(), bin == 1 ? 4000 : 150));
      left = left.subspan(part.size());
      blocks.begin_part(bytes, part.size());
      for (const auto& [kmer, count] : part) blocks.add(kmer, count);
      blocks.end_part();
      for (std::size_t at = 0; at < bytes.size(); at += 100) {  // messages that cut entries
        const std::size_t number = std::min<std::size_t>(100, bytes.size() - at);
        writer.write({bin, count_bytes, entries.size()}, sent, bytes.data() + at, number);
        sent += number;
      }
    }
    EXPECT_EQ(blocks.left(), 0u);
    EXPECT_EQ(sent, bin_bytes(entries.size(), key_bytes_of(k) + count_bytes));
  }
  EXPECT_FALSE(exists(path));  // until all is there
  writer.finish();
}

class Table : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    bins_ = some_counts(GetParam());
    write(path_, GetParam(), bins_);
  }

  std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void replace(const std::string& content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << content;
  }
  static std::string changed(std::string content, std::size_t at) {
    content[at] = static_cast<char>(content[at] ^ 0x40);
    return content;
  }
  // What is said of a table with this content when all of it is read; empty if nothing is.
  std::string problem_of(const std::string& content) const {
    replace(content);
    try {
      table_reader(path_).for_each([](wide_key, std::uint64_t) {});
    } catch (const input_error& e) {
      return e.what();
    }
    return {};
  }

  temporary_folder folder_;
  const std::string path_ = folder_.path() + "/table";
  std::vector<counts> bins_;
};

TEST_P(Table, HasWhatWasWritten) {
  table_reader table(path_);
  EXPECT_EQ(table.k(), GetParam());
  counts all, found;
  for (const counts& c : bins_) all.insert(c.begin(), c.end());
  for (const auto& [kmer, count] : all) ASSERT_EQ(table.count_of(kmer), count);
  for (wide_key kmer = 0; kmer < 50; ++kmer) {
    if (kmer >> (2 * GetParam() - 1) >> 1 != 0) break;
    ASSERT_EQ(table.count_of(kmer), all.contains(kmer) ? all[kmer] : 0);
  }
  table.for_each(
      [&](wide_key kmer, std::uint64_t count) { EXPECT_TRUE(found.emplace(kmer, count).second); });
  EXPECT_TRUE(found == all);
}

TEST_P(Table, IsNotBelievedWhenItIsCutOrChanged) {
  const std::string whole = content();
  const std::size_t begin = sizeof(table_header) + kBins * sizeof(table_bin);
  for (std::size_t bytes = 0; bytes < begin; ++bytes) {
    ASSERT_FALSE(problem_of(whole.substr(0, bytes)).empty());
  }
  EXPECT_TRUE(problem_of(whole.substr(0, whole.size() - 1)).ends_with("the table ends too early"));
  EXPECT_TRUE(problem_of(whole + "x").ends_with("damaged: its header contradicts itself"));
  for (std::size_t at = 0; at < begin; ++at) {
    ASSERT_FALSE(problem_of(changed(whole, at)).empty()) << "byte " << at;
  }
  ASSERT_EQ(problem_of(whole), "");
}

TEST_P(Table, TellsTheBlockThatWasChanged) {
  const std::string whole = content();
  const std::size_t begin = sizeof(table_header) + kBins * sizeof(table_bin);
  const std::size_t step = std::max<std::size_t>(1, (whole.size() - begin) / 200);
  for (std::size_t at = begin; at < whole.size(); at += step) {
    std::smatch place;
    const std::string problem = problem_of(changed(whole, at));
    const std::regex form(".*: damaged: the block at bytes ([0-9]+) to ([0-9]+) has another .*");
    ASSERT_TRUE(std::regex_match(problem, place, form)) << "byte " << at << ": " << problem;
    EXPECT_LE(std::stoull(place[1]), at);
    EXPECT_GE(std::stoull(place[2]), at);
  }
}

TEST_P(Table, IsNotBelievedByAQueryWhoseBlockWasChanged) {
  const std::string whole = content();
  std::size_t refused = 0, asked = 0;
  // The last byte of a count: alike in all other respects.
  replace(changed(whole, whole.size() - kChecksumBytes - 1));
  table_reader table(path_);
  for (const counts& c : bins_) {
    for (const auto& [kmer, count] : c) {
      ++asked;
      try {
        ASSERT_EQ(table.count_of(kmer), count);
      } catch (const input_error&) {
        ++refused;
      }
    }
  }
  EXPECT_GE(refused, 1u);
  if (asked > kBins * 2 * kBlockEntries) {
    EXPECT_LT(refused, asked / 2);  // other blocks do not suffer
  }
}

TEST_P(Table, OfAnotherVersionIsRefusedByItsNumber) {
  std::string old = content();
  old[offsetof(table_header, version)] = 1;
  EXPECT_TRUE(problem_of(old).ends_with(
      "is a table of version 1 of the format, and this kmer reads version 2: count anew"));
}

INSTANTIATE_TEST_SUITE_P(Tables, Table, testing::Values(1u, 2u, 5u, 21u, 32u, 33u, 63u));

// --- The file it writes to -----------------------------------------------------------------------

using measured::new_file;

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::ptrdiff_t files_in(const std::string& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

class NewFile : public testing::TestWithParam<new_file::meanwhile> {
 protected:
  temporary_folder folder_;
  std::string path_ = folder_.path() + "/new";
};

TEST_P(NewFile, IsThereWhenItIsComplete) {
  std::ofstream(path_) << "older";
  new_file file(path_, GetParam());
  EXPECT_EQ(file.append("whole", 5), 0);
  EXPECT_EQ(content_of(path_), "older");
  EXPECT_EQ(file.finish(), 0);
  EXPECT_EQ(content_of(path_), "whole");
  EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_P(NewFile, LeavesNothingWhereASignalEndsTheProcess) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = fork();
    if (child == 0) {
      new_file file(path_, GetParam());
      if (file.append("half", 4) == 0) raise(signal);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << status;
    EXPECT_EQ(files_in(folder_.path()), 0);
  }
}

TEST_P(NewFile, DoesNotMeddleWithSignalsAfterwards) {
  { const new_file file(path_, GetParam()); }
  struct sigaction now{};
  ASSERT_EQ(sigaction(SIGTERM, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
  EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_P(NewFile, IsTheOneThatALinkNames) {
  std::filesystem::create_directory(folder_.path() + "/there");
  std::filesystem::create_symlink("there/second", path_);
  std::filesystem::create_symlink("target", folder_.path() + "/there/second");
  for (const std::string text : {"first", "again"}) {
    new_file file(path_, GetParam());
    EXPECT_EQ(file.append(text.data(), text.size()), 0);
    EXPECT_EQ(file.finish(), 0);
    EXPECT_TRUE(std::filesystem::is_symlink(path_));
    EXPECT_FALSE(std::filesystem::is_symlink(folder_.path() + "/there/target"));
    EXPECT_EQ(content_of(folder_.path() + "/there/target"), text);
  }
}

INSTANTIATE_TEST_SUITE_P(NewFiles, NewFile,
                         testing::Values(new_file::meanwhile::nameless,
                                         new_file::meanwhile::named));

TEST(TableWriter, LeavesNothingBehindWhenItIsNotFinished) {
  temporary_folder folder;
  const std::string path = folder.path() + "/unfinished";
  {
    table_writer writer(path, 21, 1);
    writer.write({0, 1, 1}, 0, "1234567CRC!", 11);
  }
  EXPECT_FALSE(exists(path));
}

TEST(TableWriter, SaysWhyItCannotWrite) {
  const auto problem_of = [](const std::string& path) -> std::string {
    try {
      table_writer writer(path, 21, 1);
    } catch (const output_error& e) {
      return e.what();
    }
    return {};
  };
  EXPECT_EQ(problem_of("/nowhere/table"), "cannot write /nowhere/table: No such file or directory");
  EXPECT_EQ(problem_of("/dev/null"),
            "cannot write /dev/null: it is there, and is not a regular file");
}

}  // namespace
}  // namespace kmer
