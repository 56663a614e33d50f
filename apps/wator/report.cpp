// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "tools/cli/json.hpp"

namespace wator {
namespace {

double seconds_of(const options& o, std::uint64_t work) {
  return double(work) * double(o.work_ns) / 1e9;
}

const char* name_of(way w) { return w == way::message ? "message" : "gas"; }

std::string json_of(const options& o, const outcome& found, int ranks) {
  console::json fish = console::json::array(), sharks = fish;
  for (const population& p : found.populations) {
    fish.push_back(p.fish);
    sharks.push_back(p.sharks);
  }
  const console::json object = {
      {"ranks", ranks},
      {"width", o.sea.width},
      {"height", o.sea.height},
      {"steps", o.steps},
      {"seed", o.sea.seed},
      {"work_ns", o.work_ns},
      {"shark_work", o.shark_work},
      {"poll_every", o.poll_every},
      {"reads_by", name_of(o.reads)},
      {"seconds", found.seconds},
      {"work", found.work},
      {"work_busiest", found.work_busiest},
      {"reads", found.reads.count()},
      {"wait_ns", found.reads.mean_ns()},
      {"wait_ns_median", found.reads.quantile_ns(0.5)},
      {"wait_ns_p99", found.reads.quantile_ns(0.99)},
      {"wait_ns_max", found.reads.longest_ns()},
      {"fish", fish},
      {"sharks", sharks},
      {"fish_born", found.happened.fish_born},
      {"fish_eaten", found.happened.fish_eaten},
      {"sharks_born", found.happened.sharks_born},
      {"sharks_starved", found.happened.sharks_starved},
      {"checksum", fmt::format("{:016x}", found.checksum)},
  };
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const outcome& found, int ranks) {
  if (o.json) return json_of(o, found, ranks);
  const population &first = found.populations.front(), &last = found.populations.back();
  std::string text = fmt::format(
      "{} x {} cells on {} rank{}, {} steps, seed {}\n\n"
      "             fish    sharks\n"
      "  at first {:6}{:10}\n"
      "  at last  {:6}{:10}\n\n"
      "  computed {:10.3f} s on average, {:.3f} s by the busiest ranks of all half steps\n"
      "  run time {:10.3f} s\n",
      o.sea.height, o.sea.width, ranks, ranks == 1 ? "" : "s", o.steps, o.sea.seed, first.fish,
      first.sharks, last.fish, last.sharks, seconds_of(o, found.work) / ranks,
      seconds_of(o, found.work_busiest), found.seconds);
  if (found.reads.count() == 0) return text + "  no cell of another rank was read\n";
  const auto us = [](double ns) { return ns / 1000; };
  return text + fmt::format(
                    "  reads    {:10} by {}\n"
                    "  wait, us {:10.2f} on average, {:.2f} median, {:.2f} for 99 of 100, "
                    "{:.2f} at most\n",
                    found.reads.count(), name_of(o.reads), us(found.reads.mean_ns()),
                    us(found.reads.quantile_ns(0.5)), us(found.reads.quantile_ns(0.99)),
                    us(found.reads.longest_ns()));
}

}  // namespace wator
