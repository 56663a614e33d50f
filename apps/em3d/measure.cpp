// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "../measured/measuring.hpp"
#include "../measured/progress.hpp"
#include "fields.hpp"
#include "serial.hpp"

namespace em3d {

double timings::median() const { return measured::median(ns_); }
double timings::least() const { return std::ranges::min(ns_); }
double timings::most() const { return std::ranges::max(ns_); }

namespace {

using measured::kRoot;

template <class Run>
double ns_per_edge_of(const graph& g, Run&& run) {
  return measured::seconds_together(run) * 1e9 /
         (double(g.iterations) * double(g.edges_per_rank()));
}

// Brings the fields of all ranks to kRoot; empty elsewhere. values_of(k): this rank's.
template <class ValuesOf>
fields gathered(const graph& g, ValuesOf&& values_of) {
  fields all;
  for (const kind k : {kind::e, kind::h}) {
    if (ramjet::rank() == kRoot) all.of(k).resize(std::size_t(g.ranks) * g.nodes);
    measured::require(ramjet::gather(std::span<const double>(values_of(k), g.nodes),
                                     std::span(all.of(k)), kRoot));
  }
  return all;
}

// What all percentages have in common.
struct setting {
  const options& o;
  local_graph limit;
  fields of_limit;  // what the serial computation makes of it; at kRoot
  measurement found;
  std::size_t runs;  // of versions
  std::size_t begun = 0;
  measured::progress shown;
};

// One percentage: its graph, what the serial computation makes of it, and the versions' results.
class series {
 public:
  series(const graph& g, setting& s) : graph_(g), setting_(s) {
    for (const version& v : s.o.versions) {
      results_.emplace_back();
      results_.back().version = v.name;
      results_.back().remote_percent = g.remote_percent;
    }
    if (ramjet::rank() == kRoot) expected_ = g.remote_percent == 0 ? s.of_limit : solve(g);
  }

  // Every version once. The graph is built for it: those of many percentages would fill the memory.
  void run_round() {
    run_limit();
    part p(graph_);
    count_remote(p);
    for (std::size_t i = 0; i < results_.size(); ++i) {
      ++setting_.begun;
      setting_.shown.show([&] {
        return fmt::format("run {} of {}: {}, {} % remote", setting_.begun, setting_.runs,
                           results_[i].version, graph_.remote_percent);
      });
      run(p, setting_.o.versions[i], results_[i]);
    }
  }

  const std::vector<result>& results() const { return results_; }

 private:
  void run_limit() {
    local_graph& limit = setting_.limit;
    limit.reset();
    setting_.found.serial.add(ns_per_edge_of(graph_, [&] { limit.run(graph_.iterations); }));
    check("serial", setting_.of_limit,
          gathered(graph_, [&](kind k) { return limit.values(k).data(); }));
  }

  void run(part& p, const version& v, result& r) {
    p.reset();
    r.ns_per_edge.add(ns_per_edge_of(graph_, [&] { v.run(p, graph_.iterations); }));
    const fields found = gathered(graph_, [&](kind k) { return p.of(k).nodes.values; });
    r.correct = check(v.name, expected_, found) && r.correct;
    r.checksum = checksum(found);
  }

  bool check(const char* name, const fields& expected, const fields& found) {
    const auto d = first_difference(graph_, expected, found);
    std::optional<std::string>& wrong = setting_.found.wrong;
    if (d && !wrong)
      wrong = fmt::format("{} at {} % remote: {}", name, graph_.remote_percent, describe(*d));
    return !d;
  }

  void count_remote(const part& p) {
    std::size_t ghosts = 0, edges = 0;
    for (const kind k : {kind::e, kind::h}) {
      ghosts += p.of(k).ghosts.size();
      edges += std::size_t(std::ranges::count_if(
          p.of(k).far_edges, [](const far_edge& e) { return e.from.rank() != ramjet::rank(); }));
    }
    ghosts = measured::sum_over_ranks(ghosts);
    edges = measured::sum_over_ranks(edges);
    for (result& r : results_) r.ghosts = ghosts, r.remote_edges = edges;
  }

  graph graph_;
  setting& setting_;
  fields expected_;  // at kRoot
  std::vector<result> results_;
};

}  // namespace

// Rounds over all percentages, again and again: what disturbs the machine for a while then does so
// at every percentage, and the medians do not show it.
measurement measure(const options& o) {
  graph g{.seed = o.seed,
          .ranks = ramjet::size(),
          .nodes = o.nodes / 2,
          .degree = o.degree,
          .remote_percent = 0,
          .iterations = unsigned(o.iterations)};
  setting s{.o = o,
            .limit = local_graph(g, ramjet::rank()),
            .of_limit = ramjet::rank() == kRoot ? solve(g) : fields{},
            .found = {},
            .runs = o.remote_percents.size() * o.repeats * o.versions.size(),
            .begun = 0,
            .shown = {}};
  std::vector<series> all;
  for (const unsigned percent : o.remote_percents) {
    g.remote_percent = percent;
    all.emplace_back(g, s);
  }
  for (std::uint64_t repeat = 0; repeat < o.repeats; ++repeat)
    for (series& each : all) each.run_round();
  for (const series& each : all)
    s.found.results.insert(s.found.results.end(), each.results().begin(), each.results().end());
  return s.found;
}

}  // namespace em3d
