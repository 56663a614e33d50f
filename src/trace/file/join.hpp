// SPDX-License-Identifier: Apache-2.0
// From the parts that the machines of a job have written (part.hpp) to its trace: their clocks are
// brought to rank 0's machine's by what they asked it at the start and at the end.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ramjet::trace {

struct joined_trace {
  bool done = false;  // the trace is written to its end
  std::vector<std::string> parts;  // that are in it: others are still wanted
  std::uint64_t told = 0, lost = 0;  // events
  std::vector<std::string> sentences;  // of parts that are not in it, cut, or badly timed
};

// Makes `file`, or empties it, if one of the parts is good. They are descriptors, which it takes
// over, of the files `names`. Those of other jobs than the first one's are left out.
joined_trace join_parts(const std::vector<int>& parts, const std::vector<std::string>& names,
                        const std::string& file, std::uint64_t bytes_max);

// The same of files, none of which may be `file`; nor may that be a part of another trace.
joined_trace join_files(const std::string& file, const std::vector<std::string>& parts,
                        std::uint64_t bytes_max);

// The parts of the trace of that name, FILE.node-0 and so on, as they are there.
std::vector<std::string> find_parts(const std::string& file);

}  // namespace ramjet::trace
