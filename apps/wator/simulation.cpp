// SPDX-License-Identifier: Apache-2.0
#include "simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "../measured/measuring.hpp"
#include "../measured/new_file.hpp"
#include "../measured/random_words.hpp"
#include "sea.hpp"
#include "thinking.hpp"

namespace wator {
namespace {

constexpr int kRoot = measured::kRoot;

// The sea after each step, at the root: a line "wator WIDTH HEIGHT", then a byte for each cell. All
// of it is collective, and throws measured::failure in all ranks; nothing is done if no film is
// asked for.
class film {
 public:
  explicit film(const options& o) : path_(o.frames) {
    at_root([&] {
      file_.emplace(path_);
      check(file_->error());
      write(fmt::format("wator {} {}\n", o.sea.width, o.sea.height));
    });
  }
  void add(const sea& s, std::uint64_t half) {
    at_root([&] {
      std::string frame;
      for (const cell& c : s.gather(half)) frame += char('0' + int(c.what));
      write(frame);
    });
  }
  void finish() {
    at_root([this] { check(file_->finish()); });
  }

 private:
  template <class Step>
  void at_root(Step&& step) {
    if (path_.empty()) return;
    measured::agreed([&] {
      if (ramjet::rank() == kRoot) step();
    });
  }
  void write(const std::string& text) { check(file_->append(text.data(), text.size())); }
  void check(int error) const {
    if (error != 0)
      throw measured::failure(fmt::format("cannot write {}: {}", path_, std::strerror(error)));
  }

  std::string path_;
  std::optional<measured::new_file> file_;  // the root's
};

class simulation {
 public:
  explicit simulation(const options& o)
      : o_(o), sea_(o.sea), strip_(o.sea, sea_.first_row(), sea_.rows()), thoughts_(o.work_ns) {}

  // Returns how much this rank has computed.
  std::uint64_t half_step(kind mover, std::uint64_t half, outcome& into) {
    const std::uint64_t work = read_and_compute(mover, half, into.reads);
    into.happened = into.happened + strip_.move(mover, half, sea_.mine(half + 1));
    measured::require(ramjet::barrier());
    return work;
  }

  population count(std::uint64_t half) const {
    population p;
    for (const cell& c : own(half)) {
      p.fish += c.what == kind::fish;
      p.sharks += c.what == kind::shark;
    }
    return {measured::sum_over_ranks(p.fish), measured::sum_over_ranks(p.sharks)};
  }

  std::uint64_t checksum(std::uint64_t half) const {
    std::uint64_t sum = 0, place = sea_.first_row() * o_.sea.width;
    for (const cell& c : own(half))
      sum += measured::scrambled(place++) * (unsigned(c.what) | c.age << 8 | c.hunger << 16);
    return measured::sum_over_ranks(sum);
  }

  const sea& whole() const { return sea_; }

 private:
  std::span<const cell> own(std::uint64_t half) const {
    return {sea_.mine(half), sea_.rows() * o_.sea.width};
  }

  // One cell around the strip is read, then the movers in as large a part of the strip compute.
  std::uint64_t read_and_compute(kind mover, std::uint64_t half, waits& seen) {
    const std::size_t width = o_.sea.width, around = 2 * kReach * width;
    const std::span<const cell> cells = own(half);
    std::copy(cells.begin(), cells.end(), &strip_.at(kReach, 0));
    const std::uint64_t work_of_mover = mover == kind::shark ? o_.shark_work : 1;
    std::uint64_t work = 0;
    std::size_t computed = 0;
    for (std::size_t i = 0; i < around; ++i) {
      const std::size_t row = i / width;
      const std::size_t halo_row = row < kReach ? row : row + sea_.rows();
      strip_.at(halo_row, i % width) = read(half, strip_.row_of(halo_row), i % width, seen);
      for (const std::size_t end = cells.size() * (i + 1) / around; computed < end; ++computed) {
        if (cells[computed].what == mover) {
          thoughts_.think(computed, work_of_mover);
          work += work_of_mover;
        }
        if (o_.poll_every != 0 && computed % o_.poll_every == 0) ramjet::poll();
      }
    }
    return work;
  }

  cell read(std::uint64_t half, std::size_t row, std::size_t column, waits& seen) {
    using clock = std::chrono::steady_clock;
    if (sea_.owner_of(row) == ramjet::rank())
      return sea_.mine(half)[(row - sea_.first_row()) * o_.sea.width + column];
    const clock::time_point begin = clock::now();
    const cell c = o_.reads == way::message ? sea_.read_by_message(half, row, column)
                                            : sea_.read_by_pointer(half, row, column);
    seen.add(std::chrono::duration<double, std::nano>(clock::now() - begin).count());
    return c;
  }

  const options& o_;
  sea sea_;
  strip strip_;
  thinking thoughts_;
};

// Nobody comes from nowhere, and nobody vanishes.
void check(const population& before, const population& now, const tally& t, std::uint64_t step) {
  const std::uint64_t fish = before.fish + t.fish_born - t.fish_eaten;
  const std::uint64_t sharks = before.sharks + t.sharks_born - t.sharks_starved;
  if (now == population{fish, sharks}) return;
  throw measured::failure(
      fmt::format("after step {} there are {} fish and {} sharks, by what has happened {} and {}",
                  step, now.fish, now.sharks, fish, sharks));
}

std::uint64_t most_over_ranks(std::uint64_t value) {
  measured::require(
      ramjet::all_reduce(value, [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); }));
  return value;
}

tally sum_over_ranks(const tally& t) {
  return {measured::sum_over_ranks(t.fish_born), measured::sum_over_ranks(t.fish_eaten),
          measured::sum_over_ranks(t.sharks_born), measured::sum_over_ranks(t.sharks_starved)};
}

}  // namespace

outcome simulate(const options& o) {
  simulation s(o);
  film frames(o);
  measured::progress shown;
  outcome found;
  found.populations.push_back(s.count(0));
  frames.add(s.whole(), 0);
  measured::require(ramjet::barrier());
  for (std::uint64_t step = 0; step < o.steps; ++step) {
    shown.show([&] { return fmt::format("step {} of {}", step + 1, o.steps); });
    std::uint64_t fish_work = 0, shark_work = 0;
    found.seconds += measured::seconds_together([&] {
      fish_work = s.half_step(kind::fish, 2 * step, found);
      shark_work = s.half_step(kind::shark, 2 * step + 1, found);
    });
    found.work += measured::sum_over_ranks(fish_work + shark_work);
    found.work_busiest += most_over_ranks(fish_work) + most_over_ranks(shark_work);
    found.populations.push_back(s.count(2 * step + 2));
    check(found.populations.front(), found.populations.back(), sum_over_ranks(found.happened),
          step + 1);
    frames.add(s.whole(), 2 * step + 2);
  }
  frames.finish();
  found.happened = sum_over_ranks(found.happened);
  found.checksum = s.checksum(2 * o.steps);
  found.reads.add_up_ranks();
  measured::require(ramjet::barrier());
  return found;
}

}  // namespace wator
