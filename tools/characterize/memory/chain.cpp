// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/memory/chain.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "tools/characterize/stopwatch.hpp"

namespace characterize {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{64} << 10;
constexpr std::size_t kUnrolled = 8;

const std::byte* next_of(const std::byte* element) {
  const std::byte* next;
  std::memcpy(&next, element, sizeof next);
  return next;
}

// The compiler takes the value for used, and for any other afterwards.
template <class T>
void keep(T& value) {
  asm volatile("" : "+r"(value) : : "memory");
}

// Not inlined: its loop is the same code for all chains.
[[gnu::noinline]] const std::byte* follow(const std::byte* at, std::size_t eights) {
  for (std::size_t i = 0; i < eights; ++i) {
    at = next_of(next_of(next_of(next_of(at))));
    at = next_of(next_of(next_of(next_of(at))));
  }
  return at;
}

}  // namespace

offsets shuffled(std::size_t bytes, std::size_t step, random_bits& random) {
  std::vector<std::size_t> windows((bytes + kWindowBytes - 1) / kWindowBytes);
  std::iota(windows.begin(), windows.end(), std::size_t{0});
  std::shuffle(windows.begin(), windows.end(), random);
  offsets order;
  order.reserve(bytes / step);
  for (const std::size_t window : windows) {
    const std::size_t first = window * kWindowBytes;
    const std::size_t end = std::min(bytes, first + kWindowBytes);
    const auto before = std::ptrdiff_t(order.size());
    for (std::size_t at = first; at + step <= end; at += step) order.push_back(std::uint32_t(at));
    std::shuffle(order.begin() + before, order.end(), random);
  }
  return order;
}

chain::chain(const area& in, const offsets& order)
    : at_(in.begin() + order.front()), length_(order.size()) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::byte* next = in.begin() + order[(i + 1) % order.size()];
    std::memcpy(in.begin() + order[i], &next, sizeof next);
  }
  read_ns(length_);
}

double chain::read_ns(std::size_t reads) {
  const std::size_t eights = std::max<std::size_t>(reads / kUnrolled, 1);
  const stopwatch time;
  at_ = follow(at_, eights);
  keep(at_);
  return time.ns() / double(eights * kUnrolled);
}

double gather_ns(const area& in, const offsets& places, std::size_t reads) {
  const std::size_t rounds = std::max<std::size_t>(reads / places.size(), 1);
  std::uint64_t sum = 0;
  const stopwatch time;
  for (std::size_t i = 0; i < rounds; ++i) {
    for (const std::uint32_t place : places) {
      std::uint64_t value;
      std::memcpy(&value, in.begin() + place, sizeof value);
      sum += value;
    }
    keep(sum);
  }
  return time.ns() / double(rounds * places.size());
}

double write_ns(const area& in, std::size_t bytes, std::size_t stride, std::size_t writes) {
  const std::size_t round = std::max<std::size_t>(bytes / stride, 1);
  const std::size_t rounds = std::max<std::size_t>(writes / round, 1);
  std::uint64_t value = 1;
  const stopwatch time;
  for (std::size_t i = 0; i < rounds; ++i) {
    for (std::size_t k = 0; k < round; ++k) {
      keep(value);  // one store each, never a vector's
      std::memcpy(in.begin() + k * stride, &value, sizeof value);
    }
  }
  return time.ns() / double(rounds * round);
}

}  // namespace characterize
