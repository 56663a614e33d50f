// SPDX-License-Identifier: Apache-2.0
#include "product.hpp"

#include <algorithm>
#include <utility>

#include "../measured/program.hpp"

namespace agenda_matmul {
namespace {

constexpr std::uint64_t kVectors = 2;
constexpr std::uint64_t kFactorsBelow = 1 << 20;

bool is_master() { return ramjet::rank() == measured::kRoot; }

std::vector<double> times(const double* matrix, const std::vector<double>& vector) {
  const std::size_t n = vector.size();
  std::vector<double> result(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result[i] += matrix[i * n + j] * vector[j];
  return result;
}

}  // namespace

matrices make_room(std::size_t numbers) {
  matrices made;
  if (is_master()) {
    const auto allocate = [numbers] {
      return static_cast<double*>(ramjet::segment_allocate(numbers * sizeof(double)));
    };
    made.a = ramjet::global_ptr<double>(allocate());
    made.c = ramjet::global_ptr<double>(allocate());
    if (made.a == nullptr || made.c == nullptr) made = {};
  }
  measured::require(ramjet::broadcast(made, measured::kRoot));
  return made;
}

product::product(std::size_t n, const measured::matrix_entries& e, const matrices& room, kernel by)
    : n_(n), at_(room), by_(by), b_(n * n) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) b_[i * n + j] = e.b(i, j);
  if (is_master())
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) at_.a.local()[i * n + j] = e.a(i, j);
}

void product::multiply(const division& d) {
  const ramjet::agenda_options o{
      .granularity = d.granularity,
      .concurrency = ramjet::rank() < d.ranks ? d.concurrency : 0,
      .master = measured::kRoot,
  };
  measured::require(ramjet::run_agenda(n_, o, [this](std::size_t first, std::size_t last) {
    is_master() ? compute_here(first, last) : compute_for_master(first, last);
  }));
}

void product::multiply_alone() {
  if (is_master()) compute_here(0, n_);
}

void product::compute_here(std::size_t first, std::size_t last) {
  multiply_rows(by_, last - first, n_, at_.a.local() + first * n_, b_.data(),
                at_.c.local() + first * n_);
}

void product::compute_for_master(std::size_t first, std::size_t last) {
  rows mine;
  if (!spare_.empty()) {
    mine = std::move(spare_.back());
    spare_.pop_back();
  }
  const std::size_t numbers = (last - first) * n_, bytes = numbers * sizeof(double);
  const auto offset = static_cast<std::ptrdiff_t>(first * n_);
  mine.a.resize(std::max(mine.a.size(), numbers));
  mine.c.resize(mine.a.size());
  ramjet::bulk_get(mine.a.data(), at_.a + offset, bytes);
  measured::require(ramjet::sync_all());
  multiply_rows(by_, last - first, n_, mine.a.data(), b_.data(), mine.c.data());
  ramjet::bulk_put(at_.c + offset, mine.c.data(), bytes);
  measured::require(ramjet::sync_all());
  spare_.push_back(std::move(mine));
}

void product::clear() {
  if (is_master()) std::fill(at_.c.local(), at_.c.local() + n_ * n_, 0.0);
}

std::uint64_t product::wrong_rows() const {
  if (!is_master()) return 0;
  std::vector<bool> wrong(n_);
  for (std::uint64_t v = 0; v < kVectors; ++v) {
    measured::random_words words({v, n_});
    std::vector<double> x(n_);
    for (double& factor : x) factor = static_cast<double>(words.next_below(kFactorsBelow));
    const std::vector<double> expected = times(at_.a.local(), times(b_.data(), x));
    const std::vector<double> found = times(at_.c.local(), x);
    for (std::size_t i = 0; i < n_; ++i)
      if (!(found[i] == expected[i])) wrong[i] = true;
  }
  return static_cast<std::uint64_t>(std::count(wrong.begin(), wrong.end(), true));
}

std::uint64_t product::checksum() const {
  std::uint64_t sum = 0;
  if (!is_master()) return sum;
  const double* const c = at_.c.local();
  for (std::size_t at = 0; at < n_ * n_; ++at)
    sum += measured::scrambled(at) * static_cast<std::uint64_t>(static_cast<std::int64_t>(c[at]));
  return sum;
}

}  // namespace agenda_matmul
