// SPDX-License-Identifier: Apache-2.0
// The main program of the conformance tests.
//
//   conformance [--seed=N] [--scale=X] [--endpoints=N] [--cores=enough|few]
//               [--threads=N] [--list] GROUP|GROUP.CASE ...
//
// --threads: the main program is a user-level thread, beside N that only yield.
// --cores: collectives choose their algorithms as if each rank had a core, or as if ranks
// outnumbered the cores, whatever this machine has.
#include "spmd.hpp"

#include "ramjet/ult.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "job/join.hpp"

namespace spmd {

settings given;

namespace {

std::atomic<const char*> running{"start-up"};
const char* skipped_why = nullptr;  // the case in progress

// The value of `--name=value`, nullptr if the word is another.
const char* value_of(const char* word, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : nullptr;
}

bool is_wanted(const test_case& c, const std::vector<std::string>& words) {
  const std::string full = std::string(c.group) + "." + c.name;
  for (const std::string& word : words)
    if (word == c.group || word == full) return true;
  return words.empty();
}

void list_cases() {
  for (const test_case& c : all_cases()) std::printf("%s.%s\n", c.group, c.name);
}

}  // namespace

std::vector<test_case>& all_cases() {
  static std::vector<test_case> cases;
  return cases;
}

bool add_case(const test_case& added) {
  all_cases().push_back(added);
  return true;
}

bool is_crowded() {
  switch (given.available) {
    case cores::one_each:
      return false;
    case cores::too_few:
      return true;
    case cores::as_they_are:
      break;
  }
  return ramjet::job::self().crowded;
}

std::size_t scaled(std::size_t count, std::size_t least) {
  const auto wanted = std::size_t(double(count) * given.scale);
  return wanted < least ? least : wanted;
}

void fail(const char* file, int line, const std::string& what) {
  const char* name = std::strrchr(file, '/');
  std::fprintf(stderr, "%s:%d: rank %d of %d, %s, seed %llu: not so: %s\n",
               name != nullptr ? name + 1 : file, line, ramjet::rank(), ramjet::size(),
               running.load(), static_cast<unsigned long long>(given.seed), what.c_str());
  std::fflush(nullptr);
  std::_Exit(1);
}

void skip(const char* why) { skipped_why = why; }

double disturbed_ms() {
  double ms = 0;
  unsigned long long ran_ns = 0, waited_ns = 0;
  if (std::FILE* own = std::fopen("/proc/thread-self/schedstat", "r")) {
    if (std::fscanf(own, "%llu %llu", &ran_ns, &waited_ns) == 2) ms += double(waited_ns) / 1e6;
    std::fclose(own);
  }
  unsigned long long stolen = 0;  // ticks: user, nice, system, idle, iowait, irq, softirq, steal
  if (std::FILE* all = std::fopen("/proc/stat", "r")) {
    if (std::fscanf(all, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &stolen) == 1)
      ms += double(stolen) * 1000 / double(::sysconf(_SC_CLK_TCK));
    std::fclose(all);
  }
  return ms;
}

namespace {

// Calls part(first index, count, first byte) for each row of byte_at's bytes, of which compilers
// take many at a time.
template <class Part>
void for_each_row(std::size_t count, std::uint64_t key, Part part) {
  for (std::size_t first = 0; first < count; first += kRowBytes)
    part(first, std::min(kRowBytes, count - first), byte_at(key, first));
}

}  // namespace

void fill(void* to, std::size_t count, std::uint64_t key) {
  auto* bytes = static_cast<std::uint8_t*>(to);
  for_each_row(count, key, [bytes](std::size_t first, std::size_t row, std::uint8_t value) {
    for (std::size_t i = 0; i < row; ++i) bytes[first + i] = std::uint8_t(value + i * 7);
  });
}

std::size_t first_wrong(const void* from, std::size_t count, std::uint64_t key) {
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  std::uint8_t differences = 0;
  for_each_row(count, key, [&](std::size_t first, std::size_t row, std::uint8_t value) {
    for (std::size_t i = 0; i < row; ++i)
      differences |= std::uint8_t(bytes[first + i] ^ std::uint8_t(value + i * 7));
  });
  if (differences == 0) return count;
  std::size_t i = 0;
  while (bytes[i] == byte_at(key, i)) ++i;
  return i;
}

namespace {

int run_all(const std::vector<std::string>& words) {
  unsigned count = 0, skipped = 0;
  for (const test_case& c : all_cases()) {
    if (!is_wanted(c, words)) continue;
    const std::string name = std::string(c.group) + "." + c.name;
    running = name.c_str();
    skipped_why = nullptr;
    c.run();
    EXPECT_OK(ramjet::barrier());
    running = "between two cases";
    ++(skipped_why == nullptr ? count : skipped);
    if (ramjet::rank() != 0) continue;
    if (skipped_why == nullptr) {
      std::printf("passed %s\n", name.c_str());
    } else {
      std::printf("skipped %s: %s\n", name.c_str(), skipped_why);
    }
  }
  if (ramjet::rank() == 0)
    std::printf("%u cases passed, %u skipped, %d ranks\n", count, skipped, ramjet::size());
  return count != 0 ? 0 : 2;
}

// The cases run in the main program as ever, but under the scheduler of user-level threads, and
// with given.threads more that always want the processor.
int run_among_threads(const std::vector<std::string>& words) {
  if (given.threads < 0) return run_all(words);
  ramjet::ult::start();
  std::atomic<bool> over = false;  // main: the others, at whatever worker, are to end
  std::vector<ramjet::ult::thread<>> busy;
  for (int i = 0; i < given.threads; ++i)
    busy.push_back(ramjet::ult::spawn([&over] {
      while (!over) ramjet::ult::this_thread::yield();
    }));
  const int result = run_all(words);
  over = true;
  busy.clear();
  return result;
}

}  // namespace
}  // namespace spmd

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a case that hangs is seen to be the next
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    if (const char* seed = spmd::value_of(argv[i], "--seed")) {
      spmd::given.seed = std::strtoull(seed, nullptr, 10);
    } else if (const char* scale = spmd::value_of(argv[i], "--scale")) {
      spmd::given.scale = std::atof(scale);
    } else if (const char* endpoints = spmd::value_of(argv[i], "--endpoints")) {
      spmd::given.endpoints = unsigned(std::atoi(endpoints));
    } else if (const char* threads = spmd::value_of(argv[i], "--threads")) {
      spmd::given.threads = std::atoi(threads);
    } else if (const char* cores = spmd::value_of(argv[i], "--cores")) {
      spmd::given.available =
          std::strcmp(cores, "enough") == 0 ? spmd::cores::one_each : spmd::cores::too_few;
    } else if (std::strcmp(argv[i], "--list") == 0) {
      spmd::list_cases();
      return 0;
    } else {
      words.emplace_back(argv[i]);
    }
  }
  ramjet::options wanted;
  wanted.endpoints = spmd::given.endpoints;
  ramjet::init(argc, argv, wanted);
  ramjet::job::set_oversubscribed_for_tests(spmd::is_crowded());
  if (ramjet::rank() == 0)
    std::printf("seed %llu\n", static_cast<unsigned long long>(spmd::given.seed));
  const int result = spmd::run_among_threads(words);
  ramjet::finalize();
  return result;
}
