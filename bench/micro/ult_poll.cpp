// SPDX-License-Identifier: Apache-2.0
// What blocked threads cost those that run: conditions that do not hold, tested pass by pass.
#include <array>
#include <memory>
#include <vector>

#include "micro/bare_threads.hpp"
#include "micro/bodies.hpp"
#include "micro/ult_bodies.hpp"

namespace bench {
namespace {

constexpr unsigned kConditions = 1000;
constexpr unsigned kPasses = 2000;

// What each thread waits for: not to be 0. Far apart, as variables of different things are.
struct alignas(kLineBytes) variable {
  std::atomic<unsigned> value{0};
};
std::array<variable, kConditions> variables;

std::uint64_t passes = 0;  // counted by a condition that is tested once in each

bool is_set(void* v) {
  return static_cast<variable*>(v)->value.load(std::memory_order_acquire) != 0;
}
bool count_pass(void* v) {
  ++passes;
  return is_set(v);
}

void wait_for_variable(unsigned i) { ult::wait_until(ult::value(variables[i].value) != 0u); }
void wait_for_test(unsigned i) { ult::wait_until(ult::test(is_set, &variables[i])); }
void wait_and_count(unsigned i) { ult::wait_until(ult::test(count_pass, &variables[i])); }

// ns for a condition, in the passes that come between `yields` yields of the one thread that runs.
double pass_ns(unsigned yields) {
  passes = 0;
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < yields; ++i) ult::this_thread::yield();
  const double all_ns = now_ns() - begin_ns;
  BENCH_CHECK(passes >= yields / 4, "conditions were not tested");
  return all_ns / double(passes) / kConditions;
}

double bare_variables_ns(unsigned count) {
  struct expected {
    const std::atomic<unsigned>* at;
    unsigned unwanted;
  };
  const auto list = std::make_unique<expected[]>(kConditions);
  for (unsigned i = 0; i < kConditions; ++i) list[i] = {&variables[i].value, 0};
  unsigned hits = 0;
  const double each = each_ns(count, [&] {
    memory_is_seen();
    for (unsigned i = 0; i < kConditions; ++i)
      if (list[i].at->load(std::memory_order_relaxed) != list[i].unwanted) [[unlikely]]
        ++hits;
  });
  BENCH_CHECK(hits == 0, "a condition of the limit held");
  return each / kConditions;
}

double bare_tests_ns(unsigned count) {
  struct call {
    bool (*function)(void*);
    void* argument;
  };
  const auto list = std::make_unique<call[]>(kConditions);
  for (unsigned i = 0; i < kConditions; ++i) list[i] = {is_set, &variables[i]};
  unsigned hits = 0;
  const double each = each_ns(count, [&] {
    memory_is_seen();
    for (unsigned i = 0; i < kConditions; ++i)
      if (list[i].function(list[i].argument)) [[unlikely]]
        ++hits;
  });
  BENCH_CHECK(hits == 0, "a condition of the limit held");
  return each / kConditions;
}

// All threads wait(i) but the last one, which counts the passes.
void measure_passes(solo& s, void (*wait)(unsigned), double (*limit)(unsigned)) {
  const running_workers one(s, {.workers = 1, .tests_per_pass = kConditions});
  s.note("conditions", kConditions);
  std::vector<ult::thread<>> threads;
  for (unsigned i = 0; i < kConditions; ++i)
    threads.push_back(ult::spawn(i + 1 < kConditions ? wait : wait_and_count, i));
  ult::this_thread::yield();
  const unsigned count = s.count(kPasses);
  s.measure([count] { return pass_ns(2 * count); }, [=] { return limit(count); });
  for (variable& v : variables) v.value.store(1, std::memory_order_release);
}

}  // namespace

void measure_ult_poll_1000(solo& s) { measure_passes(s, wait_for_variable, bare_variables_ns); }
void measure_ult_poll_1000_test(solo& s) { measure_passes(s, wait_for_test, bare_tests_ns); }

}  // namespace bench
