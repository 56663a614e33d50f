// SPDX-License-Identifier: Apache-2.0
// kmer query TABLE KMER... and kmer dump TABLE: what stands in a table that was counted before.
#pragma once

namespace kmer {

bool is_lookup(int argc, char** argv);

// Does what the command line says; returns the exit status. One rank does it.
int look_up(int argc, char** argv);

}  // namespace kmer
