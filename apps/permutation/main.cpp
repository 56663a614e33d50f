// SPDX-License-Identifier: Apache-2.0
// permutation: a random permutation over all ranks, by throwing darts. See README.md.
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/batches.hpp"
#include "../measured/memory.hpp"
#include "../measured/ownership.hpp"
#include "../measured/random_words.hpp"
#include "../measured/ways.hpp"

namespace permutation {
namespace {

using measured::require;
using number = std::uint32_t;

constexpr number kEmpty = UINT32_MAX;
constexpr std::uint64_t kPlacesPerNumber = 2;
constexpr std::size_t kBatchBytes = 4096;

enum class way { natural, batched };
constexpr std::array kWays{way::natural, way::batched};
const char* name_of(way w) { return w == way::natural ? "natural" : "batched"; }

struct options {
  std::uint64_t numbers = 1'000'000;
  std::uint64_t seed = 1;
  std::vector<way> ways{kWays.begin(), kWays.end()};
  std::uint64_t repeats = 5;
  bool serial = true;
  bool json = false;
};

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "permutation",
      "Makes a random permutation over all ranks by throwing each number at random places of a\n"
      "larger table until one is free, in two ways, beside a serial shuffle. It reads no file:\n"
      "transpose --permute --file FILE permutes the rows and columns of a matrix.\n",
      "Examples:\n"
      "  ramjet run -n 2 permutation --numbers 1e7\n"
      "  ramjet run -n 4 permutation --ways natural --no-serial --json\n");
  line.number("--numbers", o.numbers, {.most = UINT32_MAX / 2}, "how many are permuted");
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX}, "of the throws");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each throw, gathered by the library; batched, the same by "
             "hand, 4 KiB a message");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  measured::read_line(line, argc, argv, o, "no serial shuffle at one rank beside it");
  return o;
}

// A number on its way to a place.
struct dart {
  number place, thrown;
};

// One a rank: its handlers find it. Numbers and places lie over the ranks by blocks.
class thrower {
 public:
  explicit thrower(const options& o);
  ~thrower() { here_ = nullptr; }
  thrower(const thrower&) = delete;
  thrower& operator=(const thrower&) = delete;

  // This rank's part of a permutation. Collective.
  std::vector<number> permute(way w);

 private:
  struct handlers {
    // Its messages are aggregated by the library, as it takes them by blocks.
    static void on_dart(std::span<const dart> all) {
      for (const dart d : all) here_->stick_somewhere(d);
    }
    static void on_batch(ramjet::payload all) {
      for (const dart d : all.as<const dart>())
        if (!here_->sticks(d)) here_->missed_.push_back(d.thrown);
    }
  };

  number random_place() {
    return static_cast<number>(words_.next_below(kPlacesPerNumber * numbers_count_));
  }
  bool sticks(dart d) {
    number& place = table_[d.place - first_place_];
    if (place != kEmpty) return false;
    place = d.thrown;
    return true;
  }
  bool is_mine(number place) const { return place - first_place_ < table_.size(); }
  // Here, or on the way to another rank.
  void stick_somewhere(dart d) {
    while (!sticks(d)) {
      d.place = random_place();
      if (is_mine(d.place)) continue;
      // That a rank has died is told to the main program.
      static_cast<void>(ramjet::chain<&handlers::on_dart>(places_.owner_of(d.place), d));
      return;
    }
  }
  void by_hand(std::vector<number> thrown);

  static inline thrower* here_ = nullptr;

  std::uint64_t numbers_count_;
  measured::ownership numbers_, places_;
  std::uint64_t first_place_;
  std::vector<number> table_;
  std::vector<number> missed_;  // of batched: numbers that hit a taken place of this rank
  measured::random_words words_;
  measured::batches<dart> batches_;
};

thrower::thrower(const options& o)
    : numbers_count_(o.numbers),
      numbers_(o.numbers, ramjet::size()),
      places_(kPlacesPerNumber * o.numbers, ramjet::size()),
      first_place_(places_.begin_of(ramjet::rank())),
      table_(places_.begin_of(ramjet::rank() + 1) - first_place_),
      words_({o.seed, static_cast<std::uint64_t>(ramjet::rank())}),
      batches_(kBatchBytes) {
  here_ = this;
  require(ramjet::barrier());
}

