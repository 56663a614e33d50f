// SPDX-License-Identifier: Apache-2.0
// The counted machine: counts that were derived by hand, results against tl0's executor, and the
// trace against the counts.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "papers/study/experiment/experiment.hpp"

namespace {

using study::access;
using study::discipline;
using study::region;
using study::traced;

constexpr const char* kTiny = R"(
block main {
  slot n: int
  inlet args(n) post done
  thread done {
    print n
    ffree
  }
})";

using counts = std::map<std::string, std::vector<std::uint64_t>>;

// By access; of the regions in the order of study::region.
counts counted(const std::string& text, discipline how, const std::vector<std::string>& arguments) {
  const tl0::program p = study::program_of(text, "test.tl0");
  const study::outcome o =
      study::execute(p, study::words_of(p, arguments), how, {.sweep = std::nullopt});
  counts found;
  for (const auto& [name, a] : {std::pair{"fetch", access::fetch}, std::pair{"read", access::read},
                                std::pair{"write", access::write}}) {
    const auto& by = o.counts.accesses[static_cast<unsigned>(a)];
    found[name].assign(by.begin(), by.end());
  }
  return found;
}

struct program_case {
  std::filesystem::path file;
  std::vector<std::string> arguments;
  std::string prints;  // its first line
};

// What the heads of the files say: "//! ARGUMENTS => LINE".
std::vector<program_case> cases_of(const std::filesystem::path& folder) {
  std::vector<program_case> cases;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".tl0") continue;
    std::ifstream in(entry.path());
    const std::regex form("//! (.*) => (.*)");
    std::smatch found;
    for (std::string line; std::getline(in, line);) {
      if (!std::regex_match(line, found, form)) continue;
      std::istringstream words(found[1]);
      program_case c{entry.path(), {}, found[2]};
      for (std::string word; words >> word;) c.arguments.push_back(word);
      cases.push_back(c);
    }
  }
  return cases;
}

tl0::program program_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return study::program_of(text.str(), file.string());
}

std::string reference_output(const tl0::program& p, const std::vector<study::word>& words) {
  std::string output;
  tl0::machine m(
      p, [](void* to, std::string_view line) { static_cast<std::string*>(to)->append(line); },
      &output);
  m.run(words);
  return output;
}

void expect_same_results(const std::filesystem::path& folder) {
  const std::vector<program_case> cases = cases_of(folder);
  ASSERT_GE(cases.size(), 12u);
  for (const program_case& c : cases) {
    const tl0::program p = program_in(c.file);
    const std::vector<study::word> words = study::words_of(p, c.arguments);
    const std::string wanted = reference_output(p, words);
    EXPECT_EQ(wanted.substr(0, wanted.find('\n')), c.prints) << c.file;
    for (const discipline how : study::kDisciplines)
      for (const bool first : {false, true})
        EXPECT_EQ(study::execute(p, words, how, {.first_ready_first = first, .sweep = std::nullopt})
                      .output,
                  wanted)
            << c.file << " by " << study::name_of(how);
  }
}

// Sums up what it gets, and looks whether each address is where its region is.
class checking_sink : public study::trace_sink {
 public:
  explicit checking_sink(const study::target_code& code) : code_(code) {}
  void take(std::span<const traced> part) override {
    for (const traced& t : part) {
      counts.accesses[static_cast<unsigned>(t.does)][static_cast<unsigned>(t.where)] += t.count;
      check(t);
    }
  }
  study::machine_counts counts;

 private:
  void check(const traced& t) const {
    const bool is_code = t.where == region::user_code || t.where == region::system_code;
    ASSERT_EQ(t.does == access::fetch, is_code);
    const std::uint32_t a = t.address;
    if (t.where == region::user_code) {
      ASSERT_TRUE(a >= code_.begin && a + 2 * t.count <= code_.end);
    } else if (t.where == region::system_code) {
      ASSERT_TRUE(a >= study::kSystemCodeAt && a + 2 * t.count <= code_.begin);
    } else if (t.where == region::queue) {
      ASSERT_TRUE(a >= study::kLowQueueAt && a < study::kSystemCodeAt);
    } else if (t.where == region::frame || t.where == region::heap) {
      ASSERT_GE(a, code_.end);
    }
    ASSERT_TRUE(is_code || a % study::kWordBytes == 0);
  }

  const study::target_code& code_;
};

}  // namespace

