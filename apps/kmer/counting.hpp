// SPDX-License-Identifier: Apache-2.0
// The parallel part: every rank reads its pieces of the input and sends each k-mer to its owner, in
// an Active Message of its own, whose handler counts it.
#pragma once

#include <cstdint>
#include <vector>

#include "counter_table.hpp"
#include "progress_bar.hpp"
#include "share.hpp"

namespace kmer {

// Where the handlers put what arrives. To be called before any rank sends; `bar` is kRoot's.
void receive_into(counter_table& table, progress_bar* bar);

// Sends the k-mers of these pieces to their owners. Throws input_error, job_error.
void send_kmers(const std::vector<piece>& pieces, unsigned k);

}  // namespace kmer
