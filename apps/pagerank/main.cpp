// SPDX-License-Identifier: Apache-2.0
// pagerank: PageRank of a graph over all ranks. See README.md.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../graph/repeated.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/ways.hpp"
#include "options.hpp"
#include "report.hpp"
#include "serial.hpp"

namespace pagerank {
namespace {

class measuring {
 public:
  measuring(const options& o, const graph::made_graph& g)
      : o_(o), graph_(*g), numbers_(g.numbers()), ranker_(*g, o.ways) {
    if (o.serial) serial_.emplace(graph::whole_at_root(*g));
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, graph_.edges * o_.iterations, [this](way w) { return seconds_of(w); },
        [this] { return seconds_of_serial(); });
  }
  // Those of the first way in its first turn, which all others have been compared with.
  summary found() const {
    summary s = summary_of(graph::in_old_order<double>(numbers_, first_scores_));
    s.first = graph_.names[static_cast<graph::vertex>(s.first)];
    return s;
  }

 private:
  double seconds_of(way w) {
    const double seconds = measured::seconds_together([&] { ranker_.rank(w, o_.iterations); });
    check(name_of(w), scores_of_all(graph_, ranker_.scores()));
    return seconds;
  }
  double seconds_of_serial() {
    const bool mine = ramjet::rank() == measured::kRoot;
    const double seconds = measured::seconds_together([&] {
      if (mine) serial_->rank(o_.iterations);
    });
    check("serial", mine ? serial_->scores() : first_scores_);
    return seconds;
  }
  void check(const char* name, const std::vector<double>& scores) {
    measured::agreed([&] {
      if (const std::string fault = fault_of(scores, first_scores_); !fault.empty())
        throw measured::failure(fmt::format("wrong scores ({}): {}", name, fault));
    });
    if (first_scores_.empty()) first_scores_ = scores;
  }

  const options& o_;
  const graph::spread_graph& graph_;
  std::span<const graph::vertex> numbers_;  // of the input's vertices in graph_
  ranker ranker_;
  std::optional<serial_ranker> serial_;  // of an empty graph but at the root
  std::vector<double> first_scores_;  // by vertex of graph_
};

void run(const options& o) {
  const graph::made_graph g(o.graph, graph::numbering::by_degree);
  measuring all(o, g);
  const measured::speeds speeds = all.speeds();
  measured::print_at_root(report(o, {g.size(), speeds, all.found()}, ramjet::size()));
}

}  // namespace
}  // namespace pagerank

int main(int argc, char** argv) {
  return measured::run({"pagerank", "--scale or --edge-factor"}, argc, argv, [&] {
    const auto o = pagerank::read_options(argc, argv);
    graph::with_memory_for(o.graph, [&] { pagerank::run(o); });
  });
}
