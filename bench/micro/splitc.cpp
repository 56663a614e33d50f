// SPDX-License-Identifier: Apache-2.0
// What splitcc compiles: programs in Split-C run again and again, each beside what limits it, and
// the medians of what they time themselves. They check their results, and end with an error if one
// is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/process.hpp"
#include "micro/bodies.hpp"
#include "micro/programs.hpp"

namespace bench {
namespace {

void read_numbers(const json& report, std::map<std::string, samples>& found) {
  for (const json::member& m : report.members())
    if (m.value.is_number()) found[m.name].add(m.value.as_double());
}

std::vector<std::string> rounds(const command_context& c) {
  return {"--rounds", std::to_string(c.how_much.count(41))};
}

// Between two machines each word that is read alone is a message and its answer.
std::vector<std::string> rounds_between_machines(const command_context& c) {
  std::vector<std::string> words = rounds(c);
  words.insert(words.end(), {"--far-words", "16"});
  return words;
}

record record_of(const program& p, const char* value, const char* limit, unsigned runs) {
  record r;
  r.value = p.median(value);
  r.limit = p.median(limit);
  r.params = {{"ranks", 2}, {"repeats", runs}, {"spread", p.found.at(value).spread()}};
  return r;
}

// A result of splitc_accesses on one machine beside another one of it.
std::optional<record> measure_access(const command_context& c, std::string& missing,
                                     const char* value, const char* limit, const char* beside,
                                     const char* beside_limit) {
  std::optional<program> p = program_of(c, "splitc_accesses", {}, rounds(c), missing);
  if (!p) return std::nullopt;
  const unsigned runs = run_in_turns(c.how_much, read_numbers, {&*p});
  record r = record_of(*p, value, limit, runs);
  r.params[beside] = p->median(beside);
  add_note(r, fmt::format("{} {:.3g} ({:.2f} of the limit)",
                          std::string_view(beside).substr(0, std::string_view(beside).size() - 3),
                          p->median(beside), p->median(beside) / p->median(beside_limit)));
  return r;
}

// How many times faster than with each access where it is written, between two machines.
std::optional<record> measure_pass(const command_context& c, std::string& missing,
                                   const char* name) {
  std::optional<program> with =
      program_of(c, "splitc_accesses", {.nodes = 2}, rounds_between_machines(c), missing);
  if (!with) return std::nullopt;
  std::optional<program> without =
      program_of(c, "splitc_accesses_in_order", {.nodes = 2}, rounds_between_machines(c), missing);
  if (!without) return std::nullopt;
  const unsigned runs = run_in_turns(c.how_much, read_numbers, {&*with, &*without});
  const double ns = with->median(name), in_order_ns = without->median(name);
  record r;
  r.value = in_order_ns / ns;
  r.params = {{"ranks", 2},
              {"repeats", runs},
              {"spread", with->found.at(name).spread()},
              {"loop_ns", ns},
              {"in_order_ns", in_order_ns}};
  add_note(r, fmt::format("{:.1f} us the loop, {:.1f} in order", ns / 1e3, in_order_ns / 1e3));
  return r;
}

std::optional<record> measure_sort(const command_context& c, std::string& missing,
                                   const char* name) {
  std::optional<program> p = program_of(
      c, name, {}, {"--keys", c.how_much.quick ? "20000" : "4e6", "--repeats", "1"}, missing);
  if (!p) return std::nullopt;
  effort how_much = c.how_much;
  how_much.seconds *= 4;  // a run is long beside the sort in it: it checks all keys
  const unsigned runs = run_in_turns(how_much, read_numbers, {&*p});
  record r = record_of(*p, "keys_per_second", "serial_keys_per_second", runs);
  r.value /= 1e6;
  *r.limit /= 1e6;
  // Each run has both sorts, one behind the other: what the machine does meanwhile is alike.
  r.params["speedup"] = p->median("speedup");
  r.params["speedup_spread"] = p->found.at("speedup").spread();
  add_note(
      r, fmt::format("{:.2f} of the serial sort, median of {} pairs", p->median("speedup"), runs));
  return r;
}

// "put_20": nanoseconds an edge of a version at a percentage.
std::map<std::string, double> em3d_times(const program& p) {
  std::map<std::string, double> ns;
  const json report = report_of(p.words, p.name);
  for (const json& r : report.at("results").elements())
    ns[fmt::format("{}_{}", r.at("version").as_text(), r.at("remote_percent").as_count())] =
        r.at("ns_per_edge").at("median").as_double();
  return ns;
}

// One run may find its memory, and the machine, in another state than the next: by a tenth, in all
// its rounds. So runs are short, each is compared with the one right behind it, and the median of
// many such pairs counts. The machine may get slower from run to run, so each is first in half of
// them. There are more of them while a median is not known to a hundredth: the worst of 18 that are
// known less well is above its true value.
constexpr unsigned kPairs = 32, kPairsMost = 128;
constexpr double kErrorMost = 0.01;

// Half of the interval, as a part of the median, that holds the true one in 9 of 10 cases.
double error_of_median(const samples& s) { return 1.57 * s.spread() / std::sqrt(s.count()); }

double greatest_error(const std::map<std::string, samples>& ratios) {
  double greatest = 0;
  for (const auto& [name, of_pairs] : ratios)
    greatest = std::max(greatest, error_of_median(of_pairs));
  return greatest;
}

void run_pair(program& ours, program& theirs, bool ours_first,
              std::map<std::string, samples>& ratios) {
  std::map<std::string, double> our_ns, their_ns;
  if (ours_first) our_ns = em3d_times(ours);
  their_ns = em3d_times(theirs);
  if (!ours_first) our_ns = em3d_times(ours);
  for (const auto& [name, ns] : our_ns) {
    ours.found[name].add(ns);
    theirs.found[name].add(their_ns.at(name));
    ratios[name].add(ns / their_ns.at(name));
  }
}

}  // namespace

std::optional<record> measure_splitc_own_sum(const command_context& c, std::string& missing) {
  return measure_access(c, missing, "spread_sum_ns", "plain_sum_ns", "global_sum_ns",
                        "plain_sum_ns");
}

std::optional<record> measure_splitc_own_saxpy(const command_context& c, std::string& missing) {
  return measure_access(c, missing, "spread_saxpy_ns", "plain_saxpy_ns", "global_saxpy_ns",
                        "plain_saxpy_ns");
}

std::optional<record> measure_splitc_own_check(const command_context& c, std::string& missing) {
  return measure_access(c, missing, "own_walk_ns", "plain_walk_ns", "own_gather_ns",
                        "plain_gather_ns");
}

std::optional<record> measure_splitc_static_read(const command_context& c, std::string& missing) {
  return measure_access(c, missing, "static_read_ns", "segment_read_ns", "stack_read_ns",
                        "segment_read_ns");
}

std::optional<record> measure_splitc_reads_pipelined(const command_context& c,
                                                     std::string& missing) {
  return measure_pass(c, missing, "reads_ns");
}

std::optional<record> measure_splitc_puts_coalesced(const command_context& c,
                                                    std::string& missing) {
  return measure_pass(c, missing, "puts_ns");
}

std::optional<record> measure_splitc_radixb(const command_context& c, std::string& missing) {
  return measure_sort(c, missing, "splitc_radixb");
}

std::optional<record> measure_splitc_sampleb(const command_context& c, std::string& missing) {
  return measure_sort(c, missing, "splitc_sampleb");
}

std::optional<record> measure_splitc_em3d(const command_context& c, std::string& missing) {
  std::vector<std::string> words = {"--remote", "0,20,40", "--iterations", "20", "--repeats", "5"};
  if (c.how_much.quick)
    words = {"--remote", "0,20,40", "--iterations", "5", "--repeats", "1", "--nodes", "100"};
  std::optional<program> ours = program_of(c, "splitc_em3d", {}, words, missing);
  if (!ours) return std::nullopt;
  std::optional<program> theirs = program_of(c, "em3d", {}, words, missing);
  if (!theirs) return std::nullopt;
  std::map<std::string, samples> ratios;
  const unsigned least = std::min(c.how_much.repeats, kPairs);
  const unsigned most = least < kPairs ? least : kPairsMost;
  unsigned pairs = 0;
  while (pairs < least || (pairs < most && greatest_error(ratios) > kErrorMost))
    run_pair(*ours, *theirs, pairs++ % 2 == 0, ratios);
  record r;
  r.value = ours->median("bulk_20");
  r.limit = theirs->median("bulk_20");
  r.params = {{"ranks", 2},
              {"repeats", pairs},
              {"spread", ours->found.at("bulk_20").spread()},
              {"vs_cpp_error", greatest_error(ratios)}};
  double worst = 0;
  std::string worst_name;
  for (const auto& [name, of_pairs] : ratios) {
    const double ratio = of_pairs.median();
    r.params[name + "_ns"] = ours->median(name);
    r.params[name + "_vs_cpp"] = ratio;
    if (ratio > worst) worst = ratio, worst_name = name;
  }
  add_note(r, fmt::format("of {} cases the worst is {}, {:.2f} of C++", ratios.size(), worst_name,
                          worst));
  return r;
}

}  // namespace bench
