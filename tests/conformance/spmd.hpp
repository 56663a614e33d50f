// SPDX-License-Identifier: Apache-2.0
// A tiny framework for tests that run as a job: every rank runs the same cases in the same order,
// and the first expectation that fails ends the job with one line that names rank, case and place.
//
//   SPMD_CASE(short_messages, arrive_in_order) { ... EXPECT(count == 100); }
//
// A case starts and ends in a barrier and leaves nothing in flight. Main thread only, but EXPECT is
// for any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace spmd {

struct test_case {
  const char* group;
  const char* name;
  void (*run)();
};
std::vector<test_case>& all_cases();
bool add_case(const test_case& added);

// What collectives choose their algorithms by.
enum class cores { as_they_are, one_each, too_few };

// From the command line.
struct settings {
  std::uint64_t seed = 1;
  double scale = 1;  // of the numbers of messages
  unsigned endpoints = 1;
  cores available = cores::as_they_are;
  int threads = -1;
};
extern settings given;

// Whether collectives choose as if ranks outnumbered the cores.
bool is_crowded();

// `count`, scaled by the command line; at least `least`.
std::size_t scaled(std::size_t count, std::size_t least = 1);

// What a case says that cannot apply to this job: it counts as skipped, and a job in which every
// case is skipped fails. The same at all ranks: `if (...) return spmd::skip("...");`
void skip(const char* why);

// Milliseconds that this thread was ready to run and had no processor, and those that the host took
// from this machine: what a late answer is not to blame for.
double disturbed_ms();

// Time, by the clock and without what disturbed_ms() counts.
class stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(clock::now() - begin_).count();
  }
  double disturbed() const { return disturbed_ms() - disturbed_; }
  double undisturbed() const { return ms() - disturbed(); }

 private:
  using clock = std::chrono::steady_clock;
  clock::time_point begin_ = clock::now();
  double disturbed_ = disturbed_ms();
};

[[noreturn]] void fail(const char* file, int line, const std::string& what);

inline int rank() { return ramjet::rank(); }
inline int size() { return ramjet::size(); }
inline int right() { return (rank() + 1) % size(); }

// splitmix64: a sequence for every seed, the same on all machines.
class random {
 public:
  explicit random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

inline constexpr std::size_t kRowBytes = 251;  // in which each byte is 7 more than the one before
// The byte at `index` of the payload with number `key`; a repeated or shifted payload shows.
inline std::uint8_t byte_at(std::uint64_t key, std::size_t index) {
  return std::uint8_t((key * 0x9e3779b97f4a7c15 >> 32) + index * 7 + index / kRowBytes);
}
void fill(void* to, std::size_t count, std::uint64_t key);
// The index of the first wrong byte, `count` if all are right.
std::size_t first_wrong(const void* from, std::size_t count, std::uint64_t key);

// FNV-1a over words.
inline std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  return (hash ^ word) * 0x100000001b3;
}

template <class A, class B>
void expect_equal(const A& a, const B& b, const char* text, const char* file, int line) {
  if (a == b) [[likely]]
    return;
  fail(file, line, std::string(text) + " (" + std::to_string(a) + ", " + std::to_string(b) + ")");
}

template <class A, class B>
void expect_below(const A& a, const B& b, const char* text, const char* file, int line) {
  if (a < b) [[likely]]
    return;
  fail(file, line, std::string(text) + " (" + std::to_string(a) + ", " + std::to_string(b) + ")");
}

}  // namespace spmd

#define EXPECT(condition) ((condition) ? void() : ::spmd::fail(__FILE__, __LINE__, #condition))
#define EXPECT_EQUAL(a, b) ::spmd::expect_equal(a, b, #a " == " #b, __FILE__, __LINE__)
#define EXPECT_BELOW(a, b) ::spmd::expect_below(a, b, #a " < " #b, __FILE__, __LINE__)
#define EXPECT_OK(expression) EXPECT((expression) == ::ramjet::status::ok)

#define SPMD_CASE(group, name)                                \
  static void group##_##name();                               \
  [[maybe_unused]] static const bool group##_##name##_added = \
      ::spmd::add_case({#group, #name, &group##_##name});     \
  static void group##_##name()
