// SPDX-License-Identifier: Apache-2.0
// Vectors and masks that are in registers over a switch, in a file that is compiled for them.
#include "wide_registers.hpp"

#if !defined(__x86_64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "workers.hpp"

bool has_wide_registers() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq");
#else
  return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0;
#endif
}

namespace {

constexpr int kTries = 100;

// Two threads in turn, each with values of its own in the registers.
template <class F>
void expect_the_same_in_turns(const F& compute) {
  const auto first = compute(1), second = compute(2);  // alone
  ASSERT_NE(first, second);
  const auto other = ult::spawn([&] {
    for (int i = 0; i < kTries; ++i) EXPECT_EQ(compute(2), second);
  });
  for (int i = 0; i < kTries; ++i) EXPECT_EQ(compute(1), first);
  other.join();
}

TEST(registers, keep_wide_vectors) {
  if (!has_wide_registers()) GTEST_SKIP() << "this processor has none";
  wide_numbers numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = double(i);
  expect_the_same_in_turns([&](int which) { return sum_over_a_yield(numbers, which); });
}

TEST(registers, keep_masks) {
  if (!has_wide_registers()) GTEST_SKIP() << "this processor has none";
  wide_bytes bytes{};
  bytes.fill(3);
  std::fill_n(bytes.begin(), 64, static_cast<unsigned char>(1));
  expect_the_same_in_turns(
      [&](int which) { return count_over_a_yield(bytes, static_cast<unsigned char>(which)); });
}

}  // namespace
