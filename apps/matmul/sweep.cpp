// SPDX-License-Identifier: Apache-2.0
#include "sweep.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"
#include "../measured/memory.hpp"
#include "../measured/program.hpp"

namespace matmul {
namespace {

// As much work for any number of columns, with as many columns of A at each rank.
shape shape_of(const options& o, std::uint64_t columns) {
  const auto ranks = static_cast<std::uint64_t>(ramjet::size());
  const std::uint64_t terms_per_rank =
      std::max<std::uint64_t>(1, (o.terms / columns + ranks / 2) / ranks);
  return {.n = o.n, .terms = terms_per_rank * ranks, .columns = columns};
}

// A rank holds its columns of A, B, C and of the expected C.
void check_memory(const shape& s) {
  const auto n = static_cast<double>(s.n), terms = static_cast<double>(s.terms),
             columns = static_cast<double>(s.columns);
  measured::check_memory(
      sizeof(double) * (n * terms / ramjet::size() + columns * terms + 2 * columns * n),
      fmt::format("{} rows, {} terms and {} columns a rank", s.n, s.terms, s.columns),
      "--n, --columns or --terms");
}

row measure(const shape& s, const options& o, room_for_a room) {
  product p(s, measured::matrix_entries(o.seed), room);
  row r{.of = s};
  const auto whole = [&] {
    p.clear();
    const double seconds = measured::seconds_together([&] { p.multiply(); });
    r.wrong += p.wrong();
    r.checksum = p.checksum();
    return seconds;
  };
  const std::vector<double> seconds = measured::medians_in_turn(
      o.repeats, {whole, [&] { return measured::seconds_together([&] { p.compute_only(); }); },
                  [&] { return measured::seconds_together([&] { p.get_only(); }); }});
  r.seconds = seconds[0];
  r.multiply_add_ns = seconds[1] * 1e9 / static_cast<double>(s.n * s.terms * s.columns);
  r.get_ns = seconds[2] * 1e9 / static_cast<double>(s.terms);
  r.wrong = measured::sum_over_ranks(r.wrong);
  r.checksum = measured::sum_over_ranks(r.checksum);
  return r;
}

}  // namespace

double row::compute_ns() const { return static_cast<double>(of.n * of.columns) * multiply_add_ns; }
double row::ns() const { return seconds * 1e9 / static_cast<double>(of.terms); }
double row::gflops() const { return 2 * static_cast<double>(of.n * of.columns) / ns(); }
double row::utilisation() const { return compute_ns() / ns(); }
double row::utilisation_by_model() const {
  const double overhead_ns = get_ns, latency_ns = get_ns;
  return compute_ns() / std::max(compute_ns() + overhead_ns, latency_ns);
}
double row::get_share() const { return get_ns / ns(); }
double row::get_share_by_model() const { return get_ns / (compute_ns() + get_ns); }

std::vector<row> sweep(const options& o) {
  for (const std::uint64_t m : o.columns) check_memory(shape_of(o, m));
  std::size_t numbers = 0;  // of A at a rank, at most
  for (const std::uint64_t m : o.columns) numbers = std::max(numbers, shape_of(o, m).terms * o.n);
  numbers /= static_cast<std::size_t>(ramjet::size());
  const auto blocks = static_cast<std::size_t>(ramjet::size());
  const room_for_a room(ramjet::all_spread_malloc(blocks, numbers * sizeof(double)));
  if (!room)
    throw measured::failure(
        "no room for A in the ranks' segments: make --n or --terms smaller, or "
        "RAMJET_SEGMENT_BYTES greater");
  std::vector<row> rows;
  for (const std::uint64_t m : o.columns) {
    rows.push_back(measure(shape_of(o, m), o, room));
    measured::require(ramjet::barrier());  // nobody reads this A any more
  }
  return rows;
}

}  // namespace matmul
