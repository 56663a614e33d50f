// SPDX-License-Identifier: Apache-2.0
// components: the connected components of a graph over all ranks. See README.md.
#include <optional>

#include <ramjet/ramjet.hpp>

#include "../graph/repeated.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/ways.hpp"
#include "options.hpp"
#include "report.hpp"

namespace components {
namespace {

// The same by one rank over the whole graph, without a message: the limit.
class serial_labeller {
 public:
  explicit serial_labeller(const graph::spread_graph& g)
      : names_(g.names), whole_(graph::whole_at_root(g)), sets_(whole_.count()) {}

  // Once, which is to find what all ranks found. Collective.
  double seconds(const summary& found) {
    const bool mine = ramjet::rank() == measured::kRoot;
    const double seconds = measured::seconds_together([&] {
      if (!mine) return;
      sets_.reset();
      join_block(whole_, 0, sets_);
    });
    measured::agreed([&] {
      std::vector<vertex> labels(sets_.count());
      for (vertex v = 0; v < labels.size(); ++v) labels[v] = sets_.root_of(v);
      if (mine && summary_of(labels, names_) != found)
        throw measured::failure("the components are not those of a serial program");
    });
    return seconds;
  }

 private:
  const graph::vertex_names& names_;
  graph::rows whole_;  // empty but at the root
  forest sets_;
};

class measuring {
 public:
  measuring(const options& o, const graph::spread_graph& g) : o_(o), graph_(g), labeller_(g) {
    if (o.serial) serial_.emplace(g);
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, graph_.edges, [this](way w) { return seconds_of(w); },
        [this] { return serial_->seconds(found()); });
  }
  const summary& found() const { return *found_; }

 private:
  double seconds_of(way w) {
    const double seconds = measured::seconds_together([&] { labeller_.label(w); });
    const summary s = checked(graph_, labeller_.labels());
    if (found_ && s != *found_) throw measured::failure("the ways find different components");
    found_ = s;
    return seconds;
  }

  const options& o_;
  const graph::spread_graph& graph_;
  labeller labeller_;
  std::optional<serial_labeller> serial_;
  std::optional<summary> found_;  // by the first way
};

void run(const options& o) {
  const graph::made_graph g(o.graph);
  measuring all(o, *g);
  const measured::speeds speeds = all.speeds();
  measured::print_at_root(report(o, {g.size(), speeds, all.found()}, ramjet::size()));
}

}  // namespace
}  // namespace components

int main(int argc, char** argv) {
  return measured::run({"components", "--scale or --edge-factor"}, argc, argv, [&] {
    const auto o = components::read_options(argc, argv);
    graph::with_memory_for(o.graph, [&] { components::run(o); });
  });
}