std::vector<number> thrower::permute(way w) {
  std::fill(table_.begin(), table_.end(), kEmpty);
  const std::uint64_t begin = numbers_.begin_of(ramjet::rank());
  std::vector<number> mine(numbers_.begin_of(ramjet::rank() + 1) - begin);
  std::iota(mine.begin(), mine.end(), static_cast<number>(begin));
  require(ramjet::barrier());  // a dart finds an empty table
  if (w == way::natural) {
    for (const number n : mine) {
      const dart d{random_place(), n};
      require(ramjet::request<&handlers::on_dart>(places_.owner_of(d.place), d));
    }
    require(ramjet::quiesce());
  } else {
    by_hand(std::move(mine));
  }
  std::vector<number> stuck;
  stuck.reserve(table_.size());
  std::copy_if(table_.begin(), table_.end(), std::back_inserter(stuck),
               [](number n) { return n != kEmpty; });
  return stuck;
}

// A round ends when all darts have hit something; those that hit a taken place are thrown again by
// the rank that has it.
void thrower::by_hand(std::vector<number> thrown) {
  while (measured::sum_over_ranks(thrown.size()) > 0) {
    for (const number n : thrown) {
      const dart d{random_place(), n};
      batches_.add<&handlers::on_batch>(places_.owner_of(d.place), d);
    }
    batches_.flush<&handlers::on_batch>();
    require(ramjet::quiesce());
    thrown.clear();
    std::swap(thrown, missed_);
  }
}

// By one rank, without a message: the limit. (Fisher and Yates 1938)
void shuffle_serially(std::span<number> all, std::uint64_t seed) {
  measured::random_words words({seed});
  std::iota(all.begin(), all.end(), number{0});
  for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[words.next_below(k)]);
}

// What all numbers come to, in whatever order.
std::uint64_t checksum_of(std::span<const number> numbers) {
  std::uint64_t sum = 0;
  for (const number n : numbers) sum += measured::scrambled(n + std::uint64_t{1});
  return sum;
}

class measuring {
 public:
  explicit measuring(const options& o) : o_(o), thrower_(o) {
    const measured::ownership owners(o.numbers, ramjet::size());
    std::uint64_t due = 0;
    for (std::uint64_t n = owners.begin_of(ramjet::rank()); n < owners.begin_of(ramjet::rank() + 1);
         ++n)
      due += measured::scrambled(n + 1);
    due_ = measured::sum_over_ranks(due);
    if (o.serial && ramjet::rank() == measured::kRoot) whole_.resize(o.numbers);
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, o_.numbers, [this](way w) { return seconds_of(w); },
        [this] { return seconds_of_serial(); });
  }
  std::uint64_t checksum() const { return due_; }

 private:
  double seconds_of(way w) {
    std::vector<number> found;
    const double seconds = measured::seconds_together([&] { found = thrower_.permute(w); });
    check(name_of(w), found);
    return seconds;
  }
  double seconds_of_serial() {
    const double seconds = measured::seconds_together([&] { shuffle_serially(whole_, o_.seed); });
    check("serial", whole_);
    return seconds;
  }
  void check(const char* name, std::span<const number> found) const {
    if (measured::sum_over_ranks(found.size()) != o_.numbers ||
        measured::sum_over_ranks(checksum_of(found)) != due_)
      throw measured::failure(fmt::format("{}: not each number is there once", name));
  }

  const options& o_;
  thrower thrower_;
  std::uint64_t due_ = 0;
  std::vector<number> whole_;  // the serial program's, at the root
};

void run(const options& o) {
  // Of a number: its places, and the number where it is found.
  constexpr std::size_t kBytes = (kPlacesPerNumber + 1) * sizeof(number);
  measured::check_memory(static_cast<double>(kBytes * o.numbers) / ramjet::size(),
                         fmt::format("{} numbers", o.numbers), "--numbers");
  measuring all(o);
  const measured::speeds speeds = all.speeds();
  std::string text;
  if (o.json) {
    console::json object = {{"ranks", ramjet::size()},
                            {"numbers", o.numbers},
                            {"seed", o.seed},
                            {"repeats", o.repeats}};
    add_speeds(object, speeds, "numbers_per_s");
    object["checksum"] = fmt::format("{:016x}", all.checksum());
    text = object.dump() + "\n";
  } else {
    text = fmt::format("{} numbers over {} rank{}, {} places for each\n\n", o.numbers,
                       ramjet::size(), ramjet::size() == 1 ? "" : "s", kPlacesPerNumber) +
           text_of(speeds, "numbers") +
           fmt::format("\nEach number is there once: checksum {:016x}.\n", all.checksum());
  }
  measured::print_at_root(text);
}

}  // namespace
}  // namespace permutation

int main(int argc, char** argv) {
  return measured::run({"permutation", "--numbers"}, argc, argv,
                       [&] { permutation::run(permutation::read_options(argc, argv)); });
}
