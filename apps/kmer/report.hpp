// SPDX-License-Identifier: Apache-2.0
// What a run found, on stdout: for people, for programs (JSON), or as `jellyfish histo` prints it.
#pragma once

#include "options.hpp"
#include "spectrum.hpp"

namespace kmer {

struct run_facts {
  int ranks = 1;
  double seconds = 0;  // from joining the job to the finished spectrum
};

// Throws output_error if standard output does not take it.
void report(const options& o, const spectrum& s, const run_facts& run);

}  // namespace kmer
