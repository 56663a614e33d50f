// SPDX-License-Identifier: Apache-2.0
// Irregular programs of two ranks, again and again: what they time themselves, by the medians of
// their runs. They check their results, and end with an error if one is wrong.
//
//   bfs_18, bfs_21   a search with an aggregated message for a rank's first visit of a vertex; the
//                    limit is a serial one of the same runs. In turns with it, a job of one rank:
//                    no message is sent.
//   sssp_18, components_18, pagerank_18
//                    the way that sends least beside a serial program in the same runs; the notes
//                    have the others
//   gups_24, keysort_1e8, triangles, toposort, transpose
//                    a way by the library beside a serial program in the same runs, too; the last
//                    three with the sizes that bale has by default for two ranks
//   exchange_keys    an aggregated message for each key; the limit is what a sort does, one
//                    exchange of buckets
//   net_bfs_18       on two machines; the limit is the program that gathers visits by hand
//   net_exchange_keys  on two machines
#include <fmt/format.h>

#include <map>

#include "micro/bodies.hpp"
#include "micro/programs.hpp"

namespace bench {
namespace {

// Seconds, by way.
void read_ways(const json& report, std::map<std::string, samples>& found) {
  std::vector<json> ways = report.at("ways").elements();
  if (report.contains("serial") && !report.at("serial").is_null())
    ways.push_back(report.at("serial"));
  for (const json& way : ways) found[way.at("way").as_text()].add(way.at("seconds").as_double());
}

void add_params(record& r, const samples& value, const samples& limit) {
  r.params = {{"ranks", 2},
              {"repeats", value.count()},
              {"spread", value.spread()},
              {"limit_spread", limit.spread()}};
}

std::optional<record> measure_bfs(const command_context& c, const char* scale,
                                  std::string& missing) {
  std::vector<std::string> words = {"--ways", "filtered,aggregated,natural,batched", "--scale"};
  if (c.how_much.quick)
    words.insert(words.end(), {"10", "--roots", "1"});
  else
    words.insert(words.end(), {scale, "--roots", "16"});
  std::optional<program> two = program_of(c, "bfs", {}, words, missing),
                         one = program_of(c, "bfs", {.ranks = 1}, words, missing);
  if (!two || !one) return std::nullopt;
  run_in_turns(c.how_much, read_ways, {&*two, &*one});
  record r;
  r.value = two->median("filtered") * 1e3;
  r.limit = two->median("serial") * 1e3;
  add_params(r, two->found.at("filtered"), two->found.at("serial"));
  const double aggregated = two->median("aggregated") * 1e3, natural = two->median("natural") * 1e3,
               batched = two->median("batched") * 1e3, alone = one->median("filtered") * 1e3,
               alone_ratio = one->median("filtered") / one->median("serial");
  r.params["aggregated_ms"] = aggregated;
  r.params["natural_ms"] = natural;
  r.params["batched_ms"] = batched;
  r.params["one_rank_ms"] = alone;
  r.params["one_rank_vs_limit"] = alone_ratio;
  add_note(r, fmt::format("for each visit aggregated {:.1f} ms, a message each {:.1f} ms, batched "
                          "{:.1f} ms",
                          aggregated, natural, batched));
  add_note(r, fmt::format("one rank {:.1f} ms, {:.2f} of the limit", alone, alone_ratio));
  return r;
}

// A program beside a serial one, of which one way counts and others are noted.
struct kernel {
  const char *name, *way;
  std::vector<const char*> others;
  std::vector<std::string> words, quick_words;
};

std::optional<record> measure_kernel(const command_context& c, const kernel& k,
                                     std::string& missing) {
  std::optional<program> p =
      program_of(c, k.name, {}, c.how_much.quick ? k.quick_words : k.words, missing);
  if (!p) return std::nullopt;
  run_in_turns(c.how_much, read_ways, {&*p});
  record r;
  r.value = p->median(k.way) * 1e3;
  r.limit = p->median("serial") * 1e3;
  add_params(r, p->found.at(k.way), p->found.at("serial"));
  for (const char* other : k.others) {
    const double ms = p->median(other) * 1e3;
    r.params[std::string(other) + "_ms"] = ms;
    add_note(r, fmt::format("{} {:.1f} ms", other, ms));
  }
  return r;
}

}  // namespace

std::optional<record> measure_sssp_18(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"sssp",
                         "filtered",
                         {"natural", "batched", "chained"},
                         {"--scale", "18", "--roots", "8"},
                         {"--scale", "10", "--roots", "1"}},
                        missing);
}
std::optional<record> measure_components_18(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"components",
                         "linked",
                         {"natural", "batched"},
                         {"--scale", "18", "--repeats", "11"},
                         {"--scale", "10", "--repeats", "1"}},
                        missing);
}
std::optional<record> measure_pagerank_18(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"pagerank",
                         "shared",
                         {"natural", "batched", "read", "gathered"},
                         {"--scale", "18", "--iterations", "5", "--repeats", "3"},
                         {"--scale", "10", "--repeats", "1"}},
                        missing);
}
std::optional<record> measure_gups_24(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"gups",
                         "natural",
                         {"batched", "atomic"},
                         {"--scale", "24", "--repeats", "3"},
                         {"--scale", "10", "--repeats", "1"}},
                        missing);
}
std::optional<record> measure_keysort_1e8(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"keysort",
                         "stored",
                         {"natural", "batched", "exchanged"},
                         {"--keys", "1e8", "--repeats", "1"},
                         {"--keys", "1e4", "--repeats", "1"}},
                        missing);
}
std::optional<record> measure_triangles(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"triangles",
                         "rows",
                         {"natural", "batched"},
                         {"--flat", "200000", "--edge-factor", "10", "--repeats", "3"},
                         {"--flat", "200", "--repeats", "1"}},
                        missing);
}
std::optional<record> measure_toposort(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"toposort",
                         "natural",
                         {"batched", "chained"},
                         {"--rows", "1e6", "--repeats", "3"},
                         {"--rows", "500", "--repeats", "1"}},
                        missing);
}
std::optional<record> measure_transpose(const command_context& c, std::string& missing) {
  return measure_kernel(c,
                        {"transpose",
                         "natural",
                         {"batched"},
                         {"--rows", "1e6", "--repeats", "3"},
                         {"--rows", "500", "--repeats", "1"}},
                        missing);
}

