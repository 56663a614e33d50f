// SPDX-License-Identifier: Apache-2.0
// Loops, and an order of the nodes in which each comes after all that it depends on.
#include <algorithm>
#include <functional>

#include "languages/tam/tl0/verify/block_check.hpp"

namespace tl0 {

std::vector<bool> block_check::reached_from(index node, bool backwards) const {
  std::vector<bool> reached(g_.node_count());
  std::vector<index> left{node};
  reached[node] = true;
  while (!left.empty()) {
    const index at = left.back();
    left.pop_back();
    for (index e : backwards ? g_.in[at] : g_.out[at]) {
      const index next = backwards ? g_.edges[e].from : g_.edges[e].to;
      if (!is_forward(e) || reached[next]) continue;
      reached[next] = true;
      left.push_back(next);
    }
  }
  return reached;
}

bool block_check::find_loops() {
  bool good = true;
  for (index e = 0; e < g_.edges.size(); ++e) {
    if (is_forward(e)) continue;
    const edge& back = g_.edges[e];
    auto found = std::find_if(loops_.begin(), loops_.end(),
                              [&](const loop& l) { return l.head == back.to; });
    if (found == loops_.end())
      found = loops_.insert(loops_.end(), {back.to, std::vector<bool>(g_.node_count()), {}, 0});
    found->agains.push_back(e);
    const std::vector<bool> after = reached_from(back.to, false);
    const std::vector<bool> before = reached_from(back.from, true);
    if (!after[back.from]) {
      error_at(back.instruction, name(back.to) + " does not lead here, so there is no loop to go " +
                                     "through again; say 'fork'");
      good = false;
    }
    for (index n = 0; n < g_.node_count(); ++n)
      if (after[n] && before[n]) found->members[n] = true;
  }
  nest_loops();
  return good;
}

// A loop whose head is inside another one is inside of it with all that it goes through.
void block_check::nest_loops() {
  for (std::size_t depth = 0; depth < loops_.size(); ++depth)
    for (loop& outer : loops_)
      for (const loop& inner : loops_)
        if (inner.head != outer.head && outer.members[inner.head])
          std::transform(outer.members.begin(), outer.members.end(), inner.members.begin(),
                         outer.members.begin(), std::logical_or<>());
}

// What leaves a loop comes after the ends of its rounds, too.
bool block_check::find_order() {
  std::vector<edge> ways;
  ways.reserve(g_.edges.size());
  for (index e = 0; e < g_.edges.size(); ++e) {
    const edge& way = g_.edges[e];
    if (!is_forward(e)) continue;
    ways.push_back(way);
    for (const loop& l : loops_)
      if (l.members[way.from] && !l.members[way.to])
        for (index back : l.agains)
          ways.push_back({way.is, g_.edges[back].from, way.to, way.instruction});
  }
  edges_of_nodes after;
  after.set(ways, g_.node_count(), &edge::from);
  std::vector<index> waits_for(g_.node_count());
  for (const edge& way : ways) ++waits_for[way.to];
  order_.reserve(g_.node_count());
  for (index n = 0; n < g_.node_count(); ++n)
    if (waits_for[n] == 0) order_.push_back(n);
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (index e : after[order_[i]])
      if (--waits_for[ways[e].to] == 0) order_.push_back(ways[e].to);
  if (order_.size() == g_.node_count()) return true;
  for (index n = 0; n < g_.node_count(); ++n) {
    if (waits_for[n] == 0 || !reached_from(n, false)[n]) continue;
    for (index e : g_.in[n]) {
      if (!is_forward(e) || !reached_from(n, false)[g_.edges[e].from]) continue;
      error(n, name(n) + " leads to itself, by " + name(g_.edges[e].from) +
                   "; a loop goes back to its head by 'again'");
      return false;
    }
  }
  error(order_.empty() ? 0 : order_.back(), "loops overlap here: one must be inside the other");
  return false;
}

bool block_check::check_entrances() {
  bool good = true;
  for (const loop& l : loops_)
    for (index e = 0; e < g_.edges.size(); ++e) {
      const edge& way = g_.edges[e];
      if (!is_forward(e) || l.members[way.from] || !l.members[way.to] || way.to == l.head ||
          counts_messages(way.to))
        continue;
      error(way.to, name(way.to) + " is inside the loop of " + name(l.head) +
                        ", and gets an entry by " + name(way.from) +
                        ", which is outside: only the first round would have it");
      good = false;
    }
  return good;
}

}  // namespace tl0
