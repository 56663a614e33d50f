// SPDX-License-Identifier: Apache-2.0
// gups: RandomAccess of the HPC Challenge over all ranks. See README.md.
#include <algorithm>

#include <fmt/format.h>

#include "../measured/agreeing.hpp"
#include "../measured/memory.hpp"
#include "../measured/random_words.hpp"
#include "../measured/ways.hpp"
#include "options.hpp"

namespace gups {
namespace {

// Of a block of the table, from word `first` on; those of all blocks add up to the table's.
std::uint64_t checksum_of(std::span<const word> table, std::uint64_t first) {
  std::uint64_t sum = 0;
  for (std::size_t k = 0; k < table.size(); ++k)
    sum += measured::scrambled(table[k] ^ measured::scrambled(first + k + 1));
  return sum;
}

class measuring {
 public:
  explicit measuring(const options& o)
      : o_(o),
        updater_(o.scale, std::find(o.ways.begin(), o.ways.end(), way::atomic) != o.ways.end()) {
    if (o.serial && ramjet::rank() == measured::kRoot) whole_.resize(std::uint64_t{1} << o.scale);
    expect();
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, updates(), [this](way w) { return seconds_of(w); },
        [this] { return seconds_of_serial(); });
  }
  std::uint64_t updates() const { return kUpdatesPerWord << o_.scale; }
  std::uint64_t checksum() const { return checksum_; }

 private:
  // Each rank goes through the whole stream for what is its own: no message.
  void expect() {
    expected_.resize(updater_.table(way::natural).size());
    const std::uint64_t first = updater_.first(), mask = (std::uint64_t{1} << o_.scale) - 1;
    fill(expected_, first);
    word a = 1;
    for (std::uint64_t k = 0; k < updates(); ++k) {
      a = after(a);
      if ((a & mask) - first < expected_.size()) expected_[(a & mask) - first] ^= a;
    }
    checksum_ = measured::sum_over_ranks(checksum_of(expected_, first));
  }
  double seconds_of(way w) {
    updater_.fill(w);
    const double seconds = measured::seconds_together([&] { updater_.update(w); });
    const std::span<const word> found = updater_.table(w);
    std::uint64_t wrong = 0;
    for (std::size_t k = 0; k < found.size(); ++k) wrong += found[k] != expected_[k];
    if (wrong = measured::sum_over_ranks(wrong); wrong > 0)
      throw measured::failure(fmt::format("{}: {} words are wrong", name_of(w), wrong));
    return seconds;
  }
  double seconds_of_serial() {
    fill(whole_, 0);
    const double seconds = measured::seconds_together([&] {
      if (!whole_.empty()) update_serially(whole_);
    });
    measured::agreed([&] {
      if (!whole_.empty() && checksum_of(whole_, 0) != checksum_)
        throw measured::failure("the table is not that of a serial program");
    });
    return seconds;
  }

  const options& o_;
  updater updater_;
  std::vector<word> expected_;  // in this rank's block
  std::vector<word> whole_;  // the serial program's, at the root
  std::uint64_t checksum_ = 0;
};

std::string report(const options& o, const measured::speeds& speeds, const measuring& m) {
  if (o.json) {
    console::json object = {{"ranks", ramjet::size()},
                            {"scale", o.scale},
                            {"updates", m.updates()},
                            {"repeats", o.repeats}};
    add_speeds(object, speeds, "updates_per_s");
    object["wrong"] = 0;
    object["checksum"] = fmt::format("{:016x}", m.checksum());
    return object.dump() + "\n";
  }
  return fmt::format("A table of 2^{} words over {} rank{}, {} updates\n\n", o.scale,
                     ramjet::size(), ramjet::size() == 1 ? "" : "s", m.updates()) +
         text_of(speeds, "updates") +
         fmt::format(
             "\nEvery word is right (RandomAccess allows 1 % of wrong ones): checksum "
             "{:016x}.\n",
             m.checksum());
}

void run(const options& o) {
  // Of a word: the table, and what is expected there.
  measured::check_memory(16 * static_cast<double>(std::uint64_t{1} << o.scale) / ramjet::size(),
                         fmt::format("2^{} words", o.scale), "--scale");
  measuring all(o);
  const measured::speeds speeds = all.speeds();
  measured::print_at_root(report(o, speeds, all));
}

}  // namespace
}  // namespace gups

int main(int argc, char** argv) {
  return measured::run({"gups", "--scale"}, argc, argv,
                       [&] { gups::run(gups::read_options(argc, argv)); });
}
