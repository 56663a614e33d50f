// SPDX-License-Identifier: Apache-2.0
// The speed of searches from several roots, in several ways beside a serial one.
#pragma once

#include <cstddef>
#include <vector>

#include "../measured/ways.hpp"

namespace graph {

// Of one way over searches from several roots: the median, and the harmonic mean of edges a second
// as Graph500 counts them, which leaves out roots without an edge: it would be 0 by one of them. A
// search has found.edges; seconds_of() tells its time.
template <class Searched, class Seconds>
measured::way_speed speed_of(const char* name, const std::vector<Searched>& searches,
                             Seconds&& seconds_of) {
  std::vector<double> seconds;
  double seconds_by_edges = 0;
  std::size_t with_edges = 0;
  for (const Searched& s : searches) {
    const double of_root = seconds_of(s);
    seconds.push_back(of_root);
    if (s.found.edges == 0) continue;
    seconds_by_edges += of_root / static_cast<double>(s.found.edges);
    ++with_edges;
  }
  const double teps = with_edges > 0 ? static_cast<double>(with_edges) / seconds_by_edges : 0;
  return {name, measured::median(seconds), teps};
}

// Of all ways, in their order, and of the serial search if there was one.
template <class Ways, class Searched>
measured::speeds speeds_of(const Ways& ways, const std::vector<Searched>& searches, bool serial) {
  measured::speeds all;
  for (std::size_t k = 0; k < ways.size(); ++k)
    all.ways.push_back(
        speed_of(name_of(ways[k]), searches, [k](const Searched& s) { return s.seconds[k]; }));
  if (serial)
    all.serial = speed_of("serial", searches, [](const Searched& s) { return s.serial_seconds; });
  return all;
}

}  // namespace graph
