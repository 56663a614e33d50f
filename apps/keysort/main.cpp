// SPDX-License-Identifier: Apache-2.0
// keysort: random keys over all ranks in ascending order. See README.md.
#include <algorithm>

#include <fmt/format.h>

#include "../measured/agreeing.hpp"
#include "../measured/memory.hpp"
#include "../measured/random_words.hpp"
#include "../measured/ways.hpp"
#include "sorting.hpp"

namespace keysort {
namespace {

struct options {
  std::uint64_t keys = 10'000'000;  // of all ranks
  std::uint64_t seed = 1;
  std::uint64_t skew = 0;
  std::vector<way> ways{kWays.begin(), kWays.end()};
  std::uint64_t repeats = 5;
  bool serial = true;
  bool json = false;
};

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "keysort",
      "Sorts random keys of 64 bits over all ranks, in several ways, beside a serial program.\n"
      "Every order is checked.\n",
      "Examples:\n"
      "  ramjet run -n 2 keysort --keys 1e8            800 MB of keys\n"
      "  ramjet run -n 4 keysort --ways natural --skew 3 --no-serial --json\n");
  line.number("--keys", o.keys, {.most = 100'000'000'000}, "keys of all ranks");
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX}, "of the keys");
  line.number("--skew", o.skew, {.least = 0, .most = 63},
              "each key is shifted right by a random number of bits up to this");
  line.names("--ways", kWays, o.ways,
             "natural, a message for each key, gathered by the library; batched, the same by hand, "
             "8 KiB a message; exchanged, put into buckets and exchanged at once; stored, each "
             "where it belongs");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  measured::read_line(line, argc, argv, o,
                      "no serial program beside it: one rank has all keys for it");
  return o;
}

// Key k of all, the same for any number of ranks.
key key_at(const options& o, std::uint64_t k) {
  measured::random_words words({o.seed, k});
  const key whole = words.next();
  return whole >> words.next_below(o.skew + 1);
}

std::vector<key> keys_of_this_rank(const options& o) {
  const auto ranks = static_cast<std::uint64_t>(ramjet::size());
  std::vector<key> keys;
  keys.reserve(o.keys / ranks + 1);
  for (auto k = static_cast<std::uint64_t>(ramjet::rank()); k < o.keys; k += ranks)
    keys.push_back(key_at(o, k));
  return keys;
}

// Of keys in whatever order; those of several ranks add up.
std::uint64_t checksum_of(std::span<const key> keys) {
  std::uint64_t sum = 0;
  for (const key k : keys) sum += measured::scrambled(k ^ 0x5047);
  return sum;
}

double gigabytes(std::uint64_t bytes) { return static_cast<double>(bytes) * 1e-9; }

// Says what it takes before anything is taken. Throws measured::failure in all ranks if a machine
// has not as much. Collective.
std::uint64_t state_memory(const options& o) {
  const std::uint64_t rank = memory_bytes(o.keys, ramjet::size(), false),
                      root = memory_bytes(o.keys, ramjet::size(), o.serial);
  measured::agreed([&] {
    const bool with_root = ramjet::node_of(measured::kRoot) == ramjet::node_of(ramjet::rank());
    const auto here = static_cast<std::uint64_t>(measured::ranks_here());
    const std::uint64_t needed = here * rank + (with_root ? root - rank : 0);
    if (needed > measured::free_memory())
      throw measured::failure(fmt::format(
          "{} keys take {:.1f} GB on this machine, which has {:.1f} GB for them: ask for fewer "
          "by --keys{}",
          o.keys, gigabytes(needed), gigabytes(measured::free_memory()),
          o.serial ? ", or try --no-serial" : ""));
    if (!o.json)
      measured::print_at_root(fmt::format(
          "{} keys of 64 bits over {} rank{}: {:.3f} GB in rank 0, {:.3f} GB in each other\n",
          o.keys, ramjet::size(), ramjet::size() == 1 ? "" : "s", gigabytes(root),
          gigabytes(rank)));
  });
  return rank;
}

class measuring {
 public:
  explicit measuring(const options& o)
      : o_(o), keys_(keys_of_this_rank(o)), sorter_(keys_), due_(checksum_of(keys_)) {
    due_ = measured::sum_over_ranks(due_);
    if (!o.serial || ramjet::rank() != measured::kRoot) return;
    for (std::uint64_t k = 0; k < o.keys; ++k) whole_.push_back(key_at(o, k));
    whole_sorted_.resize(whole_.size());
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, o_.keys, [this](way w) { return seconds_of(w); },
        [this] { return seconds_of_serial(); });
  }
  std::uint64_t checksum() const { return due_; }

 private:
  double seconds_of(way w) {
    const double seconds = measured::seconds_together([&] { sorter_.sort(w); });
    check(name_of(w), sorter_.sorted());
    return seconds;
  }
  double seconds_of_serial() {
    const double seconds =
        measured::seconds_together([&] { sort_serially(whole_, whole_sorted_); });
    check("serial", whole_sorted_);
    return seconds;
  }
  // Each rank's keys are in order, no rank has a lesser one than a rank before it, and all are
  // there.
  void check(const char* name, std::span<const key> mine) const {
    struct ends {
      key first, last;
      bool any;
    } own{mine.empty() ? 0 : mine.front(), mine.empty() ? 0 : mine.back(), !mine.empty()};
    std::vector<ends> all(static_cast<std::size_t>(ramjet::size()));
    measured::require(ramjet::all_gather(own, all.data()));
    bool wrong = !std::is_sorted(mine.begin(), mine.end());
    key before = 0;
    for (const ends& e : all) {
      wrong = wrong || (e.any && e.first < before);
      if (e.any) before = e.last;
    }
    if (measured::sum_over_ranks(wrong) > 0 || measured::sum_over_ranks(mine.size()) != o_.keys ||
        measured::sum_over_ranks(checksum_of(mine)) != due_)
      throw measured::failure(fmt::format("{}: the keys are not sorted, or not the same", name));
  }

  const options& o_;
  std::vector<key> keys_;
  sorter sorter_;
  std::uint64_t due_;  // the checksum of all keys
  std::vector<key> whole_, whole_sorted_;  // the serial program's, at the root
};

void run(const options& o) {
  const std::uint64_t memory = state_memory(o);
  measuring all(o);
  const measured::speeds speeds = all.speeds();
  std::string text;
  if (o.json) {
    console::json object = {{"ranks", ramjet::size()}, {"keys", o.keys},
                            {"seed", o.seed},          {"skew", o.skew},
                            {"repeats", o.repeats},    {"memory_bytes", memory}};
    add_speeds(object, speeds, "keys_per_s");
    object["checksum"] = fmt::format("{:016x}", all.checksum());
    text = object.dump() + "\n";
  } else {
    text = "\n" + text_of(speeds, "keys") +
           fmt::format("\nAll keys are in order, by each way: checksum {:016x}.\n", all.checksum());
  }
  measured::print_at_root(text);
}

}  // namespace
}  // namespace keysort

int main(int argc, char** argv) {
  return measured::run({"keysort", "--keys"}, argc, argv,
                       [&] { keysort::run(keysort::read_options(argc, argv)); });
}
