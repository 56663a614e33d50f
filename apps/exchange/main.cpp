// SPDX-License-Identifier: Apache-2.0
// exchange: keys to the ranks that own them. See README.md.
#include <functional>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"
#include "../measured/memory.hpp"
#include "../measured/random_words.hpp"
#include "options.hpp"
#include "report.hpp"

namespace exchange {
namespace {

std::vector<key> keys_of_this_rank(const options& o) {
  measured::random_words words({o.seed, static_cast<std::uint64_t>(ramjet::rank())});
  std::vector<key> keys(o.keys);
  for (key& k : keys) k = words.next();
  return keys;
}

// Of all keys there are. Collective.
digest digest_of_all(std::span<const key> received) {
  digest d;
  for (const key k : received) d.add(k);
  return {measured::sum_over_ranks(d.count), measured::sum_over_ranks(d.sum),
          measured::sum_over_ranks(d.scrambled_sum)};
}

void run(const options& o) {
  // Of a key: itself, and one that is received.
  measured::check_memory(16 * static_cast<double>(o.keys), fmt::format("{} keys a rank", o.keys),
                         "--keys");
  exchanger all(keys_of_this_rank(o));
  std::vector<std::function<double()>> ways;
  for (const way w : o.ways)
    ways.emplace_back([&all, w] {
      const double seconds = measured::seconds_together([&] { all.exchange(w); });
      if (all.is_wrong())
        throw measured::failure(
            fmt::format("{}: a rank has other keys than were sent to it", name_of(w)));
      return seconds;
    });
  const result r{measured::medians_in_turn(o.repeats, ways), digest_of_all(all.received())};
  measured::print_at_root(report(o, r, ramjet::size()));
}

}  // namespace
}  // namespace exchange

int main(int argc, char** argv) {
  return measured::run({"exchange", "--keys"}, argc, argv,
                       [&] { exchange::run(exchange::read_options(argc, argv)); });
}
