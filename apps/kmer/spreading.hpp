// SPDX-License-Identifier: Apache-2.0
// Work of a rank that reads a stream, given to ranks that have less to do: batches of runs, to be
// split there. A rank that has had some and not done them gets no more; where all are busy the
// reader splits by itself. So nobody ever waits for room.
#pragma once

#include "letters.hpp"

namespace kmer {

// Sends the batch to a rank that has room for it; false if none has. Not in a handler.
bool give_away(const run_batch& batch);

// Does what others have given to this rank so far.
void do_given_work(const run_collector::sink& s);

// Tells all ranks that this one has read a stream to its end, or as far as it could.
void report_stream_end();

// Does what others give, until `streams` streams have ended.
void help_until_streams_end(unsigned streams, const run_collector::sink& s);

}  // namespace kmer
