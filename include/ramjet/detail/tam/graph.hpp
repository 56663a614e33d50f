// SPDX-License-Identifier: Apache-2.0
// The graph of a code block as the compiler counts in it: nodes are inlets and threads, edges are
// posts, forks, outcomes of switches and expected messages. Every combination of outcomes is gone
// through; a thread's entry count is how often it is enabled in those in which it is.
#pragma once

#include <array>
#include <cstddef>

namespace ramjet::tam::detail {

enum class flaw {
  none,
  listed_twice,
  posts_nothing,
  never_enabled,
  counts_disagree,
  counted_and_not,
  loops_without_again,
  never_ends,
  runs_beside_the_end
};

inline constexpr int kAlways = -1;
struct edge {
  std::size_t from, to;
  int outcome;  // of the switch at whose end the edge is gone along; kAlways: with no switch
  bool again;   // enables `to` for another round, whatever its count
};

template <std::size_t Nodes>
struct node_graph {
  static constexpr std::size_t kEdgesMax = 256;
  std::array<edge, kEdgesMax> edges{};
  std::size_t edge_count = 0;
  std::array<bool, Nodes> is_inlet{}, is_counted{}, ends{};
  std::array<bool, Nodes> is_twice{};  // at the first place where it is listed
  std::array<int, Nodes> outcomes{};  // 0: no switch

  constexpr void add(edge e) { edges.at(edge_count++) = e; }
};

template <std::size_t Nodes>
struct counted_graph {
  std::array<unsigned, Nodes> entry_count{};
  std::array<flaw, Nodes> flaws{};
  std::array<bool, Nodes> loops{};  // can be enabled again, so its count is set again
};

// What the counting goes through; `tokens` are of one combination of outcomes.
template <std::size_t Nodes>
struct counting {
  const node_graph<Nodes>& graph;
  counted_graph<Nodes> result{};
  std::array<std::size_t, Nodes> order{};          // topological; again's edges left out
  std::array<std::array<bool, Nodes>, Nodes> reaches{};  // over the same edges
  std::array<int, Nodes> taken{};                  // each switch's outcome
  std::array<unsigned, Nodes> tokens{}, loop_tokens{};
  bool goes_again = false;

  constexpr void blame(std::size_t node, flaw f) {
    if (result.flaws[node] == flaw::none) result.flaws[node] = f;
  }
  constexpr bool is_taken(const edge& e) const {
    return tokens[e.from] > 0 && (e.outcome == kAlways || e.outcome == taken[e.from]);
  }

  // Nodes on a cycle are left out of the order, and blamed. Returns whether there is none.
  constexpr bool sort() {
    std::array<unsigned, Nodes> before{};
    for (std::size_t i = 0; i < graph.edge_count; ++i)
      if (!graph.edges[i].again) ++before[graph.edges[i].to];
    std::size_t sorted = 0;
    for (std::size_t node = 0; node < Nodes; ++node)
      if (before[node] == 0) order[sorted++] = node;
    for (std::size_t at = 0; at < sorted; ++at)
      for (std::size_t i = 0; i < graph.edge_count; ++i)
        if (const edge& e = graph.edges[i]; e.from == order[at] && !e.again && --before[e.to] == 0)
          order[sorted++] = e.to;
    for (std::size_t node = 0; node < Nodes; ++node)
      if (before[node] > 0) blame(node, flaw::loops_without_again);
    return sorted == Nodes;
  }

  constexpr void reach() {
    for (std::size_t at = Nodes; at-- > 0;) {
      const std::size_t node = order[at];
      reaches[node][node] = true;
      for (std::size_t i = 0; i < graph.edge_count; ++i)
        if (const edge& e = graph.edges[i]; e.from == node && !e.again)
          for (std::size_t to = 0; to < Nodes; ++to) reaches[node][to] |= reaches[e.to][to];
    }
    for (std::size_t i = 0; i < graph.edge_count; ++i)
      if (const edge& e = graph.edges[i]; e.again)
        for (std::size_t to = 0; to < Nodes; ++to) result.loops[to] |= reaches[e.to][to];
  }

  // An inlet that no thread expects gets its message from outside.
  constexpr bool from_outside(std::size_t node) const {
    if (!graph.is_inlet[node]) return false;
    for (std::size_t i = 0; i < graph.edge_count; ++i)
      if (graph.edges[i].to == node) return false;
    return true;
  }

  constexpr void go_through() {
    tokens = {};
    loop_tokens = {};
    goes_again = false;
    for (const std::size_t node : order) {
      if (from_outside(node)) tokens[node] = 1;
      for (std::size_t i = 0; i < graph.edge_count; ++i) {
        const edge& e = graph.edges[i];
        if (e.from != node || !is_taken(e)) continue;
        goes_again |= e.again;
        if (e.again) continue;
        ++tokens[e.to];
        if (result.loops[node]) ++loop_tokens[e.to];
      }
    }
  }

  // In a round that is followed by another one, a thread may still wait for the loop's end, if
  // nothing in the round has been for it; what is enabled in each round is so by the round alone.
  constexpr void count_tokens() {
    for (std::size_t node = 0; node < Nodes; ++node) {
      if (tokens[node] == 0 || (goes_again && loop_tokens[node] == 0)) continue;
      unsigned& count = result.entry_count[node];
      if (count != 0 && count != tokens[node]) blame(node, flaw::counts_disagree);
      if (goes_again && tokens[node] != loop_tokens[node]) blame(node, flaw::counts_disagree);
      count = tokens[node];
    }
  }

  constexpr void check_end() {
    if (goes_again) return;
    std::size_t end = Nodes;
    for (const std::size_t node : order)
      if (tokens[node] > 0 && graph.ends[node]) end = node;
    for (std::size_t node = 0; node < Nodes; ++node) {
      if (tokens[node] == 0) continue;
      if (end == Nodes)
        blame(node, flaw::never_ends);
      else if (!reaches[node][end])
        blame(node, flaw::runs_beside_the_end);
    }
  }

  constexpr bool next_outcomes() {
    for (std::size_t node = 0; node < Nodes; ++node) {
      if (++taken[node] < graph.outcomes[node]) return true;
      taken[node] = 0;
    }
    return false;
  }

  constexpr void check_nodes() {
    for (std::size_t node = 0; node < Nodes; ++node) {
      bool leads_on = false;
      for (std::size_t i = 0; i < graph.edge_count; ++i) {
        const edge& e = graph.edges[i];
        leads_on |= e.from == node;
        if (e.from == node && graph.is_counted[node] && result.entry_count[e.to] > 1)
          blame(e.to, flaw::counted_and_not);
      }
      if (graph.is_twice[node]) blame(node, flaw::listed_twice);
      if (graph.is_inlet[node] && !leads_on) blame(node, flaw::posts_nothing);
      if (!graph.is_inlet[node] && result.entry_count[node] == 0) blame(node, flaw::never_enabled);
    }
  }

  constexpr void count() {
    if (!sort()) return;
    reach();
    do {
      go_through();
      count_tokens();
    } while (next_outcomes());
    check_nodes();
    for (const flaw f : result.flaws)
      if (f != flaw::none) return;
    do {
      go_through();
      check_end();
    } while (next_outcomes());
  }
};

template <std::size_t Nodes>
constexpr counted_graph<Nodes> count_entries(const node_graph<Nodes>& graph) {
  counting<Nodes> c{graph};
  c.count();
  return c.result;
}

}  // namespace ramjet::tam::detail
