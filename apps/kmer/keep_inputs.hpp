// SPDX-License-Identifier: Apache-2.0
// What is written must not replace, or be added to, what is read.
#pragma once

#include <string>
#include <vector>

namespace kmer {

// Throws output_error if the file `output` (none if empty), or standard output, is the same file as
// one of the inputs, whatever they are named. Inputs that cannot be looked at are passed over. Of
// the rank that writes: standard input is its.
void keep_inputs(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace kmer