// main's frame is carved: 7 instructions, 3 reads, 1 write; its arguments are a message of 3 words.
// The inlet takes the frame (1), and its argument stays in the message; its thread stands behind
// it: SEND from the message (1), ffree (2, and 4 of the system), SUSPEND (1).
TEST(CountedMachine, CountsATinyProgramByMd) {
  const counts wanted = {{"fetch", {5, 0, 0, 11, 0, 0, 0}},
                         {"read", {0, 0, 0, 0, 0, 2, 4}},
                         {"write", {0, 0, 0, 0, 1, 3, 2}}};
  EXPECT_EQ(counted(kTiny, discipline::md, {"7"}), wanted);
}

// The frame gets a vector (6 more). The inlet takes the frame (1), moves the argument into it (2),
// posts (2, 7 of the system, and 3 for the queue of frames), suspends (1). The frame is swapped in
// (10). The thread has a window (2), sends from the frame (1), frees it (2, 4) and jumps (1).
TEST(CountedMachine, CountsATinyProgramByAm) {
  const counts wanted = {{"fetch", {12, 0, 0, 37, 0, 0, 0}},
                         {"read", {0, 1, 0, 0, 5, 2, 6}},
                         {"write", {0, 1, 0, 0, 9, 3, 4}}};
  EXPECT_EQ(counted(kTiny, discipline::am, {"7"}), wanted);
}

// In place of the window there is a guard around the jump to the routine that swaps frames.
TEST(CountedMachine, CountsATinyProgramByEnabledAm) {
  EXPECT_EQ(counted(kTiny, discipline::am_enabled, {"7"}), counted(kTiny, discipline::am, {"7"}));
}

TEST(CountedMachine, GivesTheResultsOfTl0) {
  expect_same_results(STUDY_SOURCE "/tests/tl0/programs");
}

TEST(CountedMachine, GivesTheResultsOfTl0ForTheStudysPrograms) {
  expect_same_results(STUDY_SOURCE "/apps/tam");
}

TEST(CountedMachine, TheTraceIsWhatIsCounted) {
  const tl0::program p = program_in(STUDY_SOURCE "/apps/tam/quicksort.tl0");
  for (const discipline how : study::kDisciplines) {
    const study::target_code code = study::lower(p, how);
    checking_sink sink(code);
    std::string output;
    study::counted_machine m(
        p, code, {.sink = &sink},
        [](void* to, std::string_view line) { static_cast<std::string*>(to)->append(line); },
        &output);
    m.run({40});
    EXPECT_EQ(sink.counts.accesses, m.counted().accesses) << study::name_of(how);
    EXPECT_GT(m.counted().instructions(), 10'000u);
  }
}

TEST(CountedMachine, QueuesGrowWithTheProgram) {
  const tl0::program p = program_in(STUDY_SOURCE "/tests/tl0/programs/fib.tl0");
  const study::outcome by_md =
      study::execute(p, study::words_of(p, {"15"}), discipline::md, {.sweep = std::nullopt});
  EXPECT_GT(by_md.queue_bytes, study::kQueueBytes);
  EXPECT_GT(by_md.counts.queue_bytes_max, by_md.queue_bytes / 2);
  EXPECT_EQ(by_md.output, "fib(15) = 610\n");
  EXPECT_EQ(study::execute(p, study::words_of(p, {"15"}), discipline::am, {.sweep = std::nullopt})
                .queue_bytes,
            study::kQueueBytes);
}

TEST(CountedMachine, SaysWhatGoesWrong) {
  const tl0::program p = program_in(STUDY_SOURCE "/tests/tl0/failing/second_write.tl0");
  EXPECT_THROW(static_cast<void>(study::execute(p, study::words_of(p, {"4"}), discipline::md,
                                                {.sweep = std::nullopt})),
               study::program_error);
  EXPECT_THROW(static_cast<void>(study::words_of(p, {"x"})), study::program_error);
  EXPECT_THROW(static_cast<void>(study::program_of("block main {", "x.tl0")), study::program_error);
}

// A cache of each shape for itself finds what the sweep does.
TEST(CacheSink, CountsAsOneCacheDoes) {
  const tl0::program p = program_in(STUDY_SOURCE "/apps/tam/paraffins.tl0");
  const study::cache_shape shape{4096, 2, 32};
  const study::outcome o =
      study::execute(p, study::words_of(p, {"8"}), discipline::am,
                     {.levels = study::cache_levels{shape, shape, {65536, 4, 64}}});
  EXPECT_EQ(o.caches->data().of(shape), o.caches->data_level());
  EXPECT_EQ(o.caches->code().of(shape).misses(), o.caches->code_level().misses());
  EXPECT_EQ(o.caches->code().of(shape).reads, o.counts.instructions());
}
