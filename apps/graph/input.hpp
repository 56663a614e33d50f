// SPDX-License-Identifier: Apache-2.0
// The graph that a command line names: a Kronecker graph, or one in a file.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "../measured/ways.hpp"
#include "kronecker.hpp"
#include "tools/cli/json.hpp"

namespace graph {

struct input {
  kronecker made;  // if no file is named
  std::string file;
  bool keeps_lengths = false;  // those that the file gives its edges
  bool seeds_more = false;  // the seed is also of what is done with a graph in a file
};

// --scale, --edge-factor, --seed and --file. `seeded` says what else the seed is of, if anything.
void add_options(measured::command_line& line, input& in, const std::string& seeded);
// Throws measured::usage_error if they contradict each other.
void check_options(const measured::command_line& line, const input& in);
// Adds --no-serial and --json, which each program has last, reads the line and checks it. The graph
// is gathered at one rank to `serial_does` it there.
template <class Options>
void read_line(measured::command_line& line, int argc, char** argv, Options& o,
               const std::string& serial_does) {
  measured::read_line(line, argc, argv, o,
                      "do not gather the graph at one rank to " + serial_does + " it there");
  check_options(line, o.graph);
}

// Throws measured::failure in all ranks if a graph is certainly too large for this machine and this
// many ranks; `sized_by` names the options that ask for less. Collective.
void check_memory(std::uint64_t vertices, std::uint64_t edges, const char* sized_by);

// This rank's share. Throws measured::failure in all ranks. Collective.
edge_share share_of(const input& in);

// Runs what a program does with the graph. If memory does not suffice for a graph in a file, no
// advice is given to make it smaller by an option, as there is none.
template <class Body>
void with_memory_for(const input& in, Body&& body) {
  try {
    body();
  } catch (const std::bad_alloc&) {
    if (in.file.empty()) throw;
    throw std::runtime_error("not enough memory for the graph in " + in.file +
                             " (--no-serial takes less at one rank)");
  }
}

console::json json_of(const input& in);

// The first line of a report.
struct size {
  std::uint64_t vertices = 0, edges = 0;
  double build_seconds = 0;  // until it was spread over the ranks
};
std::string heading(const input& in, const size& s, int ranks);

}  // namespace graph
