// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "failure.hpp"
#include "fields.hpp"
#include "progress.hpp"
#include "serial.hpp"

namespace em3d {

double timings::median() const {
  std::vector<double> sorted = ns_;
  std::ranges::sort(sorted);
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 != 0 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
double timings::least() const { return std::ranges::min(ns_); }
double timings::most() const { return std::ranges::max(ns_); }

namespace {

constexpr auto kSum = [](auto a, auto b) { return a + b; };
constexpr auto kMost = [](auto a, auto b) { return std::max(a, b); };

template <class T, class Op>
T over_all_ranks(T value, Op op) {
  require(ramjet::all_reduce(value, op));
  return value;
}

// The time of the slowest rank for a run that all begin together.
template <class Run>
double ns_per_edge_of(const graph& g, Run&& run) {
  require(ramjet::barrier());
  const auto start = std::chrono::steady_clock::now();
  run();
  require(ramjet::barrier());
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return over_all_ranks(took.count() / (double(g.iterations) * double(g.edges_per_rank())), kMost);
}

// Brings the fields of all ranks to kRoot; empty elsewhere. values_of(k): this rank's.
template <class ValuesOf>
fields gathered(const graph& g, ValuesOf&& values_of) {
  fields all;
  for (const kind k : {kind::e, kind::h}) {
    if (ramjet::rank() == kRoot) all.of(k).resize(std::size_t(g.ranks) * g.nodes);
    require(ramjet::gather(std::span<const double>(values_of(k), g.nodes), std::span(all.of(k)),
                           kRoot));
  }
  return all;
}

// One percentage: its graph, what the serial computation makes of it, and the limit's own graph.
class round_maker {
 public:
  round_maker(const graph& g, local_graph& limit, const fields& of_limit, measurement& m)
      : graph_(g), part_(g), limit_(limit), of_limit_(of_limit), m_(m) {
    if (ramjet::rank() == kRoot) expected_ = g.remote_percent == 0 ? of_limit : solve(g);
  }

  void run_limit() {
    limit_.reset();
    m_.serial.add(ns_per_edge_of(graph_, [&] { limit_.run(graph_.iterations); }));
    check("serial", of_limit_, gathered(graph_, [&](kind k) { return limit_.values(k).data(); }));
  }

  void run(const version& v, result& r) {
    part_.reset();
    r.ns_per_edge.add(ns_per_edge_of(graph_, [&] { v.run(part_, graph_.iterations); }));
    const fields found = gathered(graph_, [&](kind k) { return part_.of(k).nodes.values; });
    r.correct = check(v.name, expected_, found) && r.correct;
    r.checksum = checksum(found);
  }

  result blank(const version& v) const {
    result r;
    r.version = v.name;
    r.remote_percent = graph_.remote_percent;
    for (const kind k : {kind::e, kind::h}) {
      const field& f = part_.of(k);
      r.ghosts += f.ghosts.size();
      r.remote_edges += std::size_t(std::ranges::count_if(
          f.far_edges, [](const far_edge& e) { return e.from.rank() != ramjet::rank(); }));
    }
    r.ghosts = over_all_ranks(r.ghosts, kSum);
    r.remote_edges = over_all_ranks(r.remote_edges, kSum);
    return r;
  }

 private:
  bool check(const char* name, const fields& expected, const fields& found) {
    const auto d = first_difference(graph_, expected, found);
    if (d && !m_.wrong)
      m_.wrong = fmt::format("{} at {} % remote: {}", name, graph_.remote_percent, describe(*d));
    return !d;
  }

  graph graph_;
  part part_;
  local_graph& limit_;
  const fields& of_limit_;
  fields expected_;
  measurement& m_;
};

}  // namespace

measurement measure(const options& o) {
  graph g{.seed = o.seed,
          .ranks = ramjet::size(),
          .nodes = o.nodes / 2,
          .degree = o.degree,
          .remote_percent = 0,
          .iterations = o.iterations};
  local_graph limit(g, ramjet::rank());
  const fields of_limit = ramjet::rank() == kRoot ? solve(g) : fields{};
  measurement m;
  progress shown(o.remote_percents.size() * o.repeats * o.versions.size());
  for (const unsigned percent : o.remote_percents) {
    g.remote_percent = percent;
    round_maker round(g, limit, of_limit, m);
    std::vector<result> row;
    for (const version& v : o.versions) row.push_back(round.blank(v));
    for (unsigned repeat = 0; repeat < o.repeats; ++repeat) {
      round.run_limit();
      for (std::size_t i = 0; i < row.size(); ++i) {
        shown.next(o.versions[i].name, percent);
        round.run(o.versions[i], row[i]);
      }
    }
    m.results.insert(m.results.end(), row.begin(), row.end());
  }
  return m;
}

}  // namespace em3d
