// SPDX-License-Identifier: Apache-2.0
// triangles: how many triangles a graph over all ranks has. See README.md.
#include <optional>

#include <fmt/format.h>

#include "../graph/flat.hpp"
#include "../graph/input.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/ways.hpp"
#include "counting.hpp"

namespace triangles {
namespace {

struct options {
  graph::input graph;
  std::uint64_t flat = 0;  // vertices of a flat graph; 0: none is asked for
  std::vector<way> ways{kWays.begin(), kWays.end()};
  std::uint64_t repeats = 5;
  bool serial = true;
  bool json = false;
};

options read_options(int argc, char** argv) {
  options o;
  measured::command_line line(
      "triangles",
      "Counts the triangles of a graph that is spread over all ranks, in several ways, beside a\n"
      "serial program.\n",
      "Examples:\n"
      "  ramjet run -n 2 triangles --flat 200000 --edge-factor 10   as bale has it by default\n"
      "  ramjet run -n 2 triangles --scale 18 --ways rows           a Kronecker graph\n"
      "  triangles --file road.mtx.gz --ways rows --json            a graph of your own\n");
  add_options(line, o.graph, "");
  line.number("--flat", o.flat, {.most = graph::kVerticesMax / 2},
              "N vertices instead, whose edges are all equally likely");
  line.names(
      "--ways", kWays, o.ways,
      "natural, a message for each two vertices of a row, gathered by the library; batched, "
      "the same by hand, 4 KiB a message; rows, each row to each owner in it, many a message");
  line.number("--repeats", o.repeats, {.most = 10'000},
              "times that everything is measured; the median counts");
  graph::read_line(line, argc, argv, o, "count");
  if (line.is_given("--flat") && (line.is_given("--scale") || line.is_given("--file")))
    throw measured::usage_error("--flat excludes --scale and --file");
  return o;
}

graph::edge_share share_of(const options& o) {
  if (o.flat == 0) return graph::share_of(o.graph);
  graph::check_memory(o.flat, o.flat * o.graph.made.edge_factor, "--flat or --edge-factor");
  return graph::share_of(graph::flat{o.flat, o.flat * o.graph.made.edge_factor, o.graph.made.seed},
                         ramjet::rank(), ramjet::size());
}

class measuring {
 public:
  measuring(const options& o, const ordered_graph& g) : o_(o), graph_(g), counter_(g) {
    if (!o.serial) return;
    whole_ = graph::whole_at_root(g.greater);
    marks_.resize(g.greater.vertices);
  }

  measured::speeds speeds() {
    return measured::speeds_in_turn(
        o_, graph_.greater.edges, [this](way w) { return seconds_of(w); },
        [this] { return seconds_of_serial(); });
  }
  std::uint64_t found() const { return *found_; }

 private:
  double seconds_of(way w) {
    std::uint64_t found = 0;
    const double seconds = measured::seconds_together([&] { found = counter_.count(w); });
    check(name_of(w), found);
    return seconds;
  }
  double seconds_of_serial() {
    std::uint64_t found = 0;
    const double seconds =
        measured::seconds_together([&] { found = count_serially(whole_, marks_); });
    check("serial", measured::sum_over_ranks(found));
    return seconds;
  }
  void check(const char* name, std::uint64_t found) {
    if (found_ && found != *found_)
      throw measured::failure(fmt::format("{} finds {} triangles, not {}", name, found, *found_));
    found_ = found;
  }

  const options& o_;
  const ordered_graph& graph_;
  counter counter_;
  graph::rows whole_;  // empty but at the root
  std::vector<std::uint8_t> marks_;
  std::optional<std::uint64_t> found_;  // by the first way
};

console::json json_of(const options& o) {
  if (o.flat == 0) return graph::json_of(o.graph);
  return {{"flat", o.flat}, {"edge_factor", o.graph.made.edge_factor}, {"seed", o.graph.made.seed}};
}

std::string report(const options& o, const ordered_graph& g, const measured::speeds& speeds,
                   std::uint64_t found) {
  if (o.json) {
    console::json object = {{"ranks", ramjet::size()},
                            {"graph", json_of(o)},
                            {"vertices", g.greater.vertices},
                            {"edges", g.greater.edges},
                            {"repeats", o.repeats}};
    add_speeds(object, speeds, "edges_per_s");
    object["triangles"] = found;
    return object.dump() + "\n";
  }
  return fmt::format("{} vertices, {} different edges over {} rank{}\n\n", g.greater.vertices,
                     g.greater.edges, ramjet::size(), ramjet::size() == 1 ? "" : "s") +
         text_of(speeds, "edges") + fmt::format("\n{} triangles, by each way.\n", found);
}

void run(const options& o) {
  const ordered_graph g(graph::distribute(share_of(o)));
  measuring all(o, g);
  const measured::speeds speeds = all.speeds();
  measured::print_at_root(report(o, g, speeds, all.found()));
}

}  // namespace
}  // namespace triangles

int main(int argc, char** argv) {
  return measured::run({"triangles", "--scale, --flat or --edge-factor"}, argc, argv, [&] {
    const auto o = triangles::read_options(argc, argv);
    graph::with_memory_for(o.graph, [&] { triangles::run(o); });
  });
}
