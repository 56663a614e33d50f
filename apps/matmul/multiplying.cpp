// SPDX-License-Identifier: Apache-2.0
#include "multiplying.hpp"

#include <algorithm>
#include <utility>

namespace matmul {
namespace {

std::size_t ranks() { return static_cast<std::size_t>(ramjet::size()); }
std::size_t rank() { return static_cast<std::size_t>(ramjet::rank()); }

// DAXPY: the inner loop of everything here. Not inlined, so that it is the same code everywhere.
__attribute__((noinline)) void add_multiple(double* __restrict into,
                                            const double* __restrict column, double factor,
                                            std::size_t n) {
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n; ++i) into[i] += column[i] * factor;
}

}  // namespace

product::product(const shape& s, const measured::matrix_entries& e, room_for_a room)
    : s_(s), a_(room), b_(s.columns * s.terms), c_(s.columns * s.n), current_(s.n), next_(s.n) {
  double* mine = a_.local();
  for (std::size_t j = first_column(); j < first_column() + terms_per_rank(); ++j)
    for (std::size_t i = 0; i < s_.n; ++i) *mine++ = e.a(i, j);
  for (std::size_t k = 0; k < s_.columns; ++k)
    for (std::size_t j = 0; j < s_.terms; ++j)
      b_[k * s_.terms + j] = e.b(j, rank() * s_.columns + k);
  expected_ = serial_product(e);
}

std::size_t product::terms_per_rank() const { return s_.terms / ranks(); }
std::size_t product::first_column() const { return rank() * terms_per_rank(); }

ramjet::global_ptr<const double> product::column_of_a(std::size_t j) const {
  const std::size_t owner = j / terms_per_rank();
  return ramjet::global_ptr<double>(static_cast<int>(owner),
                                    a_.local() + (j - owner * terms_per_rank()) * s_.n);
}

void product::fetch(std::vector<double>& into, std::size_t j) const {
  ramjet::bulk_get(into.data(), column_of_a(j), s_.n * sizeof(double));
}

void product::add_rank_1_update(const std::vector<double>& column, std::size_t j) {
  for (std::size_t k = 0; k < s_.columns; ++k)
    add_multiple(c_.data() + k * s_.n, column.data(), b_[k * s_.terms + j], s_.n);
}

void product::multiply() {
  const std::size_t first = first_column();  // so that ranks begin with different columns
  fetch(next_, first);
  for (std::size_t j = first, done = 0; done < s_.terms; ++done) {
    ramjet::sync_all();
    std::swap(current_, next_);
    const std::size_t following = j + 1 == s_.terms ? 0 : j + 1;
    if (following != first) fetch(next_, following);
    add_rank_1_update(current_, j);
    j = following;
  }
}

void product::compute_only() {
  for (std::size_t j = 0; j < s_.terms; ++j) {
    std::swap(current_, next_);
    add_rank_1_update(current_, j);
  }
}

void product::get_only() {
  for (std::size_t j = first_column(), done = 0; done < s_.terms; ++done) {
    fetch(next_, j);
    ramjet::sync_all();
    std::swap(current_, next_);
    j = j + 1 == s_.terms ? 0 : j + 1;
  }
}

void product::clear() { std::fill(c_.begin(), c_.end(), 0.0); }

std::vector<double> product::serial_product(const measured::matrix_entries& e) const {
  std::vector<std::int64_t> sums(c_.size());
  for (std::size_t j = 0; j < s_.terms; ++j) {
    for (std::size_t i = 0; i < s_.n; ++i) {
      const int a = e.a(i, j);
      for (std::size_t k = 0; k < s_.columns; ++k)
        sums[k * s_.n + i] += a * e.b(j, rank() * s_.columns + k);
    }
  }
  return {sums.begin(), sums.end()};
}

std::uint64_t product::wrong() const {
  std::uint64_t wrong = 0;
  for (std::size_t at = 0; at < c_.size(); ++at) wrong += c_[at] != expected_[at];
  return wrong;
}

std::uint64_t product::checksum() const {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < c_.size(); ++at)
    sum += measured::scrambled(rank() * c_.size() + at) *
           static_cast<std::uint64_t>(static_cast<std::int64_t>(c_[at]));
  return sum;
}

}  // namespace matmul