std::optional<record> measure_bfs_18(const command_context& c, std::string& missing) {
  return measure_bfs(c, "18", missing);
}
std::optional<record> measure_bfs_21(const command_context& c, std::string& missing) {
  return measure_bfs(c, "21", missing);
}

std::optional<record> measure_net_bfs_18(const command_context& c, std::string& missing) {
  std::optional<program> p =
      program_of(c, "bfs", {.ranks = 2, .nodes = 2},
                 {"--ways", "aggregated,batched", "--no-serial", "--scale",
                  c.how_much.quick ? "10" : "18", "--roots", c.how_much.quick ? "1" : "16"},
                 missing);
  if (!p) return std::nullopt;
  run_in_turns(c.how_much, read_ways, {&*p});
  record r;
  r.value = p->median("aggregated") * 1e3;
  r.limit = p->median("batched") * 1e3;
  add_params(r, p->found.at("aggregated"), p->found.at("batched"));
  r.params["machines"] = 2;
  return r;
}

namespace {

std::optional<record> measure_exchange(const command_context& c, unsigned machines,
                                       std::string& missing) {
  constexpr double kKeys = 2e6, kQuickKeys = 1e4;
  const double keys = c.how_much.quick ? kQuickKeys : kKeys;
  std::optional<program> p = program_of(
      c, "exchange", {.ranks = 2, .nodes = machines},
      {"--keys", fmt::format("{:.0f}", keys), "--repeats", std::to_string(c.how_much.count(15))},
      missing);
  if (!p) return std::nullopt;
  run_in_turns(c.how_much, read_ways, {&*p});
  const auto rate = [&](const char* way) { return keys / p->median(way) * 1e-6; };
  record r;
  r.value = rate("aggregated");
  r.limit = rate("bucketed");
  add_params(r, p->found.at("aggregated"), p->found.at("bucketed"));
  r.params["machines"] = machines;
  r.params["keys"] = keys;
  r.params["natural_per_s"] = rate("natural") * 1e6;
  r.params["batched_per_s"] = rate("batched") * 1e6;
  add_note(r, fmt::format("a message each {:.0f} M/s, batched {:.0f} M/s", rate("natural"),
                          rate("batched")));
  return r;
}

}  // namespace

std::optional<record> measure_exchange_keys(const command_context& c, std::string& missing) {
  return measure_exchange(c, 1, missing);
}
std::optional<record> measure_net_exchange_keys(const command_context& c, std::string& missing) {
  return measure_exchange(c, 2, missing);
}

}  // namespace bench
