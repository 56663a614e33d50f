// SPDX-License-Identifier: Apache-2.0
#include "part.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "../measured/program.hpp"

namespace em3d {
namespace {

constexpr std::size_t kLineDoubles = 64 / sizeof(double);
constexpr std::size_t kPageDoubles = 4096 / sizeof(double);
static_assert(kLineDoubles % kLanes == 0, "padded to lines, values are whole rows");

constexpr std::size_t rounded_up(std::size_t doubles, std::size_t unit) {
  return (doubles + unit - 1) / unit * unit;
}
constexpr std::size_t whole_lines(std::size_t doubles) { return rounded_up(doubles, kLineDoubles); }
constexpr std::size_t whole_pages(std::size_t doubles) { return rounded_up(doubles, kPageDoubles); }

std::size_t greatest_of_all_ranks(std::size_t value) {
  measured::require(
      ramjet::all_reduce(value, [](std::size_t a, std::size_t b) { return std::max(a, b); }));
  return value;
}

// One word to and from every rank.
std::vector<std::size_t> exchanged(const std::vector<std::size_t>& to_each) {
  std::vector<std::size_t> from_each(to_each.size());
  measured::require(ramjet::all_to_all(std::span(to_each), std::span(from_each)));
  return from_each;
}

std::vector<dependence> draw_all(const graph& g, kind of) {
  std::vector<dependence> edges(g.nodes * g.degree);
  for (std::size_t i = 0; i < g.nodes; ++i)
    draw_edges(g, of, {ramjet::rank(), std::uint32_t(i)},
               std::span(edges).subspan(i * g.degree, g.degree));
  return edges;
}

}  // namespace

part::part(const graph& g) : graph_(g) {
  for (const kind from : {kind::e, kind::h}) {
    const std::vector<dependence> edges = draw_all(g, other(from));
    const needs wanted = needs_of(edges);
    allocate(from, wanted);
    lay_ghosts(from, wanted);
    exchange_wishes(from, wanted);
    lay_edges(from, edges, wanted);
  }
  // What the compute phase of a kind writes is known only now that both blocks are there.
  for (const kind k : {kind::e, kind::h}) of(k).nodes.values = block(k);
  reset();
}

part::~part() {
  for (const auto& block : blocks_) ramjet::all_spread_free(block);
}

void part::reset() {
  for (const kind k : {kind::e, kind::h}) {
    const std::span<double> all(block(k), block_doubles_[std::size_t(k)]);
    std::ranges::fill(all, 0.0);
    for (const ghost& g : of(k).ghosts) *g.here = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < graph_.nodes; ++i)
      all[i] = initial_value(graph_, k, {ramjet::rank(), std::uint32_t(i)});
  }
}

part::needs part::needs_of(const std::vector<dependence>& edges) const {
  std::vector<node_id> others;
  for (const dependence& d : edges)
    if (d.on.rank != ramjet::rank()) others.push_back(d.on);
  std::ranges::sort(others);
  const auto repeated = std::ranges::unique(others);
  others.erase(repeated.begin(), repeated.end());
  const auto ranks = std::size_t(ramjet::size());
  needs wanted(ranks);
  for (const node_id& n : others) wanted[std::size_t(n.rank)].push_back(n.index);
  return wanted;
}

void part::allocate(kind k, const needs& wanted) {
  std::size_t end = whole_pages(graph_.nodes);
  for (const auto& of_owner : wanted) {
    ghosts_begin_[std::size_t(k)].push_back(end);
    end += whole_lines(of_owner.size());
  }
  const std::size_t doubles = greatest_of_all_ranks(end);
  const auto ranks = std::size_t(ramjet::size());
  blocks_[std::size_t(k)] =
      ramjet::spread_ptr<double>(ramjet::all_spread_malloc(ranks, doubles * sizeof(double)));
  block_doubles_[std::size_t(k)] = doubles;
  if (!blocks_[std::size_t(k)])
    throw measured::failure(
        "the graph does not fit into a rank's segment: make --nodes smaller, or "
        "RAMJET_SEGMENT_BYTES greater");
}

void part::lay_ghosts(kind k, const needs& wanted) {
  for (int owner = 0; owner < ramjet::size(); ++owner) {
    double* here = block(k) + ghosts_begin_[std::size_t(k)][std::size_t(owner)];
    for (const std::uint32_t index : wanted[std::size_t(owner)])
      of(k).ghosts.push_back({here++, value_at(k, {owner, index})});
  }
}

// Every rank tells the owners which of their values it has ghosts of, and where those begin.
void part::exchange_wishes(kind k, const needs& wanted) {
  std::vector<std::size_t> my_counts;
  std::vector<std::uint32_t> my_wishes;
  for (const auto& of_owner : wanted) {
    my_counts.push_back(of_owner.size());
    my_wishes.insert(my_wishes.end(), of_owner.begin(), of_owner.end());
  }
  const std::vector<std::size_t> counts = exchanged(my_counts);
  const std::vector<std::size_t> begins = exchanged(ghosts_begin_[std::size_t(k)]);
  std::vector<std::uint32_t> wishes(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  measured::require(ramjet::all_to_all(std::span(my_wishes), my_counts, std::span(wishes), counts));

  field& f = of(k);
  for (int owner = 0; owner < ramjet::size(); ++owner) {
    const std::size_t count = counts[std::size_t(owner)];
    if (count == 0) continue;
    const ramjet::global_ptr<double> ghosts(owner, block(k) + begins[std::size_t(owner)]);
    const parcel p{f.wanted.size(), count, ghosts};
    for (std::size_t i = 0; i < count; ++i)
      f.wanted.push_back({block(k) + wishes[p.first + i], ghosts + std::ptrdiff_t(i)});
    f.parcels.push_back(p);
  }
  f.buffer.resize(f.wanted.size());
}

// The edges that lead from nodes of kind `from`, as the nodes of the other kind keep them.
void part::lay_edges(kind from, const std::vector<dependence>& edges, const needs& wanted) {
  field& to = of(other(from));
  to.nodes.count = graph_.nodes;
  to.nodes.degree = graph_.degree;
  to.nodes.from = block(from);
  for (const dependence& d : edges) {
    std::size_t place = d.on.index;
    if (d.on.rank != ramjet::rank()) {
      const auto& of_owner = wanted[std::size_t(d.on.rank)];
      const auto found = std::ranges::lower_bound(of_owner, d.on.index);
      place = ghosts_begin_[std::size_t(from)][std::size_t(d.on.rank)] +
              std::size_t(found - of_owner.begin());
    }
    to.nodes.edges.push_back({block(from) + place, d.weight});
    to.far_edges.push_back({value_at(from, d.on), d.weight});
  }
  lay_rows(to.nodes);
}

}  // namespace em3d
