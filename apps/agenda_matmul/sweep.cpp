// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"
#include "../measured/memory.hpp"
#include "../measured/program.hpp"

namespace agenda_matmul {
namespace {

std::vector<row> rows_of(const options& o, std::uint64_t size) {
  std::vector<row> rows;
  for (const std::uint64_t ranks : o.ranks)
    for (const std::uint64_t granularity : o.granularities)
      for (const std::uint64_t concurrency : o.concurrencies)
        rows.push_back({.size = size,
                        .by = {.granularity = granularity,
                               .concurrency = static_cast<unsigned>(concurrency),
                               .ranks = static_cast<int>(ranks)}});
  return rows;
}

// Each rank holds B; the root holds A and C as well.
void check_memory(std::uint64_t size) {
  const double matrix_bytes = sizeof(double) * static_cast<double>(size * size);
  measured::check_memory((ramjet::rank() == measured::kRoot ? 3 : 1) * matrix_bytes,
                         fmt::format("matrices of {0} x {0} numbers", size), "--size");
}

void measure(const options& o, std::uint64_t size, const matrices& room, findings& found) {
  product p(size, measured::matrix_entries(o.seed), room, o.by);
  const auto checked = [&](const std::function<void()>& multiply) {
    p.clear();
    const double seconds = measured::seconds_together(multiply);
    found.wrong_rows += p.wrong_rows();
    return seconds;
  };
  std::vector<row> rows = rows_of(o, size);
  std::vector<std::function<double()>> ways = {
      [&] { return checked([&] { p.multiply_alone(); }); }};
  for (const row& r : rows) ways.emplace_back([&] { return checked([&] { p.multiply(r.by); }); });
  const std::vector<double> seconds = measured::medians_in_turn(o.repeats, ways);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].alone_seconds = seconds[0];
    rows[i].seconds = seconds[i + 1];
  }
  found.rows.insert(found.rows.end(), rows.begin(), rows.end());
  found.checksums.push_back(p.checksum());
}

}  // namespace

double row::gflops() const {
  const auto n = static_cast<double>(size);
  return 2 * n * n * n / seconds / 1e9;
}

findings sweep(const options& o) {
  const std::uint64_t largest = *std::max_element(o.sizes.begin(), o.sizes.end());
  check_memory(largest);
  const matrices room = make_room(largest * largest);
  if (room.a == nullptr)
    throw measured::failure(
        "no room for A and C in the segment of rank 0: make --size smaller, or "
        "RAMJET_SEGMENT_BYTES greater");
  findings found;
  for (const std::uint64_t size : o.sizes) measure(o, size, room, found);
  found.wrong_rows = measured::sum_over_ranks(found.wrong_rows);
  return found;
}

}  // namespace agenda_matmul
